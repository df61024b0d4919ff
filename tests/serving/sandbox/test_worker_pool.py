"""Warm workers: what ends a job, and that the next one works."""

from __future__ import annotations

import json
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from serving.errors import SandboxMissingError
from serving.sandbox.backends.bubblewrap import Bubblewrap
from serving.sandbox.backends.landlock import Landlock
from serving.sandbox.job import Job, JobTest, WorkerOutcome
from serving.sandbox.worker_pool import WorkerPool

TESTS = "def example(t):\n    yield {'n': 2}, double(2)\n"


def job(source: str = "def double(n):\n    return 2 * n\n", tests: str = TESTS, **fields: object) -> Job:
    run = (JobTest(name="example", dtype="float32", seed=1),)
    return Job(source=source, tests=tests, names=("double",), run=run, **fields)


def waiting(workers: WorkerPool) -> list[psutil.Process]:
    """The processes of spares, outermost first."""
    until = time.monotonic() + 60
    workers.warm()
    while not workers._idle and time.monotonic() < until:
        time.sleep(0.05)
    spare = psutil.Process(workers._idle[0]._process.pid)
    return [spare, *spare.children(recursive=True)]


def test_what_tests_saw_comes_back_with_what_was_printed(workers: WorkerPool) -> None:
    report = workers.run(job("import sys\nprint('out')\nprint('err', file=sys.stderr)\ndouble = lambda n: 2 * n\n"))
    assert report.end is WorkerOutcome.DONE
    first, second, last = report.told
    assert (first["shown"], first["seen"]) == ({"n": 2}, 4)
    assert second["seconds"] >= 0
    assert last == {"end": True}
    assert (report.printed, report.errors) == ("out\n", "err\n")


def test_a_spare_takes_the_job_and_is_gone(workers: WorkerPool) -> None:
    spare, *inside = waiting(workers)
    assert spare.status() != psutil.STATUS_ZOMBIE
    assert inside
    inode = "import os\nprint(os.stat('/proc/self/ns/pid').st_ino)\n"
    namespace = os.stat(f"/proc/{inside[-1].pid}/ns/pid").st_ino
    assert workers.run(job(inode + "double = lambda n: 2 * n\n")).printed == f"{namespace}\n"
    gone, alive = psutil.wait_procs([spare, *inside], timeout=10)
    assert gone
    assert not alive


@pytest.mark.parametrize("which", [0, -1])
def test_a_spare_that_was_killed_is_replaced(which: int, workers: WorkerPool) -> None:
    processes = waiting(workers)
    processes[which].kill()
    # What is left of it for a moment could begin the job, and would then be killed at work.
    assert not psutil.wait_procs(processes, timeout=10)[1]
    report = workers.run(job())
    assert report.end is WorkerOutcome.DONE
    assert report.told[0]["seen"] == 4


@pytest.mark.by_number("serving/sandbox")
def test_a_worker_killed_at_work_ends_its_job_and_the_next_works(workers: WorkerPool) -> None:
    processes = waiting(workers)
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(workers.run, job("def double(n):\n    while True: pass\n", seconds=20.0))
        time.sleep(0.5)
        processes[-1].kill()
        report = running.result(timeout=60)
    # Nothing had been told yet, so it was tried once more, and its time was up there.
    assert report.end in {WorkerOutcome.NO_RESULT, WorkerOutcome.DONE}
    assert workers.run(job()).told[0]["seen"] == 4


def test_ten_submissions_at_once(workers: WorkerPool) -> None:
    before = threading.active_count()
    with ThreadPoolExecutor(10) as threads:
        sources = [f"def double(n):\n    return {number}\n" for number in range(10)]
        reports = list(threads.map(lambda source: workers.run(job(source)), sources))
    assert [report.told[0]["seen"] for report in reports] == list(range(10))
    assert threading.active_count() <= before + 2


def test_no_worker_is_left_when_the_pool_is_closed() -> None:
    made = WorkerPool()
    spare, *inside = waiting(made)
    made.close()
    gone, alive = psutil.wait_procs([spare, *inside], timeout=10)
    assert not alive
    assert gone


def test_a_spare_behind_other_walls_than_can_be_had_now_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    if Landlock().unavailable():
        pytest.skip("this kernel has no Landlock")
    with WorkerPool() as made:
        with monkeypatch.context() as patch:
            patch.setattr(Bubblewrap, "unavailable", lambda _: "It is not installed.")
            waiting(made)
        started = "import os\npid = os.fork()\nif not pid: os._exit(0)\ndef double(n):\n    return 2 * n\n"
        report = made.run(job(started).model_copy(update={"processes": 1}))
    assert report.told[0]["seen"] == 4


def test_nothing_is_run_without_any_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bubblewrap, "unavailable", lambda _: "It is not installed.")
    monkeypatch.setattr(Landlock, "unavailable", lambda _: "It is too old.")
    with WorkerPool() as without, pytest.raises(SandboxMissingError, match="It is not installed"):
        without.run(job())


def test_a_job_is_one_line_of_json() -> None:
    from serving.sandbox.worker_pool import encode_job

    assert encode_job(job("a = '\\n'\n")).count(b"\n") == 1
    assert json.loads(encode_job(job()))["names"] == ["double"]
