"""Submissions run by real runners in processes of their own, which are killed and told to stop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from knowledge.bank.parser import load_bank
from rubric.coding.result import CodeStatus
from rubric.coding.task import CodingTask
from rubric.coding.verifier import Verifier
from serving.errors import BadInputError, SandboxMissingError
from serving.sandbox.backends import registry
from serving.sandbox.job import WorkerOutcome
from serving.sandbox.remote import protocol
from serving.sandbox.remote.pool import RunnerPool
from serving.servers.placement import order
from tests.rubric.coding.test_attacks import FOLDER, TASK, wanted
from tests.serving.sandbox.remote.runners import KEY, Runner, job, two_runners, until

# Long enough that whoever watches sees it at work, short enough to wait for.
SLOW = "import time\ntime.sleep({seconds})\ndef double(n):\n    return 2 * n\n"


@pytest.fixture(scope="module")
def runners() -> Iterator[list[Runner]]:
    if registry.available() is None:
        pytest.skip(registry.unavailable())
    with two_runners() as made:
        yield made


@pytest.fixture
def pool(runners: list[Runner]) -> Iterator[RunnerPool]:
    for each in runners:
        if each.process.poll() is not None:
            each.start()
            each.wait()
    with RunnerPool([each.url for each in runners], key=KEY) as made:
        made.start()
        yield made


@pytest.fixture
def verifier(pool: RunnerPool) -> Iterator[Verifier]:
    made = Verifier(pool, seconds=2.0)
    yield made
    made.close()


def task(name: str) -> CodingTask:
    found = next(question.task for question in load_bank() if question.id == name)
    assert found is not None
    return found


def test_our_own_solution_of_a_question_passes_and_its_starter_does_not(verifier: Verifier, pool: RunnerPool) -> None:
    asked = task("training-focal-loss")
    assert verifier.unavailable(asked) == ""
    right = verifier.verify(asked, asked.solution)
    assert right.status is CodeStatus.PASSED, right
    assert right.isolation.endswith(", on another machine")
    assert verifier.verify(asked, asked.starter).status not in {CodeStatus.PASSED, CodeStatus.SANDBOX_UNAVAILABLE}
    assert {each.state for each in pool.health()} == {"answering"}


def test_values_and_what_was_printed_come_back_as_from_a_worker_here(pool: RunnerPool, runners: list[Runner]) -> None:
    report = pool.run(job("import sys\nprint('out')\nprint('err', file=sys.stderr)\ndouble = lambda n: 2 * n\n"))
    assert report.end is WorkerOutcome.DONE
    assert (report.told[0]["shown"], report.told[0]["seen"]) == ({"n": 2}, 4)
    assert (report.printed, report.errors) == ("out\n", "err\n")
    # All jobs of a question go to the same runner, so that times can be compared.
    assert report.machine == order([each.url for each in runners], job().tests)[0]


@pytest.mark.parametrize(
    "name",
    [
        *("endless_loop", "forged_frames"),
        *(
            pytest.param(name, marks=pytest.mark.by_number("serving/sandbox"))
            for name in ("broken_frames", "endless_frames", "environment", "memory_bomb", "network", "kills_everybody")
        ),
    ],
)
def test_no_trick_passes_at_a_runner(name: str, verifier: Verifier, runners: list[Runner]) -> None:
    result = verifier.verify(TASK, (FOLDER / f"{name}.py").read_text(encoding="utf-8"))
    assert result.status in wanted(name), result
    assert KEY not in result.model_dump_json()
    assert [each.process.poll() for each in runners] == [None, None]


def test_who_does_not_bring_the_key_gets_nothing(runners: list[Runner]) -> None:
    url = runners[0].url
    body = job().model_dump_json()
    for said in ({}, {"authorization": "Bearer"}, {"authorization": "Bearer another"}, {"authorization": KEY}):
        headers = {**said, "content-type": "application/json"}
        for reply in (
            httpx.post(f"{url}/jobs", content=body, headers=headers, trust_env=False),
            httpx.get(f"{url}/about", headers=headers, trust_env=False),
        ):
            assert reply.status_code == 401
            assert "bubblewrap" not in reply.text
    with RunnerPool([url], key="another key") as made:
        with pytest.raises(BadInputError, match=f"{url} refuses the key. Set INTERVIEWER_RUNNER_KEY"):
            made.start()
        with pytest.raises(SandboxMissingError, match=r"No runner ran the code\. It refuses the key\. Nothing is lost"):
            made.run(job())


def test_what_is_no_job_is_refused(runners: list[Runner]) -> None:
    right = {
        "authorization": f"Bearer {KEY}",
        "content-type": "application/json",
        protocol.VERSION_HEADER: protocol.version(),
    }
    good = job().model_dump_json().encode()

    def status(body: bytes, **headers: str) -> int:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        url = f"{runners[0].url}/jobs"
        return httpx.post(url, content=body, headers={**right, **named}, trust_env=False).status_code

    assert status(good, content_type="text/plain") == 415
    assert status(good, x_sandbox_version="another") == 409
    assert status(b" " * (protocol.MOST_JOB + 1)) == 413
    for bad in (b"", b"[]", b"{}", b'"' + b"x" * 1000, b"[" * 100_000, good[:-1], b"\xff\xfe"):
        assert status(bad) == 400
    for greedy in (
        {"seconds": 1e9},
        {"seconds": 0.0},
        {"processes": 1000},
        {"processes": -1},
        {"run": job().run * 1000},
    ):
        assert status(job().model_copy(update=greedy).model_dump_json().encode()) == 400
    assert status(good.replace(b'"cpu"', b'"cuda"')) == 400
    assert status(good) == 200


def test_a_job_whose_runner_is_killed_is_done_by_the_other_one(pool: RunnerPool, runners: list[Runner]) -> None:
    slow = job(SLOW.format(seconds=3), seconds=30.0)
    first, other = (
        next(each for each in runners if each.url == url) for url in order([each.url for each in runners], slow.tests)
    )
    with ThreadPoolExecutor(1) as threads:
        while True:
            doing = threads.submit(pool.run, slow)
            until(lambda doing=doing: first.jobs() == 1 or doing.done())
            first.kill()
            report = doing.result()
            if report.machine != first.url:
                break
            # A machine may be so busy that it was done before it was seen.
            first.start()
            first.wait()
    assert (report.end, report.machine) == (WorkerOutcome.DONE, other.url)
    assert [each.state for each in pool.health() if each.url == first.url] == ["not answering"]
    # With nobody left, the person is told, and can submit again as soon as somebody is.
    other.kill()
    verifier = Verifier(pool)
    told = verifier.verify(TASK, TASK.solution)
    assert told.status is CodeStatus.SANDBOX_UNAVAILABLE
    assert told.message.startswith("No runner answers.")
    assert told.message.endswith("Nothing is lost; submit again in a moment.")
    # What was prepared meanwhile, without a runner, does no harm afterwards.
    verifier.prepare(TASK)
    until(lambda: all(each.report.done() for each in verifier._expected.values()))
    first.start()
    first.wait()
    assert verifier.verify(TASK, TASK.solution).status is CodeStatus.PASSED
    verifier.close()


def test_a_runner_that_is_told_to_stop_finishes_what_it_has(pool: RunnerPool, runners: list[Runner]) -> None:
    slow = job(SLOW.format(seconds=3), seconds=30.0)
    first, other = (
        next(each for each in runners if each.url == url) for url in order([each.url for each in runners], slow.tests)
    )
    with ThreadPoolExecutor(1) as threads:
        doing = threads.submit(pool.run, slow)
        until(lambda: first.jobs() == 1 or doing.done())
        first.process.send_signal(signal.SIGTERM)
        until(first.stops)
        assert pool.run(job()).machine == other.url
        report = doing.result()
    assert (report.end, report.machine) == (WorkerOutcome.DONE, first.url)
    assert first.process.wait(60) == 0


def test_many_at_once_are_spread_over_the_runners(pool: RunnerPool, runners: list[Runner]) -> None:
    before = threading.active_count()
    with ThreadPoolExecutor(3) as threads:
        sources = [f"def double(n):\n    return {number}\n" for number in range(3)]
        reports = list(threads.map(lambda source: pool.run(job(source)), sources))
    assert [report.told[0]["seen"] for report in reports] == list(range(3))
    assert {report.machine for report in reports} <= {each.url for each in runners}
    assert threading.active_count() <= before + 2
