"""Workers that have already imported torch and wait for one job each: a job starts in milliseconds."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

from serving.errors import SandboxMissingError
from serving.sandbox.backends import registry
from serving.sandbox.backends.base import WorkerSpec
from serving.sandbox.cgroup import Group, Limits, limited
from serving.sandbox.frame_decoder import FrameDecoder
from serving.sandbox.gpu_access import GpuAccess
from serving.sandbox.gpu_watch import LOOK_S, GpuWatch
from serving.sandbox.inside.frames import LONGEST
from serving.sandbox.job import Job, WorkerOutcome
from serving.sandbox.memory import most_held
from serving.sandbox.report import Report, WorkerOutput, report_of
from serving.sandbox.restrictions import LIMITS, restrictions

INSIDE = Path(__file__).parent / "inside"
WORKER = INSIDE / "worker.py"

START_S = 60.0
"""Seconds a worker may take to import torch, on a busy machine."""

AT_ONCE = max(2, os.cpu_count() or 1)
"""Jobs that run at the same time; more would only fight over the processors, and each holds memory."""

MOST_REPORTED = LONGEST
MOST_PRINTED = 64 * 1024


class Worker:
    """One process in a sandbox of its own. It takes one job and is then gone.

    Attributes:
        backend: what holds it.

    Args:
        gpu: what it gets of a card; ``None`` for nothing.

    Raises:
        OSError: the system does not start it.
        SandboxMissingError: there is no sandbox here.

    """

    def __init__(self, *, gpu: GpuAccess | None = None) -> None:
        self._gpu = gpu
        self.backend = registry.required()
        receive, send = os.pipe()
        printed, prints = os.pipe()
        errors, complains = os.pipe()
        self._group = Group(LIMITS if limited().words else Limits())
        spec = WorkerSpec(
            arguments=("-I", "-B", str(WORKER), str(send)),
            shown=(INSIDE,),
            descriptors=(send,),
            stdin=subprocess.PIPE,
            stdout=prints,
            stderr=complains,
            gpu=gpu,
            group=self._group,
        )
        try:
            self._process = self.backend.launch(spec)
        except OSError:
            for descriptor in (receive, printed, errors):
                os.close(descriptor)
            self._group.close()
            raise
        finally:
            for descriptor in (send, prints, complains):
                os.close(descriptor)
        self._receive, self._heard = receive, bytearray()
        self._held: int | None = None
        self._ready = 0
        self._printed = {printed: bytearray(), errors: bytearray()}

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def ready(self, seconds: float = START_S) -> bool:
        """Waits until torch is imported; false where that does not happen in time."""
        until = time.monotonic() + seconds
        came = self._listen(until, b"", lambda: b"ready" in self._heard) is None
        self._ready = len(self._heard)
        return came

    def do(self, job: Job) -> WorkerOutput:
        """Has a job done and ends the process, whatever became of it."""
        card = self._gpu if job.on_gpu else None
        watch = GpuWatch(card, self._process.pid, job.seconds) if card is not None else None
        begun = time.monotonic()
        before = self._held = most_held(self._process.pid)
        end = self._listen(begun + job.longest, encode_job(job, card), lambda: False, watch)
        held = None if before is None or self._held is None else self._held - before
        seconds = time.monotonic() - begun
        self.close()
        printed, errors = (text.decode(errors="replace") for text in self._printed.values())
        short = watch is not None and watch.short()
        return WorkerOutput(end or WorkerOutcome.DONE, bytes(self._heard), printed, errors, seconds, held, short)

    @property
    def silent(self) -> bool:
        """Whether it has told and printed nothing at all since it was ready."""
        return len(self._heard) <= self._ready and not any(self._printed.values())

    def close(self) -> None:
        """Kills it and everything it started."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
        for descriptor in (self._receive, *self._printed):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self._group.close()

    def _listen(
        self, until: float, send: bytes, enough: Callable[[], bool], watch: GpuWatch | None = None
    ) -> WorkerOutcome | None:
        """Sends and reads side by side until the worker closes its end; ``None`` once it is enough."""
        if self._process.stdin is None:
            raise AssertionError("a worker was started without standard input")
        rest = memoryview(send)
        with selectors.DefaultSelector() as ready:
            ready.register(self._receive, selectors.EVENT_READ)
            for descriptor in self._printed:
                ready.register(descriptor, selectors.EVENT_READ)
            if send:
                os.set_blocking(self._process.stdin.fileno(), False)
                ready.register(self._process.stdin, selectors.EVENT_WRITE)
            while (left := until - time.monotonic()) > 0:
                if watch is not None and (end := _ended(watch)) is not None:
                    return end
                for key, _ in ready.select(left if watch is None else min(left, LOOK_S)):
                    if key.fd == self._receive:
                        end = self._hear(watch)
                        if end is not None or enough():
                            return end
                    elif key.fd in self._printed:
                        part = os.read(key.fd, 65536)
                        if not part:
                            ready.unregister(key.fd)
                        said = self._printed[key.fd]
                        said += part[: MOST_PRINTED - len(said)]
                    else:
                        rest = _sent(key.fd, rest)
                        if not rest:
                            ready.unregister(self._process.stdin)
        return WorkerOutcome.TIMEOUT

    def _hear(self, watch: GpuWatch | None) -> WorkerOutcome | None:
        """Takes what the worker tells next; how it ended, if it did."""
        if watch is not None:
            watch.hear()
        part = os.read(self._receive, 1 << 20)
        self._held = max(most_held(self._process.pid) or 0, self._held or 0)
        self._heard += part
        if len(self._heard) > MOST_REPORTED:
            return WorkerOutcome.OVERSIZE
        return None if part else WorkerOutcome.DONE


def _ended(watch: GpuWatch) -> WorkerOutcome | None:
    """Why a job on a card is ended now; ``None`` where it goes on."""
    if watch.silent:
        return WorkerOutcome.TIMEOUT
    return WorkerOutcome.DEVICE_MEMORY if watch.greedy() else None


def _sent(descriptor: int, rest: memoryview) -> memoryview:
    """What is left to be sent; nothing where nobody listens any more."""
    try:
        return rest[os.write(descriptor, rest[:65536]) :]
    except BrokenPipeError:
        return rest[:0]


class WorkerPool:
    """Keeps spare workers warm. Safe to use from several threads.

    Args:
        spares: how many wait; each holds some 220 MB.
        gpu: what a worker gets of a card; ``None`` for nothing.

    """

    def __init__(self, spares: int = 1, *, gpu: GpuAccess | None = None) -> None:
        self._spares, self._gpu = spares, gpu
        self._idle: deque[Worker] = deque()
        self._changed = threading.Condition()
        self._starting, self._waiting = 0, 0
        self._places = threading.BoundedSemaphore(AT_ONCE)
        self._closed, self._on_card = False, 0
        self._decoder = FrameDecoder()
        # Bubblewrap's --die-with-parent is about the thread that started it, so one lives as long as the pool.
        self._starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sandbox-spares")

    @property
    def isolation(self) -> str:
        """What holds a submission here, and its limits."""
        return registry.described()

    @property
    def uses_card(self) -> bool:
        """Whether a job runs on a card just now."""
        return self._on_card > 0

    def unavailable(self, processes: int) -> str:
        """Why a job of so many processes cannot be done here, and what would help; empty where it can."""
        why = registry.unavailable(processes)
        return f"{why} {registry.REMEDY}" if why else ""

    def warm(self) -> None:
        """Starts spares in the background until there are enough."""
        with self._changed:
            none = self._closed or registry.available() is None
            lacking = 0 if none else self._spares - len(self._idle) - self._starting
            self._starting += max(0, lacking)
            for _ in range(lacking):
                self._starter.submit(self._add)

    def run(self, job: Job) -> Report:
        """Has a job done by a spare, or by a new worker where none waits or is about to.

        Raises:
            SandboxMissingError: neither bubblewrap nor Landlock can be used here, or bubblewrap cannot and the job
                consists of several processes, or no worker comes up.

        """
        return report_of(self.output(job), self._decoder).model_copy(update={"isolation": self.isolation})

    def output(self, job: Job) -> WorkerOutput:
        """Does the same, and reads nothing of what the job told.

        Raises:
            SandboxMissingError: as ``run``.

        """
        registry.required(job.processes)
        with self._places, self._counted(job):
            worker = self._take()
            output = worker.do(job)
            # It was killed before it began.
            if output.end is WorkerOutcome.DONE and worker.silent:
                output = self._take().do(job)
        self.warm()
        return output

    def close(self) -> None:
        """Ends all spares; what runs ends by itself."""
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, deque()
            self._changed.notify_all()
        for worker in idle:
            worker.close()
        self._decoder.close()
        self._starter.shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _counted(self, job: Job) -> Iterator[None]:
        """Counts a job on a card while it runs."""
        with self._changed:
            self._on_card += job.on_gpu
        try:
            yield
        finally:
            with self._changed:
                self._on_card -= job.on_gpu

    def _take(self) -> Worker:
        while (worker := self._spare()) is not None:
            # Which walls can be had may have changed since it was started.
            if worker.alive and worker.backend is registry.available():
                return worker
            worker.close()
        return _started(self._gpu)

    def _spare(self) -> Worker | None:
        """A worker that waits, or one that is about to."""
        with self._changed:
            self._waiting += 1
            while not self._idle and self._starting >= self._waiting and not self._closed:
                self._changed.wait(START_S)
            self._waiting -= 1
            return self._idle.popleft() if self._idle else None

    def _add(self) -> None:
        worker = None
        with contextlib.suppress(SandboxMissingError):
            self._decoder.warm()
            worker = _started(self._gpu)
        with self._changed:
            self._starting -= 1
            if worker is not None and not self._closed:
                self._idle.append(worker)
                worker = None
            self._changed.notify_all()
        if worker is not None:
            worker.close()


def _started(gpu: GpuAccess | None) -> Worker:
    """A worker that is ready.

    Raises:
        SandboxMissingError: it does not come up, twice.

    """
    for _ in range(2):
        try:
            worker = Worker(gpu=gpu)
        except OSError as error:
            raise SandboxMissingError(f"The sandbox does not start: {error}.") from error
        if worker.ready():
            return worker
        worker.close()
    raise SandboxMissingError(
        "The sandbox does not start: its process ends before it is ready.",
        hint="This machine may be short of memory; close something and submit again.",
    )


def encode_job(job: Job, card: GpuAccess | None = None) -> bytes:
    """A job as a worker reads it, with the limits of its processes: one line."""
    own = restrictions(job.processes, gpu=job.on_gpu, device_memory=card.memory if card else None)
    return json.dumps(job.model_dump() | {"restrictions": own}).encode() + b"\n"
