"""Several judges as one, against real HTTP servers that speak the protocol, and are killed."""

from __future__ import annotations

import base64
import contextlib
import json
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

import numpy as np
import pytest

from serving import metrics
from serving.errors import BadInputError, ServerGoneError, ServerStoppingError
from serving.llm.judge_servers import JudgeServers
from serving.llm.vllm_server import free_port
from serving.servers.placement import BACK_OFF_S, bounded, order

DIGEST = "d1" * 32


class SmallJudge:
    """A server that gives the length of each prompt as its state.

    Attributes:
        port: where it answers, again after ``start``.
        read: the prompts that it was asked about.
        before: called before each answer.
        key: that it wants; empty where it wants none.

    """

    def __init__(self, digest: str = DIGEST) -> None:
        self.digest = digest
        self.key = ""
        self.read: list[str] = []
        self.before: Callable[[], None] = lambda: None
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._http: ThreadingHTTPServer | None = None
        self.start()

    def start(self) -> None:
        """Answer from now on."""
        judge = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/v1/models" and not self.brings_key():
                    return
                self.reply({"data": [{"id": "judge"}, {"id": judge.digest}]})

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if not self.brings_key():
                    return
                judge.before()
                if judge._http is None:
                    self.close_connection = True
                    return
                prompt = asked["input"]
                judge.read.append(prompt)
                state = base64.b64encode(np.array([len(prompt)], dtype="<f4").tobytes()).decode()
                self.reply({"data": [{"index": 0, "embedding": state}]})

            def brings_key(self) -> bool:
                brings = not judge.key or self.headers["Authorization"] == f"Bearer {judge.key}"
                if not brings:
                    self.send_response(401)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                return brings

            def reply(self, body: dict[str, Any]) -> None:
                data = json.dumps(body).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self._http = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def kill(self) -> None:
        """Answer nothing any more, not even what is asked just now."""
        http, self._http = self._http, None
        if http is not None:
            http.shutdown()
            http.server_close()


@pytest.fixture
def judges() -> Iterator[list[SmallJudge]]:
    made = [SmallJudge() for _ in range(3)]
    yield made
    for judge in made:
        judge.kill()


class Clock:
    """Seconds that go on when they are told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def servers(judges: list[SmallJudge], clock: Clock) -> Iterator[JudgeServers]:
    made = JudgeServers([judge.url for judge in judges], model="judge", digest=DIGEST, clock=clock)
    made.start()
    yield made
    made.close()


def prompts(answer: str) -> list[str]:
    return [f"All about {answer}. Is this point made: {point}" for point in ("a", "bb", "ccc")]


def answer_of(judges: list[SmallJudge], judge: SmallJudge, start: int = 0) -> str:
    """An answer that goes to one of the judges, by number the first one from some on."""
    urls = [each.url for each in judges]
    found = (f"answer {number}" for number in count(start))
    return next(each for each in found if order(urls, "\0".join(prompts(each)))[0] == judge.url)


def test_all_prompts_of_an_answer_go_to_one_server_and_come_there_again(
    servers: JudgeServers, judges: list[SmallJudge]
) -> None:
    for _ in range(2):
        for number in range(30):
            asked = prompts(f"answer {number}")
            assert servers.states(asked).tolist() == [[len(prompt)] for prompt in asked]
    for number in range(30):
        asked = prompts(f"answer {number}")
        where = [judge for judge in judges if set(asked) & set(judge.read)]
        assert len(where) == 1
        assert [prompt for prompt in where[0].read if prompt in asked] == asked * 2
    # None has everything, none has nothing.
    assert all(judge.read for judge in judges)


def test_answers_to_one_question_are_shared_out(servers: JudgeServers, judges: list[SmallJudge]) -> None:
    for number in range(60):
        servers.states([f"Why? Point: {point}. Words: answer {number}" for point in ("a", "b")])
    assert all(judge.read for judge in judges)


def test_without_a_server_only_its_own_answers_go_elsewhere() -> None:
    urls = [f"http://10.0.0.{number}:8100" for number in range(5)]
    for number in range(200):
        whole = order(urls, f"answer {number}")
        assert order(urls[1:], f"answer {number}") == [url for url in whole if url != urls[0]]
        assert order(urls[::-1], f"answer {number}") == whole
    firsts = [order(urls, f"answer {number}")[0] for number in range(2000)]
    assert all(300 < firsts.count(url) < 500 for url in urls)


def test_a_server_that_has_its_share_to_do_is_asked_last() -> None:
    urls = ["a", "b", "c"]
    assert bounded(urls, {"a": 0, "b": 0, "c": 0}) == urls
    # One more makes six, of which two are an even share, and three still within the limit.
    assert bounded(urls, {"a": 3, "b": 2, "c": 0}) == ["b", "c", "a"]
    assert bounded(urls, {"a": 2, "b": 2, "c": 1}) == urls
    assert bounded(["a"], {"a": 9}) == ["a"]
    assert bounded([], {}) == []


def test_while_one_server_is_slow_another_takes_more_than_is_its_own(
    servers: JudgeServers, judges: list[SmallJudge]
) -> None:
    slow, reading, go_on = judges[0], threading.Event(), threading.Event()

    def hesitate() -> None:
        reading.set()
        go_on.wait(60)

    slow.before = hesitate
    first, second = (prompts(answer_of(judges, slow, start)) for start in (0, 100))
    with ThreadPoolExecutor(1) as pool:
        begun = pool.submit(servers.states, first)
        assert reading.wait(60)
        assert servers.states(second).shape == (3, 1)
        assert [judge.read for judge in judges if judge.read] == [second]
        go_on.set()
        assert begun.result().shape == (3, 1)
    assert slow.read == first


def test_an_answer_whose_server_is_killed_in_the_middle_is_read_whole_by_another(
    servers: JudgeServers, judges: list[SmallJudge]
) -> None:
    dying = judges[0]
    asked = prompts(answer_of(judges, dying))
    dying.before = lambda: dying.kill() if dying.read else None
    assert servers.states(asked).tolist() == [[len(prompt)] for prompt in asked]
    assert dying.read == asked[:1]
    assert [judge.read for judge in judges[1:] if judge.read] == [asked]


def test_a_server_that_failed_is_left_out_longer_each_time_and_taken_in_again(
    servers: JudgeServers, judges: list[SmallJudge], clock: Clock
) -> None:
    failing = judges[0]
    asked = prompts(answer_of(judges, failing))
    failing.kill()
    servers.states(asked)
    failing.start()
    for pause in BACK_OFF_S[:2]:
        clock.now += pause - 0.01
        servers.states(asked)
        assert failing.read == []
        failing.kill()
        clock.now += 0.02
        servers.states(asked)
        failing.start()
    clock.now += BACK_OFF_S[2] + 0.01
    servers.states(asked)
    assert failing.read == asked


def test_what_a_server_had_begun_does_not_take_it_in_again_that_was_left_out_meanwhile(
    servers: JudgeServers, judges: list[SmallJudge]
) -> None:
    stopping = judges[0]
    begun, later = prompts(answer_of(judges, stopping)), prompts(answer_of(judges, stopping))
    error = ServerStoppingError("It is stopping and takes no new answers.")
    stopping.before = lambda: None if stopping.read else servers._leave_out(servers._servers[stopping.url], error)
    assert servers.states(begun).shape == (3, 1)
    assert stopping.read == begun
    assert {each.url: each.state for each in servers.health()}[stopping.url] == "stopping"
    servers.states(later)
    assert stopping.read == begun


def test_a_server_that_came_back_with_another_model_is_not_used(
    servers: JudgeServers, judges: list[SmallJudge], clock: Clock
) -> None:
    changed = judges[0]
    asked = prompts(answer_of(judges, changed))
    changed.kill()
    servers.states(asked)
    changed.digest = "e2" * 32
    changed.start()
    clock.now += 1000.0
    servers.states(asked)
    assert changed.read == []


def test_no_server_at_all_is_retryable_and_says_why(
    servers: JudgeServers, judges: list[SmallJudge], clock: Clock
) -> None:
    for judge in judges:
        judge.kill()
    for _ in range(2):
        with pytest.raises(ServerGoneError, match="No judge server can be used now") as caught:
            servers.states(prompts("x"))
        assert caught.value.retryable
        assert all(judge.url in str(caught.value) for judge in judges)
    for judge in judges:
        judge.start()
    clock.now += 1.01
    assert servers.states(prompts("x")).shape == (3, 1)


def test_at_the_start_another_model_is_refused_and_a_server_that_is_away_is_not(judges: list[SmallJudge]) -> None:
    judges[0].kill()
    urls = [judge.url for judge in judges]
    with contextlib.closing(JudgeServers(urls, model="judge", digest=DIGEST)) as servers:
        servers.start()
        assert servers.states(prompts("x")).shape == (3, 1)
    judges[1].digest = "e2" * 32
    with (
        contextlib.closing(JudgeServers(urls, model="judge", digest=DIGEST)) as servers,
        pytest.raises(BadInputError, match="does not serve this version’s judge"),
    ):
        servers.start()
    with (
        contextlib.closing(JudgeServers(urls[:1], model="judge", digest=DIGEST)) as servers,
        pytest.raises(ServerGoneError, match="No judge server can be used now"),
    ):
        servers.start()


def test_a_server_that_refuses_the_key_is_told_at_the_start_and_left_out_later(
    servers: JudgeServers, judges: list[SmallJudge], clock: Clock
) -> None:
    changed = judges[0]
    changed.key = "another"
    asked = prompts(answer_of(judges, changed))
    assert servers.states(asked).shape == (3, 1)
    assert changed.read == []
    assert {each.url: each.state for each in servers.health()}[changed.url] == "refuses the key"
    with (
        contextlib.closing(JudgeServers([changed.url], model="judge", digest=DIGEST, key="bad")) as stranger,
        pytest.raises(BadInputError, match=f"{changed.url} refuses the key. Set INTERVIEWER_LLM_KEY to the same"),
    ):
        stranger.start()
    changed.key = ""
    clock.now += BACK_OFF_S[0] + 0.01
    servers.states(asked)
    assert changed.read == asked


def test_that_a_server_goes_and_comes_back_is_logged_once_whoever_notices(
    servers: JudgeServers, judges: list[SmallJudge], clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    def look() -> list[str]:
        servers._look(servers._servers[going.url])
        told = [row.message for row in caplog.records if row.levelno >= logging.WARNING]
        caplog.clear()
        return told

    def answering() -> float | None:
        return metrics.REGISTRY.get_sample_value("interviewer_judges", {"state": "answering"})

    going = judges[0]
    asked = prompts(answer_of(judges, going))
    assert (look(), answering()) == ([], 3)
    # The check notices first.
    going.kill()
    gone, back = (f"The judge server at {going.url} {word}." for word in ("does not answer", "answers again"))
    assert (look(), answering()) == ([gone], 2)
    servers.states(asked)
    assert look() == []
    going.start()
    assert (look(), answering()) == ([back], 3)
    clock.now += 100.0
    servers.states(asked)
    assert look() == []
    # An answer notices first.
    going.kill()
    servers.states(asked)
    (left_out,) = look()
    assert left_out.startswith("A judge server is left out for 1 s")
    assert look() == []
    going.start()
    clock.now += 100.0
    servers.states(asked)
    assert look() == [back]
    going.key = "another"
    assert look() == [f"The judge server at {going.url} refuses the key."]


def test_what_a_stopping_server_had_begun_does_not_bring_it_back(
    servers: JudgeServers, judges: list[SmallJudge], caplog: pytest.LogCaptureFixture
) -> None:
    stopping = servers._servers[judges[0].url]
    with servers._guard:
        servers._note(stopping, "stopping")
    servers._taken_in(stopping, 0)
    assert (stopping.seen, caplog.records) == ("stopping", [])


def test_several_threads_share_the_servers(servers: JudgeServers, judges: list[SmallJudge]) -> None:
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda number: servers.states(prompts(f"answer {number}")), range(40)))
    assert all(each.shape == (3, 1) for each in found)
    assert sum(len(judge.read) for judge in judges) == 120
