"""Measures what a submission costs at a runner beside the same one here: ``python -m tests.benchmarks.runners``.

Prints a Markdown table. Both kinds take turns in one run, on one small job and on a question's own solution, each with
a spare that waits and has nothing more to import. The runner is a real one, in a process of its own on this machine:
what a network adds comes on top.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import httpx
import psutil

from knowledge.bank.parser import load_bank
from rubric.coding.verifier import Verifier, _run
from serving.sandbox.job import Job
from serving.sandbox.remote.pool import RunnerPool
from serving.sandbox.worker_pool import WORKER, WorkerPool
from tests.benchmarks.sandbox import JOB
from tests.serving.sandbox.remote.runners import KEY, Runner

QUESTION = "training-focal-loss"
RUNS = 15
OLD_S = 8.0
"""Seconds after which a spare has begun to import what it imports while it waits."""


class Costs(NamedTuple):
    """Milliseconds of single jobs, of both kinds in the order in which they were done.

    Attributes:
        here: done by a worker of this process.
        there: done by a runner.

    """

    here: list[float]
    there: list[float]

    @property
    def ratio(self) -> float:
        """How many times what it costs here a job costs there, as a median over neighbors."""
        return statistics.median(there / here for here, there in zip(self.here, self.there, strict=True))


@contextmanager
def serving() -> Iterator[Runner]:
    """A runner that answers."""
    runner = Runner()
    try:
        runner.wait()
        yield runner
    finally:
        runner.kill()


def settle(process: psutil.Process) -> None:
    """Wait until a spare of a process waits, and has nothing more to import."""
    calm = 0
    while calm < 2:
        spares = [each for each in process.children(recursive=True) if str(WORKER) in " ".join(_line(each))]
        for each in spares:
            each.cpu_percent()
        time.sleep(0.5)
        old = spares and all(time.time() - each.create_time() > OLD_S for each in spares)
        calm = calm + 1 if old and sum(each.cpu_percent() for each in spares if each.is_running()) < 5 else 0


def _line(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def question_job() -> Job:
    """The job that a submission to a question is, with our own solution."""
    task = next(question.task for question in load_bank() if question.id == QUESTION)
    if task is None:
        raise AssertionError(f"{QUESTION} is no coding question")
    return Verifier._job(task, task.solution, _run(task, ("cpu",), 7), 15.0)


def measured(job: Job, here: WorkerPool, there: RunnerPool, runner: Runner, runs: int) -> Costs:
    """Jobs here and there in turn."""
    costs = Costs([], [])
    places = ((here, costs.here, psutil.Process()), (there, costs.there, psutil.Process(runner.process.pid)))
    for number in range(runs):
        # Whoever comes first is not always the same.
        for pool, taken, process in places if number % 2 else reversed(places):
            if isinstance(pool, WorkerPool):
                pool.warm()
            settle(process)
            begun = time.perf_counter()
            pool.run(job)
            taken.append(1000 * (time.perf_counter() - begun))
    return costs


def main() -> None:
    """Print the table."""
    ask = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    ask.add_argument("--runs", type=int, default=RUNS, help=f"jobs of each kind ({RUNS})")
    runs = ask.parse_args().runs
    with serving() as runner, WorkerPool() as here, RunnerPool([runner.url], key=KEY) as there:
        there.start()
        asked = []
        for name, job in (("one small job", JOB), (f"the solution of {QUESTION}", question_job())):
            asked.append((name, measured(job, here, there, runner, runs)))
        trip = []
        with httpx.Client(trust_env=False) as http:
            for _ in range(50):
                begun = time.perf_counter()
                http.get(f"{runner.url}/health")
                trip.append(1000 * (time.perf_counter() - begun))
    print("\n| | here, median | at a runner, median | ratio |\n|---|---|---|---|")
    for name, costs in asked:
        medians = [statistics.median(taken) for taken in costs]
        print(f"| {name} | {medians[0]:.0f} ms | {medians[1]:.0f} ms | {costs.ratio:.2f} |")
    load = os.getloadavg()[0]
    print(f"\n{runs} jobs of each kind; a request alone takes {statistics.median(trip):.1f} ms; load {load:.0f}.")


if __name__ == "__main__":
    main()
