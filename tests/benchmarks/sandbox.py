"""Measures what it costs to verify code: ``make sandbox-bench``; prints a Markdown table.

Side by side in one run, on one small job: a warm worker; a fresh worker behind bubblewrap, which imports torch; the
same in a plain subprocess without walls. Then submissions one after another, and the memory that a spare holds.
"""

from __future__ import annotations

import contextlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import psutil

from serving.sandbox.frame_decoder import FrameDecoder
from serving.sandbox.job import Job, JobTest
from serving.sandbox.worker_pool import INSIDE, Worker, WorkerPool, encode_job

TESTS = """
def property_any(t):
    for n in (1, 64):
        x = t.randn(n)
        yield {"x": x}, lambda: twice(x)
"""
JOB = Job(
    source="def twice(x):\n    return 2 * x\n",
    tests=TESTS,
    names=("twice",),
    run=(JobTest(name="property_any", dtype="float32", seed=1),),
)
WARM_RUNS = 9
COLD_RUNS = 3
SUBMISSIONS = 100

PLAIN = """
import os, sys, json
sys.path.insert(0, sys.argv[1])
import torch, torch.optim, numpy, worker
worker.tell(json.loads(sys.stdin.readline()), os.open(os.devnull, os.O_WRONLY))
"""


def milliseconds(call: Callable[[], object], before: Callable[[], object] = lambda: None, *, runs: int) -> list[float]:
    """Wall clock of single calls."""
    taken = []
    for _ in range(runs):
        before()
        begun = time.perf_counter()
        call()
        taken.append(1000 * (time.perf_counter() - begun))
    return taken


def wait_for_spare(pool: WorkerPool) -> None:
    """Until a spare waits, and has nothing more to import."""
    pool.warm()
    while not pool._idle:
        time.sleep(0.02)
    processes = [psutil.Process(pool._idle[0]._process.pid)]
    processes += processes[0].children(recursive=True)
    for process in processes:
        process.cpu_percent()
    while time.sleep(0.5) or sum(process.cpu_percent() for process in processes) > 5:
        pass


def cold() -> None:
    """A worker of its own for one job."""
    worker = Worker()
    worker.ready()
    with contextlib.closing(FrameDecoder()) as decoder:
        decoder.decode(worker.do(JOB).frames)


def plain() -> None:
    """The same job without walls."""
    line = [sys.executable, "-c", PLAIN, str(INSIDE)]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(line, input=encode_job(JOB), check=True, capture_output=True, cwd=folder)


def held(pool: WorkerPool) -> float:
    """Megabytes of memory that a spare has to itself (unique set size)."""
    spare = psutil.Process(pool._idle[0]._process.pid)
    return sum(process.memory_full_info().uss for process in [spare, *spare.children(recursive=True)]) / 1e6


def main() -> None:
    """Print the table."""
    with WorkerPool() as pool:
        warm = milliseconds(lambda: pool.run(JOB), lambda: wait_for_spare(pool), runs=WARM_RUNS)
        wait_for_spare(pool)
        memory = held(pool)
    fresh = milliseconds(cold, runs=COLD_RUNS)
    bare = milliseconds(plain, runs=COLD_RUNS)
    with WorkerPool() as pool:
        begun = time.perf_counter()
        for _ in range(SUBMISSIONS):
            pool.run(JOB)
        rate = SUBMISSIONS / (time.perf_counter() - begun)
    print("\n| one job | median | slowest | times the warm one |\n|---|---|---|---|")
    base = statistics.median(warm)
    for name, taken in (("warm worker", warm), ("fresh bubblewrap", fresh), ("plain subprocess", bare)):
        median = statistics.median(taken)
        print(f"| {name} | {median:.0f} ms | {max(taken):.0f} ms | {median / base:.0f} |")
    print(f"\n{SUBMISSIONS} submissions one after another: {rate:.2f} a second. A spare holds {memory:.0f} MB.")


if __name__ == "__main__":
    main()
