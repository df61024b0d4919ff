"""Starts the sandbox for a batch of programs and reads what it reports; every sandbox is used once."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import selectors
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from pydantic import ValidationError

from serving.errors import SandboxMissingError
from serving.frozen import Frozen
from serving.sandbox.command import command

DRIVER = Path(__file__).with_name("driver.py")
START_S = 60.0
"""Seconds the interpreter inside may take to import torch, on a busy machine."""

MEMORY = 4 * 1024**3
MOST_BYTES = 16 * 1024 * 1024
PRELOAD = ("torch", "torch.nn.functional", "numpy")


class Status(StrEnum):
    """What became of a program."""

    DONE = "done"
    ERROR = "error"
    TIMEOUT = "timeout"
    NO_RESULT = "no result"
    """It ended without a report: killed by a limit, or by itself."""


class Failure(Frozen):
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


class Notice(Frozen):
    """A warning given about a line of a block."""

    line: int
    category: str
    message: str


class Printed(Frozen):
    """What the statement at these lines printed."""

    first: int
    last: int
    text: str


class Trace(Frozen):
    """What happened in a block."""

    failures: tuple[Failure, ...] = ()
    notices: tuple[Notice, ...] = ()
    printed: tuple[Printed, ...] = ()


class Program(Frozen):
    """Blocks of Python that share their names, run in order, statement by statement."""

    blocks: tuple[str, ...]


class Ran(Frozen):
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


class _Report(Frozen):
    blocks: tuple[Trace, ...]
    late: bool


class Sandbox:
    """Runs Python programs that nobody vouches for.

    Raises:
        SandboxMissingError: bubblewrap is not there or may not be used here, and why.

    """

    def __init__(self) -> None:
        why = missing()
        if why:
            raise SandboxMissingError(why, hint="Install the package bubblewrap to have code executed.")

    def run_python(self, source: str, timeout_s: float) -> Ran:
        """Runs one piece of Python.

        Args:
            source: must parse.
            timeout_s: wall clock it may take, the import of torch left out; half of it as processor time.

        """
        return self.run_programs([Program(blocks=(source,))], timeout_s)[0]

    def run_programs(self, programs: Sequence[Program], timeout_s: float) -> list[Ran]:
        """Runs programs one after another in one sandbox, each in a process of its own; one result each.

        Args:
            programs: their blocks must parse.
            timeout_s: wall clock each may take; half of it as processor time, which a busy machine does not shorten.

        """
        if not programs:
            return []
        jobs = {
            "preload": PRELOAD,
            "memory": MEMORY,
            "seconds": timeout_s,
            "programs": [program.model_dump(mode="json") for program in programs],
        }
        reports = _execute(json.dumps(jobs).encode(), START_S + (timeout_s + 1) * len(programs))
        results = [_ran(line) for line in reports[: len(programs)]]
        return results + [Ran(status=Status.NO_RESULT)] * (len(programs) - len(results))


@functools.cache
def missing() -> str:
    """Why there is no sandbox on this machine; empty where there is one."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return "Code is not executed: bubblewrap is not installed."
    try:
        done = subprocess.run(
            command(bwrap, [sys.executable, "-I", "-c", "pass"]),
            capture_output=True,
            env={},
            timeout=START_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"Code is not executed: bubblewrap does not start ({error})."
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        return f"Code is not executed: bubblewrap may not be used here ({said[-1] if said else 'no reason'})."
    return ""


def _execute(jobs: bytes, seconds: float) -> list[bytes]:
    """Lines the driver wrote before its time was up."""
    receive, send = os.pipe()
    inside = [sys.executable, "-I", "-B", str(DRIVER), str(send)]
    arguments = command(shutil.which("bwrap") or "bwrap", inside, (DRIVER,))
    with _closing(receive):
        try:
            process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(send,),
                env={},
            )
        finally:
            os.close(send)
        with process:
            try:
                return _talk(process, jobs, receive, time.monotonic() + seconds)
            finally:
                process.kill()


@contextlib.contextmanager
def _closing(descriptor: int) -> Iterator[None]:
    try:
        yield
    finally:
        os.close(descriptor)


def _talk(process: subprocess.Popen[bytes], jobs: bytes, receive: int, until: float) -> list[bytes]:
    """Writes the jobs and reads the results side by side, so that neither side waits for the other."""
    if process.stdin is None:
        raise AssertionError("the sandbox was started without standard input")
    data = b""
    rest = memoryview(jobs)
    with selectors.DefaultSelector() as ready:
        os.set_blocking(process.stdin.fileno(), False)
        ready.register(process.stdin, selectors.EVENT_WRITE)
        ready.register(receive, selectors.EVENT_READ)
        while (left := until - time.monotonic()) > 0 and len(data) < MOST_BYTES:
            for key, _ in ready.select(left):
                if key.fd == receive:
                    part = os.read(receive, 65536)
                    if not part:
                        return data.split(b"\n")[:-1]
                    data += part
                    continue
                try:
                    rest = rest[os.write(key.fd, rest[:65536]) :]
                except BrokenPipeError:
                    rest = rest[:0]
                if not rest:
                    ready.unregister(process.stdin)
                    with contextlib.suppress(BrokenPipeError):
                        process.stdin.close()
    return data.split(b"\n")[:-1]


def _ran(line: bytes) -> Ran:
    try:
        report = _Report.model_validate_json(line)
    except ValidationError:
        return Ran(status=Status.NO_RESULT)
    failure = next((failure for trace in report.blocks for failure in trace.failures), None)
    if report.late:
        return Ran(status=Status.TIMEOUT, traces=report.blocks)
    if failure is None:
        status = Status.DONE if report.blocks else Status.NO_RESULT
        return Ran(status=status, traces=report.blocks)
    return Ran(
        status=Status.ERROR,
        error_type=failure.types[0] if failure.types else "",
        message=failure.message,
        line=failure.line,
        traces=report.blocks,
    )
