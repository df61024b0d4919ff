"""Runs programs in the sandbox and reads what they report; one sandbox may run those of several documents."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, Self

from pydantic import ValidationError

from serving.frozen import FrozenModel
from serving.sandbox.fork_server import Answer, ForkServer, Order
from serving.sandbox.restrictions import restrictions

PRELOAD = ("torch", "torch.nn.functional", "numpy")


class Status(StrEnum):
    """What became of a program."""

    DONE = "done"
    ERROR = "error"
    TIMEOUT = "timeout"
    NO_RESULT = "no result"
    """It ended without a report: killed by a limit, or by itself."""


class Failure(FrozenModel):
    """A statement that ended with an exception.

    Attributes:
        first, last: the statement's lines within its block, counted from 1.
        line: the deepest line of the block that was being executed.
        types: class names of the exception, most special first.
        message: its text, cut at some length.
        name: the name it is about, where the exception tells: of a ``NameError`` or an ``ImportError``.
        own: whether it was raised in the block itself, not in a library it called.

    """

    first: int
    last: int
    line: int
    types: tuple[str, ...]
    message: str
    name: str
    own: bool


class Notice(FrozenModel):
    """A warning given about a line of a block."""

    line: int
    category: str
    message: str


class Printed(FrozenModel):
    """What the statement at these lines printed."""

    first: int
    last: int
    text: str


class Trace(FrozenModel):
    """What happened in a block."""

    failures: tuple[Failure, ...] = ()
    notices: tuple[Notice, ...] = ()
    printed: tuple[Printed, ...] = ()


class Program(FrozenModel):
    """Blocks of Python that share their names, run in order, statement by statement."""

    blocks: tuple[str, ...]


class Ran(FrozenModel):
    """What became of a program.

    Attributes:
        status: how it ended; ``ERROR`` where any statement failed.
        error_type: class name of the first exception; empty where there was none.
        message: its text.
        line: its line within its block.
        traces: one a block that was reached, in order.

    """

    status: Status
    error_type: str = ""
    message: str = ""
    line: int | None = None
    traces: tuple[Trace, ...] = ()


class Sandbox:
    """Runs Python programs that nobody vouches for. Nothing is started before there is a program.

    torch is imported with the first program and not again until this is closed.
    """

    def __init__(self) -> None:
        self._server = ForkServer(PRELOAD)

    def run_programs(self, programs: Sequence[Program], timeout_s: float) -> list[Ran]:
        """Runs programs one after another, each in a process of its own; one result each.

        Args:
            programs: their blocks must parse.
            timeout_s: wall clock each may take; half of it as processor time, which a busy machine does not shorten.

        Raises:
            SandboxMissingError: no sandbox can be used here, and why.

        """
        allowed = restrictions(cpu_s=max(1, round(timeout_s / 2)))
        return [_ran(self._server.run(_order(program, timeout_s, allowed))) for program in programs]

    def close(self) -> None:
        """Ends what was started."""
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _order(program: Program, seconds: float, allowed: dict[str, Any]) -> Order:
    return Order(kind="blocks", payload=json.dumps(program.blocks), seconds=seconds, restrictions=allowed)


def _ran(answer: Answer | None) -> Ran:
    if answer is None:
        return Ran(status=Status.NO_RESULT)
    traces = tuple(_traces(answer.told))
    if answer.late:
        return Ran(status=Status.TIMEOUT, traces=traces)
    failure = next((failure for trace in traces for failure in trace.failures), None)
    if failure is None:
        return Ran(status=Status.DONE if traces else Status.NO_RESULT, traces=traces)
    return Ran(
        status=Status.ERROR,
        error_type=failure.types[0] if failure.types else "",
        message=failure.message,
        line=failure.line,
        traces=traces,
    )


def _traces(told: bytes) -> Iterator[Trace]:
    """The blocks' traces, up to the first line that is none."""
    for line in told.split(b"\n")[:-1]:
        try:
            yield Trace.model_validate_json(line)
        except ValidationError:
            return
