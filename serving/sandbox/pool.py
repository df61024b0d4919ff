"""Workers that have already imported torch and wait for one job each: a job starts in milliseconds."""

from __future__ import annotations

import contextlib
import io
import json
import os
import selectors
import shutil
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from pydantic import ConfigDict

from serving.errors import SandboxMissingError
from serving.frozen import Frozen
from serving.sandbox.command import command
from serving.sandbox.inside import wire
from serving.sandbox.runner import missing

INSIDE = Path(__file__).parent / "inside"
WORKER = INSIDE / "worker.py"

START_S = 60.0
"""Seconds a worker may take to import torch, on a busy machine."""

MEMORY = 4 * 1024**3
MOST_REPORTED = 64 * 1024 * 1024
MOST_PRINTED = 64 * 1024


class Test(Frozen):
    """One test to run.

    Attributes:
        name: of the function.
        dtype: of its inputs, ``float32`` for example.
        seed: of its inputs.

    """

    name: str
    dtype: str
    seed: int


class Job(Frozen):
    """A program and the tests to run on it.

    Attributes:
        source: the program.
        tests: source of the tests.
        names: what the program must define; the tests find it under these names.
        run: which tests, in order.
        device: where the inputs lie.
        seconds: wall clock each test may take.

    """

    source: str
    tests: str
    names: tuple[str, ...]
    run: tuple[Test, ...]
    device: str = "cpu"
    seconds: float = 10.0


class End(StrEnum):
    """How a worker ended."""

    DONE = "done"
    TIMEOUT = "timeout"
    NO_RESULT = "no result"
    """It died, or told something that is no frame."""
    OVERSIZE = "oversize"


class Report(Frozen):
    """What became of a job.

    Attributes:
        end: how the worker ended.
        told: what it told, in order; data of the program's making, to be believed no further than it can be checked.
        printed: what it wrote to its standard output and error, cut at a length.
        seconds: wall clock from the job's start to its end.

    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    end: End
    told: tuple[Any, ...] = ()
    printed: str = ""
    seconds: float = 0.0


class Worker:
    """One process in a sandbox of its own. It takes one job and is then gone."""

    def __init__(self) -> None:
        receive, send = os.pipe()
        printed, prints = os.pipe()
        line = command(shutil.which("bwrap") or "bwrap", [sys.executable, "-I", "-B", str(WORKER), str(send)], (INSIDE,))
        try:
            self._process = subprocess.Popen(
                line, stdin=subprocess.PIPE, stdout=prints, stderr=prints, pass_fds=(send,), env={}, close_fds=True
            )
        except OSError:
            os.close(receive)
            os.close(printed)
            raise
        finally:
            os.close(send)
            os.close(prints)
        self._receive, self._printed = receive, printed
        self._heard, self._said = bytearray(), bytearray()

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def ready(self, seconds: float = START_S) -> bool:
        """Waits until torch is imported; false where that does not happen in time."""
        until = time.monotonic() + seconds
        return self._listen(until, b"", lambda: b"ready" in self._heard) is None

    def do(self, job: Job) -> Report:
        """Has a job done and ends the process, whatever became of it."""
        begun = time.monotonic()
        until = begun + (job.seconds + 0.5) * (len(job.run) + 1)
        end = self._listen(until, words(job), lambda: False)
        seconds = time.monotonic() - begun
        self.close()
        told, whole = told_in(bytes(self._heard))
        told = tuple(value for value in told if not (isinstance(value, dict) and value.keys() == {"ready"}))
        if end is None or (end is End.DONE and not whole):
            end = End.NO_RESULT
        return Report(end=end, told=told, printed=self._said.decode(errors="replace"), seconds=seconds)

    def close(self) -> None:
        """Kills it and everything it started."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
        for descriptor in (self._receive, self._printed):
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def _listen(self, until: float, send: bytes, enough: Callable[[], bool]) -> End | None:
        """Sends and reads side by side until the worker closes its end; ``None`` once it is enough."""
        if self._process.stdin is None:
            raise AssertionError("a worker was started without standard input")
        rest = memoryview(send)
        with selectors.DefaultSelector() as ready:
            ready.register(self._receive, selectors.EVENT_READ)
            ready.register(self._printed, selectors.EVENT_READ)
            if send:
                os.set_blocking(self._process.stdin.fileno(), False)
                ready.register(self._process.stdin, selectors.EVENT_WRITE)
            while (left := until - time.monotonic()) > 0:
                for key, _ in ready.select(left):
                    if key.fd == self._receive:
                        part = os.read(key.fd, 1 << 20)
                        if not part:
                            return End.DONE
                        self._heard += part
                        if len(self._heard) > MOST_REPORTED:
                            return End.OVERSIZE
                        if enough():
                            return None
                    elif key.fd == self._printed:
                        part = os.read(key.fd, 65536)
                        if not part:
                            ready.unregister(key.fd)
                        self._said += part[: MOST_PRINTED - len(self._said)]
                    else:
                        with contextlib.suppress(BrokenPipeError):
                            rest = rest[os.write(key.fd, rest[:65536]) :]
                        if not rest:
                            ready.unregister(self._process.stdin)
        return End.TIMEOUT


class WorkerPool:
    """Keeps spare workers warm. Safe to use from several threads.

    Args:
        spares: how many wait; each holds some 220 MB.

    Raises:
        SandboxMissingError: bubblewrap is not there or may not be used here, and why.

    """

    isolation = "bubblewrap"

    def __init__(self, spares: int = 1) -> None:
        why = missing()
        if why:
            raise SandboxMissingError(why, hint="Install the package bubblewrap to have code executed.")
        self._spares = spares
        self._idle: deque[Worker] = deque()
        self._guard = threading.Lock()
        self._filling = threading.Semaphore(1)
        self._closed = False

    def warm(self) -> None:
        """Starts spares in the background until there are enough."""
        threading.Thread(target=self._fill, name="sandbox-spares", daemon=True).start()

    def run(self, job: Job) -> Report:
        """Has a job done by a spare, or by a new worker where none waits.

        Raises:
            SandboxMissingError: no worker comes up.

        """
        report = self._take().do(job)
        # A spare that was killed while it waited has told nothing but that it was ready.
        if report.end is End.NO_RESULT and not report.told:
            report = self._take().do(job)
        self.warm()
        return report

    def close(self) -> None:
        """Ends all spares; what runs ends by itself."""
        with self._guard:
            self._closed = True
            idle, self._idle = self._idle, deque()
        for worker in idle:
            worker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(self) -> Worker:
        while True:
            with self._guard:
                worker = self._idle.popleft() if self._idle else None
            if worker is None:
                return _started()
            if worker.alive:
                return worker
            worker.close()

    def _fill(self) -> None:
        with self._filling:
            while not self._closed and len(self._idle) < self._spares:
                try:
                    worker = _started()
                except SandboxMissingError:
                    return
                with self._guard:
                    if not self._closed:
                        self._idle.append(worker)
                        continue
                worker.close()


def _started() -> Worker:
    """A worker that is ready.

    Raises:
        SandboxMissingError: it does not come up, twice.

    """
    for _ in range(2):
        try:
            worker = Worker()
        except OSError as error:
            raise SandboxMissingError(f"The sandbox does not start: {error}.") from error
        if worker.ready():
            return worker
        worker.close()
    raise SandboxMissingError(
        "The sandbox does not start: its process ends before it is ready.",
        hint="This machine may be short of memory; close something and submit again.",
    )


def words(job: Job) -> bytes:
    """A job as a worker reads it: one line."""
    data = job.model_dump() | {"memory": MEMORY, "run": [(test.name, test.dtype, test.seed) for test in job.run]}
    return json.dumps(data).encode() + b"\n"


def told_in(data: bytes) -> tuple[tuple[Any, ...], bool]:
    """The values of the frames, and whether the last one says that it is the last."""
    told: list[Any] = []
    try:
        for value in wire.frames(io.BytesIO(data).read):
            told.append(value)
    except wire.Malformed:
        return tuple(told), False
    return tuple(told), bool(told) and isinstance(told[-1], dict) and told[-1].keys() == {"end"}
