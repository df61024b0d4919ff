"""Several runners as one, where some are away, busy, or speak as no runner does."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler

import pytest

from serving import metrics
from serving.errors import BadInputError, SandboxMissingError
from serving.llm.vllm_server import free_port
from serving.sandbox.inside import wire
from serving.sandbox.job import WorkerOutcome
from serving.sandbox.remote import pool as pools
from serving.sandbox.remote import protocol
from serving.sandbox.remote.pool import RunnerPool, address
from serving.sandbox.report import WorkerOutput
from serving.servers.placement import BACK_OFF_S, order
from tests.serving.sandbox.remote.runners import ABOUT, OddRunner, answer, job, until

FRAMES = wire.encode({"seen": 4}) + wire.encode({"end": True})
RIGHT = b"".join(protocol.write_output(WorkerOutput(WorkerOutcome.DONE, FRAMES, "", "", 0.1, None), "walls"))
Reply = Callable[[BaseHTTPRequestHandler], None]


def right(handler: BaseHTTPRequestHandler) -> None:
    answer(handler, b"\n\n" + RIGHT)


def body(data: bytes, status: int = 200, **headers: str) -> Reply:
    return lambda handler: answer(handler, data, status, **headers)


def cut(handler: BaseHTTPRequestHandler) -> None:
    """As a runner does that is killed at work."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b"\n")


@pytest.fixture
def odd() -> Iterator[Callable[..., OddRunner]]:
    made: list[OddRunner] = []

    def make(reply: Reply, about: bytes | None = None) -> OddRunner:
        made.append(OddRunner(reply, about))
        return made[-1]

    yield make
    for each in made:
        each.close()


class Clock:
    """Seconds that go on when they are told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_that_a_runner_goes_and_comes_back_is_logged_once_whoever_notices(
    odd: Callable[..., OddRunner], caplog: pytest.LogCaptureFixture
) -> None:
    def look() -> list[str]:
        pools._tell(held, pool._look(held))
        told = [row.message for row in caplog.records if row.levelno >= logging.WARNING]
        caplog.clear()
        return told

    def answering() -> float | None:
        return metrics.REGISTRY.get_sample_value("interviewer_runners", {"state": "answering"})

    going, clock = odd(right), Clock()
    with RunnerPool([going.url], clock=clock) as pool:
        (held,) = pool._runners.values()
        assert (look(), answering()) == ([], 1)
        # A job notices first.
        going.reply = body(b"", 500)
        with pytest.raises(SandboxMissingError):
            pool.run(job())
        with pytest.raises(SandboxMissingError):
            pool.run(job())
        assert answering() == 0
        first, back = look()
        assert first == f"The runner at {going.url} is left out for 1 s. It answers with status 500."
        assert back == f"The runner at {going.url} answers again."
        going.reply = right
        assert pool.run(job()).machine == going.url
        assert (look(), answering()) == ([], 1)
        # The check notices first.
        going.close()
        assert (look(), answering()) == ([f"The runner at {going.url} does not answer."], 0)
        with pytest.raises(SandboxMissingError):
            pool.run(job())
        assert look() == []


GARBAGE = {
    "nothing": body(b""),
    "a page": body(b"<html>Welcome</html>"),
    "no reply": body(b'{"end": "done"}\n'),
    "too few frames": body(RIGHT[:-1]),
    "too many frames": body(RIGHT + b"x"),
    "cut": cut,
    "a fault": body(b"oops", 500),
    "sent away": body(b"", 302, Location="http://127.0.0.1:1/jobs"),
    "packed": body(b"\x1f\x8b\x08 no gzip", Content_Encoding="gzip"),
    "no HTTP": lambda handler: handler.wfile.write(b"\0\xff" * 500),
}


@pytest.mark.parametrize("reply", GARBAGE.values(), ids=GARBAGE)
def test_garbage_is_told_and_another_runner_does_the_job(reply: Reply, odd: Callable[..., OddRunner]) -> None:
    bad = odd(reply)
    with RunnerPool([bad.url]) as alone, pytest.raises(SandboxMissingError, match="No runner"):
        alone.run(job())
    good = odd(right)
    with RunnerPool([bad.url, good.url]) as both:
        for number in range(3):
            other = job().model_copy(update={"tests": f"# {number}"})
            report = both.run(other)
            assert (report.told[0], report.machine) == ({"seen": 4}, good.url)
        fares = {each.url: each.state for each in both.health()}
        # A runner that was never asked is not known to be a bad one.
        assert fares[good.url] == "answering"


def test_frames_that_are_none_are_no_result(odd: Callable[..., OddRunner]) -> None:
    for frames in (b"", b"garbage", FRAMES[:-1], b"\xff" * 10_000, wire.encode({"seen": 4})):
        output = WorkerOutput(WorkerOutcome.DONE, frames, "", "", 0.1, None)
        bad = odd(body(b"".join(protocol.write_output(output, "walls"))))
        with RunnerPool([bad.url]) as pool:
            assert pool.run(job()).end is WorkerOutcome.NO_RESULT


def test_a_reply_without_an_end_is_cut_off(monkeypatch: pytest.MonkeyPatch, odd: Callable[..., OddRunner]) -> None:
    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(b"x" * 65536)

    def silent(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(b"\n")
        released.wait(60)

    released = threading.Event()
    monkeypatch.setattr(pools, "MOST_REPLY", 2**20)
    with RunnerPool([odd(endless).url]) as pool, pytest.raises(SandboxMissingError, match="larger than any may be"):
        pool.run(job())
    monkeypatch.setattr(pools, "TIMEOUT", 0.3)
    with (
        RunnerPool([odd(silent).url]) as pool,
        pytest.raises(SandboxMissingError, match=r"stopped in the middle|does not answer"),
    ):
        pool.run(job())
    monkeypatch.setattr(pools, "REPLY_S", -1e9)
    with RunnerPool([odd(right).url]) as pool, pytest.raises(SandboxMissingError, match="longer than any job may"):
        pool.run(job())
    released.set()


def test_a_job_that_ends_its_runners_is_not_offered_to_all_of_them(odd: Callable[..., OddRunner]) -> None:
    lost = [odd(cut) for _ in range(4)]
    with RunnerPool([each.url for each in lost]) as pool, pytest.raises(SandboxMissingError, match="in the middle"):
        pool.run(job())
    assert sum(each.asked for each in lost) == pools.MOST_BROKEN_OFF


def test_a_runner_that_fails_is_left_out_for_longer_each_time(odd: Callable[..., OddRunner]) -> None:
    bad, good = odd(body(b"", 500)), odd(right)
    tests = next(text for text in map("# {}".format, range(100)) if order([bad.url, good.url], text)[0] == bad.url)
    asked, clock = job().model_copy(update={"tests": tests}), Clock()
    with RunnerPool([bad.url, good.url], clock=clock) as pool:
        for number, pause in enumerate((*BACK_OFF_S, BACK_OFF_S[-1]), 1):
            assert pool.run(asked).machine == good.url
            assert pool.run(asked).machine == good.url
            assert bad.asked == number
            clock.now += pause + 0.001
        bad.reply = right
        assert pool.run(asked).machine == bad.url
        assert pool.run(asked).machine == bad.url


def test_with_nobody_else_one_that_is_left_out_is_asked_all_the_same(odd: Callable[..., OddRunner]) -> None:
    only = odd(body(b"", 500))
    with RunnerPool([only.url], clock=Clock()) as pool:
        with pytest.raises(SandboxMissingError, match="status 500"):
            pool.run(job())
        only.reply = right
        assert pool.run(job()).machine == only.url


def test_a_job_waits_for_runners_that_are_busy(monkeypatch: pytest.MonkeyPatch, odd: Callable[..., OddRunner]) -> None:
    monkeypatch.setattr(pools, "AGAIN_S", 0.01)
    replies = [
        body(b"", 503, X_Runner_Refused="busy"),
        body(protocol.Refusal(refused="busy", why="Nothing was free.").model_dump_json().encode() + b"\n"),
        right,
    ]

    def in_turn(handler: BaseHTTPRequestHandler) -> None:
        replies[busy.asked - 1](handler)

    busy = odd(in_turn)
    with RunnerPool([busy.url]) as pool:
        assert pool.run(job()).machine == busy.url
        assert busy.asked == 3
    always = odd(replies[0])
    with RunnerPool([always.url], busy_s=0.0) as pool, pytest.raises(SandboxMissingError, match="too much to do"):
        pool.run(job())


def test_what_a_runner_cannot_execute_another_one_may(odd: Callable[..., OddRunner]) -> None:
    cannot = odd(body(protocol.Refusal(refused="sandbox", why="No walls here.").model_dump_json().encode() + b"\n"))
    with RunnerPool([cannot.url]) as alone, pytest.raises(SandboxMissingError, match="No walls here"):
        alone.run(job())
    with RunnerPool([cannot.url, odd(right).url]) as both:
        assert both.run(job()).told[0] == {"seen": 4}


def test_what_cannot_be_executed_is_told_ahead_where_that_is_known(odd: Callable[..., OddRunner]) -> None:
    def about(not_executed: str, not_several: str) -> bytes:
        made = protocol.About(
            version=protocol.version(), isolation="w", not_executed=not_executed, not_several=not_several
        )
        return made.model_dump_json().encode()

    single, none = odd(right, about("", "No several.")), odd(right, about("None.", "None."))
    away = f"http://127.0.0.1:{free_port()}"
    for urls, one, several in (
        ([away], "", ""),
        ([single.url, away], "", "No runner executes this code. No several."),
        ([none.url, single.url], "", "No runner executes this code. None."),
        ([none.url], "No runner executes this code. None.", "No runner executes this code. None."),
        ([none.url, odd(right).url], "", ""),
    ):
        with RunnerPool(urls) as pool:
            pool.start()
            assert (pool.unavailable(0), pool.unavailable(2)) == (one, several)


def test_what_a_person_has_to_mend_is_told_at_the_start(odd: Callable[..., OddRunner]) -> None:
    other = ABOUT.replace(protocol.version().encode(), b"0" * 64)
    for about, words in ((other, "runs another version"), (b"{}", "is no runner"), (b"x" * 10**6, "is no runner")):
        with RunnerPool([odd(right, about).url]) as pool, pytest.raises(BadInputError, match=words):
            pool.start()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "10.0.0.7:8200",
        "ftp://a",
        "http://",
        "http://a:b",
        "http://a:0",
        "http://u:p@a",
        "http://a/x",
        "http://a?b=c",
    ],
)
def test_what_is_no_address_is_told(url: str) -> None:
    with pytest.raises(BadInputError, match="is not the address of a runner"):
        RunnerPool([url])


def test_an_address_is_taken_once() -> None:
    assert address("http://10.0.0.7:8200/") == "http://10.0.0.7:8200"
    with RunnerPool(["http://10.0.0.7:8200/", "http://10.0.0.7:8200"]) as pool:
        assert len(pool.health()) == 1


def test_jobs_of_a_question_stay_together_until_one_runner_has_its_share(odd: Callable[..., OddRunner]) -> None:
    held, arrived = threading.Event(), []

    def waits(handler: BaseHTTPRequestHandler) -> None:
        arrived.append(handler)
        held.wait(60)
        right(handler)

    runners = [odd(waits), odd(waits)]
    with RunnerPool([each.url for each in runners]) as pool, ThreadPoolExecutor(4) as threads:
        doing = []
        for number in range(1, 5):
            doing.append(threads.submit(pool.run, job()))
            until(lambda number=number: len(arrived) == number)
            if number == 2:
                # A submission and our own solution side by side.
                assert sorted(each.asked for each in runners) == [0, 2]
        assert sorted(each.asked for each in runners) == [1, 3]
        held.set()
        assert {each.result().end for each in doing} == {WorkerOutcome.DONE}
