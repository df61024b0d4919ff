"""Runs pieces of the bank's own code, each in a fork of a sandboxed process that has torch imported.

Importing torch takes seconds and hundreds of pieces need it. They are run as they stand, as programs, and may start
processes, which only a backend that isolates them can hold.
"""

from __future__ import annotations

import atexit
from typing import NamedTuple

from serving.sandbox.fork_server import ForkServer, Order
from serving.sandbox.restrictions import MEMORY, restrictions

TIMEOUT_S = 120.0
"""How long one piece of code may run; some start processes of their own, which is slow on a busy machine."""

PROCESSES = 6
"""How many a piece may start beside its own; memory they share."""

PRELOAD = ("torch", "torch._dynamo", "torch.testing", "torch.utils.data", "torch.utils.checkpoint")
"""What takes long to import: optimizers import Dynamo."""


class SampleResult(NamedTuple):
    """What became of a piece of code.

    Attributes:
        error: the last line of its error; empty where it ran to its end.
        printed: the lines it printed, without blanks at their ends.

    """

    error: str
    printed: tuple[str, ...]


class SampleRunner:
    """Runs one piece of code after another. Safe to use from several threads, which take turns."""

    def __init__(self) -> None:
        self._server = ForkServer(PRELOAD, processes=True)
        atexit.register(self._server.close)

    def run(self, source: str, timeout_s: float | None = None) -> SampleResult:
        """Runs Python in a process and an empty folder of its own.

        Args:
            source: the code.
            timeout_s: seconds after which it is stopped; ``TIMEOUT_S`` by default.

        Raises:
            SandboxMissingError: there is no sandbox here that can hold processes, or it does not start.

        """
        limit = TIMEOUT_S if timeout_s is None else timeout_s
        allowed = restrictions(PROCESSES) | {"memory": MEMORY}
        answer = self._server.run(Order(kind="script", payload=source, seconds=limit, restrictions=allowed))
        if answer is None:
            return SampleResult("it ended the process that runs it", ())
        printed = _lines(answer.printed)
        if answer.late:
            return SampleResult(f"not done after {limit:g} s", printed)
        if not answer.status:
            return SampleResult("", printed)
        said = _lines(answer.errors)
        return SampleResult(said[-1] if said else f"exit status {answer.status}", printed)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.rstrip() for line in text.strip().splitlines())
