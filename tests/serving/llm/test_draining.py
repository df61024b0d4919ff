"""A judge that is told to stop finishes what it has begun; its pages send what is new to another one."""

from __future__ import annotations

import hashlib
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette

from serving.errors import ServerGoneError, ServerStoppingError
from serving.llm.answer_headers import ANSWER, LEFT
from serving.llm.client import ModelServerClient
from serving.llm.draining import GAP_S, AnswersInFlight
from serving.llm.judge_health import look_at
from serving.llm.judge_servers import JudgeServers
from serving.llm.server_state import Endpoint
from serving.llm.vllm_server import free_port
from serving.models import catalogue
from serving.servers.draining import DrainingServer
from serving.servers.placement import order
from tests.benchmarks.paced_server import start_paced

PACE = 0.15
POINTS = ("first", "second", "third", "fourth")


def until(ready: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not ready():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_an_answer_is_in_flight_from_its_first_prompt_to_its_last() -> None:
    clock = Clock()
    answers = AnswersInFlight(clock)
    with answers.reading({ANSWER: "a", LEFT: "1"}):
        assert answers.count == 1
    # Between its prompts as well.
    assert answers.count == 1
    with answers.reading({}):
        assert answers.count == 2
    assert answers.count == 1
    answers.stop()
    assert answers.takes({ANSWER: "a"})
    assert not answers.takes({ANSWER: "b"})
    assert not answers.takes({})
    with answers.reading({ANSWER: "a", LEFT: "0"}):
        assert answers.count == 1
    assert answers.count == 0
    assert not answers.takes({ANSWER: "a"})


def test_whoever_is_gone_in_the_middle_of_an_answer_is_not_waited_for_long() -> None:
    clock = Clock()
    answers = AnswersInFlight(clock)
    with answers.reading({ANSWER: "a", LEFT: "3"}):
        clock.now += 10 * GAP_S
        # It is being read: a long queue is no sign that anybody is gone.
        assert answers.count == 1
    clock.now += GAP_S - 1
    assert answers.count == 1
    clock.now += 2
    assert answers.count == 0


def test_told_twice_or_out_of_patience_it_ends_though_an_answer_is_in_flight() -> None:
    import asyncio

    for patience_s, twice in ((600.0, True), (0.0, False)):
        answers = AnswersInFlight()
        server = DrainingServer(uvicorn.Config(Starlette()), answers, patience_s)
        with answers.reading({ANSWER: "a", LEFT: "3"}):
            assert not asyncio.run(server.on_tick(1))
            server.handle_exit(signal.SIGTERM, None)
            if twice:
                assert not asyncio.run(server.on_tick(1))
                server.handle_exit(signal.SIGTERM, None)
            until(lambda: asyncio.run(server.on_tick(1)))  # noqa: B023


class Judge:
    """A paced judge in a process of its own, with a note of every prompt that it read."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._noted = folder / f"read-{self.port}"
        self._noted.touch()
        self.process = start_paced(self.port, PACE, self._noted)

    def read(self) -> Counter[str]:
        """How often each prompt was read."""
        return Counter(self._noted.read_text().split())


@contextmanager
def two_judges(folder: Path) -> Iterator[list[Judge]]:
    """Judges that answer; their notes are in a folder."""
    made = [Judge(folder) for _ in range(2)]
    try:
        for judge in made:
            until(lambda: look_at(judge.url).state == "answering")  # noqa: B023
        yield made
    finally:
        for judge in made:
            judge.process.kill()
            judge.process.wait()


@pytest.fixture
def judges(tmp_path: Path) -> Iterator[list[Judge]]:
    with two_judges(tmp_path) as made:
        yield made


def prompts(answer: int) -> list[str]:
    return [f"Why does it work?\n\nAnswer {answer}: is this point made: {point}" for point in POINTS]


def digest(prompt: str) -> str:
    return hashlib.sha256(prompt.encode()).hexdigest()


def test_no_answer_is_lost_or_read_twice_when_a_judge_is_told_to_stop(judges: list[Judge]) -> None:
    stopping, other = judges
    urls = [judge.url for judge in judges]
    count = 36
    for_stopping = [n for n in range(count) if order(urls, "\0".join(prompts(n)))[0] == stopping.url]
    assert 5 < len(for_stopping) < count - 5
    with closing(JudgeServers(urls, model="judge", digest=catalogue.judge_digest())) as servers:
        servers.start()

        def tell() -> None:
            until(lambda: sum(stopping.read().values()) >= 2)
            stopping.process.terminate()
            # While it finishes, it says so, and how much it still has to do.
            seen = look_at(stopping.url)
            if seen.state != "not answering":
                assert seen.state == "stopping"
                told.append(seen.answers_in_flight or 0)

        told: list[int] = []
        teller = threading.Thread(target=tell)
        teller.start()
        with ThreadPoolExecutor(6) as pool:
            found = list(pool.map(lambda number: servers.states(prompts(number)), range(count)))
        teller.join()
        assert stopping.process.wait(60) == 0
        fares = {each.url: each for each in servers.health()}
    # By the end it is gone, which the page may have seen.
    assert fares[stopping.url].state in {"stopping", "not answering"}
    assert fares[other.url].state == "answering"
    assert all(each.answers_in_flight == 0 and each.since is not None for each in fares.values())
    # Every answer has its states, and they are those of its own prompts.
    assert all(each.shape[0] == len(POINTS) for each in found)
    assert len({each.tobytes() for each in found}) == count
    # Each prompt was read once, by one judge, and all prompts of an answer by the same one.
    read = [judge.read() for judge in judges]
    assert set((read[0] + read[1]).values()) == {1}
    for number in range(count):
        where = [sum(digest(each) in one for each in prompts(number)) for one in read]
        assert sorted(where) == [0, len(POINTS)], f"answer {number} was read in parts: {where}"
    finished = {n for n in range(count) if digest(prompts(n)[0]) in read[0]}
    # It finished what it had begun and took nothing else; the rest of what was meant for it went to the other one.
    assert 0 < len(finished) <= 6
    assert set(for_stopping) - finished
    assert all(0 < each <= 6 for each in told)


def test_a_judge_without_work_stops_at_once_and_its_page_goes_on_with_the_other_one(judges: list[Judge]) -> None:
    stopping, _ = judges
    with closing(JudgeServers([judge.url for judge in judges], model="judge", digest=catalogue.judge_digest())) as both:
        both.start()
        stopping.process.terminate()
        assert stopping.process.wait(60) == 0
        for number in range(4):
            assert both.states(prompts(number)).shape[0] == len(POINTS)


def test_a_judge_that_is_stopping_says_so_to_whoever_asks_anew(judges: list[Judge]) -> None:
    judge = judges[0]
    begun = {ANSWER: "long one", LEFT: "9"}
    body = {"model": "judge", "input": "One\n\nprompt", "encoding_format": "base64", "cache_salt": "s"}
    assert httpx.post(f"{judge.url}/v1/embeddings", json=body, headers=begun, timeout=60).status_code == 200
    judge.process.terminate()
    until(lambda: look_at(judge.url).state == "stopping")
    assert look_at(judge.url).answers_in_flight == 1
    endpoint = Endpoint(url=judge.url, key="", model="judge")
    with closing(ModelServerClient(lambda: endpoint, lambda: "")) as client:
        with pytest.raises(ServerStoppingError, match="takes no new answers") as caught:
            client.states(["Another\n\nprompt"])
        assert caught.value.retryable
    # The rest of what has begun is read as before.
    last = httpx.post(f"{judge.url}/v1/embeddings", json=body, headers={**begun, LEFT: "0"}, timeout=60)
    assert last.status_code == 200
    assert judge.process.wait(60) == 0
    assert look_at(judge.url).state == "not answering"


def test_with_the_only_judge_stopping_an_answer_waits_and_is_not_marked(judges: list[Judge]) -> None:
    only = judges[0]
    with closing(JudgeServers([only.url], model="judge", digest=catalogue.judge_digest())) as servers:
        servers.start()
        begun = {ANSWER: "long one", LEFT: "9"}
        body = {"model": "judge", "input": "One\n\nprompt", "encoding_format": "base64", "cache_salt": "s"}
        httpx.post(f"{only.url}/v1/embeddings", json=body, headers=begun, timeout=60)
        only.process.terminate()
        until(lambda: look_at(only.url).state == "stopping")
        with pytest.raises(ServerGoneError, match="is stopping") as caught:
            servers.states(prompts(1))
        assert caught.value.retryable
        assert [each.state for each in servers.health()] == ["stopping"]
