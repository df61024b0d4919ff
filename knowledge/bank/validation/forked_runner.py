"""Runs jobs of the bank's own code as a worker would, in forks of a sandboxed process that has torch: fast.

A worker is used once and takes a second to start; a task has a dozen wrong programs that must fail. Forks of one
process share what it imported, so they are for the bank, whose programs do not mean to change each other;
submissions go to ``WorkerPool``.
"""

from __future__ import annotations

import atexit
import time

from serving.sandbox.backends import registry
from serving.sandbox.fork_server import Answer, ForkServer, Order
from serving.sandbox.frame_decoder import Reading, decoded
from serving.sandbox.job import Job, WorkerOutcome
from serving.sandbox.report import Report
from serving.sandbox.restrictions import restrictions
from serving.sandbox.worker_pool import encode_job

PRELOAD = (
    *("torch", "torch.nn.functional", "torch.optim", "numpy", "torch.utils.checkpoint", "torch.utils.data"),
    *("torch._dynamo", "trial", "wire", "failure", "ranks", "worker"),
)


class ForkedRunner:
    """A ``Runner`` for the bank's own code. Safe to use from several threads, which take turns."""

    def __init__(self) -> None:
        self._server = ForkServer(PRELOAD)
        atexit.register(self._server.close)

    @property
    def isolation(self) -> str:
        """What holds a job here, and its limits."""
        return registry.described()

    def unavailable(self, processes: int) -> str:
        """Why a job of so many processes cannot be done here, and what would help; empty where it can."""
        why = registry.unavailable(processes)
        return f"{why} {registry.REMEDY}" if why else ""

    def run(self, job: Job) -> Report:
        """What became of a job.

        Raises:
            SandboxMissingError: there is no sandbox here, or none for so many processes, or it does not start.

        """
        registry.required(job.processes)
        begun = time.monotonic()
        allowed = restrictions(job.processes)
        order = Order(kind="job", payload=encode_job(job).decode(), seconds=job.longest, restrictions=allowed)
        return _report(self._server.run(order), time.monotonic() - begun)


def _report(answer: Answer | None, seconds: float) -> Report:
    if answer is None:
        return Report(end=WorkerOutcome.NO_RESULT, seconds=seconds)
    read = decoded(answer.told)
    whole = read.reading is Reading.COMPLETE
    end = WorkerOutcome.TIMEOUT if answer.late else WorkerOutcome.DONE if whole else WorkerOutcome.NO_RESULT
    return Report(end=end, told=read.told, printed=answer.printed, errors=answer.errors, seconds=seconds)
