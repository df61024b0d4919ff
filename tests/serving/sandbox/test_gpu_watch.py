"""Jobs on a card are looked after from outside: kernels without an end, memory, and who else holds the card."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from serving.gpu import nvml, usage
from serving.gpu.usage import held_of
from serving.sandbox import gpu_watch
from serving.sandbox.gpu_access import GpuAccess
from serving.sandbox.gpu_watch import LOOK_S, SILENT_S, GpuWatch
from serving.sandbox.job import Job, JobTest, WorkerOutcome
from serving.sandbox.worker_pool import WorkerPool, encode_job
from tests.serving.gpu.machines import install

ACCESS = GpuAccess(nodes=(), reads=(), visible="GPU-0", memory=2 * 1024**3)


@pytest.fixture(autouse=True)
def no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvml, "LIBRARY", "libno-such-library.so")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_processes_hold_is_read_from_the_drivers_list() -> None:
    listing = "4242, 300\n4243, 500\n77, [N/A]\nno processes\n"
    assert held_of(listing, {4242, 4243}) == 800 * 1024 * 1024
    assert held_of(listing, {77}) is None
    assert held_of(listing, {5}) is None


def test_a_job_that_says_nothing_is_silent_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "free", lambda uuid: None)
    clock = Clock()
    watch = GpuWatch(ACCESS, os.getpid(), 5.0, clock)
    clock.now = 5.0 + SILENT_S
    assert not watch.silent
    watch.hear()
    clock.now += 5.0 + SILENT_S + 0.1
    assert watch.silent
    watch.hear()
    assert not watch.silent


def test_a_hog_is_seen_where_the_driver_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", install(tmp_path / "bin", "A100"))
    listing = tmp_path / "bin" / "listing"
    clock = Clock()
    watch = GpuWatch(ACCESS, os.getpid(), 5.0, clock)
    listing.write_text(f"{os.getpid()}, 3000\n")
    assert not watch.greedy(), "not yet time to look"
    clock.now = LOOK_S + 0.1
    assert watch.greedy()
    listing.write_text(f"{os.getpid()}, 1000\n1, 30000\n")
    clock.now *= 3
    assert not watch.greedy(), "others are not this job"


@pytest.mark.parametrize(
    ("before", "after", "short"),
    [(10, 10, False), (1, 10, True), (10, 1, True), (None, None, False), (None, 1, True)],
)
def test_a_card_that_others_fill_is_told(
    monkeypatch: pytest.MonkeyPatch, before: int | None, after: int | None, short: bool
) -> None:
    rooms = iter([before, after])
    monkeypatch.setattr(usage, "free", lambda uuid: None if (room := next(rooms)) is None else room * 10**9)
    assert GpuWatch(ACCESS, os.getpid(), 1.0).short() is short


def test_what_is_free_is_asked_of_the_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", install(tmp_path / "bin", "two cards"))
    assert (usage.free("GPU-1"), usage.free("GPU-9")) == (48000 * 1024 * 1024, None)


def on_card(source: str, tests: int = 1) -> Job:
    run = tuple(JobTest(name="example_one", dtype="float32", seed=1, device="cuda") for _ in range(tests))
    return Job(
        source=source, tests="def example_one(t):\n    yield 1, solve()\n", names=("solve",), run=run, seconds=1.0
    )


def test_torchs_own_limit_is_told_to_the_worker() -> None:
    assert b'"device_memory": 2147483648' in encode_job(on_card(""), ACCESS)
    assert b'"device_memory": null' in encode_job(on_card(""))


ENDLESS = """
import signal, time
def solve():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    while True:
        time.sleep(1)
"""
"""As a kernel without an end: the process's own clock does not stop it."""


def test_an_endless_kernel_is_ended_long_before_the_whole_job_would_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_watch, "SILENT_S", 1.0)
    job = on_card(ENDLESS, tests=40)
    with WorkerPool(0, gpu=ACCESS) as workers:
        report = workers.run(job)
        assert not workers.uses_card
    assert report.end is WorkerOutcome.TIMEOUT
    assert report.seconds < job.longest / 2


def test_a_hog_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", install(tmp_path / "bin", "A100"))
    monkeypatch.setattr(gpu_watch, "LOOK_S", 0.1)
    monkeypatch.setattr(usage, "held", lambda processes: 3 * 1024**3)
    with WorkerPool(0, gpu=ACCESS) as workers:
        assert workers.run(on_card(ENDLESS)).end is WorkerOutcome.DEVICE_MEMORY
