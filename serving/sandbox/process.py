"""A sandboxed process that is given some bytes and asked for some, within a time and a size."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Self

from serving.sandbox.backends.base import SandboxBackend, WorkerSpec
from serving.sandbox.cgroup import Group, Limits, limited

MOST_COMPLAINED = 64 * 1024
"""Bytes of standard error that are kept."""

_CHUNK = 1 << 16

# Bubblewrap's --die-with-parent is about the thread that started it, so one lives as long as this program.
_starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sandbox")


class SandboxedProcess:
    """A process in a sandbox and a control group of its own, which reads standard input and writes to pipes.

    Attributes:
        alive: whether it still runs.
        errors: what it wrote to standard error so far, cut at a length.

    Args:
        backend: what starts it.
        worker: what is started; its standard input and error, and whichever output is named, become pipes.
        limits: of its control group, where there can be one.
        output: "stdout", or "descriptor" for a pipe whose number is appended to the arguments.

    Raises:
        OSError: the system does not start it.

    """

    def __init__(
        self, backend: SandboxBackend, worker: WorkerSpec, limits: Limits, *, output: str = "descriptor"
    ) -> None:
        self._group = Group(limits if limited().words else Limits())
        self._receive, send = os.pipe()
        self._complaints, complains = os.pipe()
        changes: dict[str, object] = {"stdin": subprocess.PIPE, "stderr": complains, "group": self._group}
        if output == "stdout":
            changes["stdout"] = send
        else:
            changes |= {"arguments": (*worker.arguments, str(send)), "descriptors": (*worker.descriptors, send)}
        try:
            self._process = _starter.submit(backend.launch, worker.model_copy(update=changes)).result()
        except BaseException:
            self._close_pipes()
            self._group.close()
            raise
        finally:
            os.close(send)
            os.close(complains)
        self._heard, self._complained = bytearray(), bytearray()

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    @property
    def errors(self) -> str:
        """What it wrote to standard error so far, cut at a length."""
        return self._complained.decode(errors="replace")

    def line(self, send: bytes, until: float, most: int) -> bytes | None:
        """Sends bytes and returns the next line that comes back, without its end.

        Args:
            send: for its standard input, which stays open.
            until: the moment, by ``time.monotonic``, after which it is not waited for.
            most: bytes of the line.

        Returns:
            ``None`` where it ended, is late, or wrote more than it may.

        """
        if not self._exchange(send, until, lambda: b"\n" in self._heard or len(self._heard) > most):
            return None
        found, end, rest = bytes(self._heard).partition(b"\n")
        self._heard = bytearray(rest)
        return found if end and len(found) <= most else None

    def everything(self, send: bytes, until: float, most: int) -> tuple[bytes, bool]:
        """Sends bytes, closes its standard input, and returns all that it writes, and whether it ended in time.

        Args:
            send: for its standard input.
            until: the moment, by ``time.monotonic``, after which it is not waited for.
            most: bytes that are read before it is ended.

        """
        in_time = self._exchange(send, until, lambda: len(self._heard) > most, close=True)
        return bytes(self._heard), in_time

    def status(self, seconds: float) -> int | None:
        """Returns its exit status, negative for a signal; ``None`` where it does not end in time."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._process.wait(seconds)
            # Bubblewrap tells of a signal as shells do.
            return 128 - code if code > 128 else code
        return None

    def close(self) -> None:
        """Kills it and everything it started."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
        self._close_pipes()
        self._group.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _close_pipes(self) -> None:
        for descriptor in (self._receive, self._complaints):
            if descriptor >= 0:
                os.close(descriptor)
        self._receive = self._complaints = -1

    def _exchange(self, send: bytes, until: float, enough: Callable[[], bool], *, close: bool = False) -> bool:
        """Writes and reads side by side, so that neither side waits for the other, until it is enough.

        Returns:
            Whether what was waited for came in time: enough, or with ``close`` the end of what it writes.

        """
        if self._process.stdin is None:
            raise AssertionError("a sandboxed process was started without standard input")
        stdin, rest = self._process.stdin, memoryview(send)
        os.set_blocking(stdin.fileno(), False)
        with selectors.DefaultSelector() as ready:
            ready.register(self._receive, selectors.EVENT_READ)
            ready.register(self._complaints, selectors.EVENT_READ)
            if send or close:
                ready.register(stdin, selectors.EVENT_WRITE)
            while (left := until - time.monotonic()) > 0:
                if enough():
                    return True
                for key, _ in ready.select(left):
                    if key.fd == self._receive:
                        part = os.read(self._receive, _CHUNK)
                        self._heard += part
                        if not part:
                            return close or enough()
                        continue
                    if key.fd == self._complaints:
                        part = os.read(self._complaints, _CHUNK)
                        self._complained += part[: MOST_COMPLAINED - len(self._complained)]
                        if not part:
                            ready.unregister(self._complaints)
                        continue
                    rest = _sent(key.fd, rest)
                    if not rest:
                        ready.unregister(stdin)
                        if close:
                            with contextlib.suppress(BrokenPipeError):
                                stdin.close()
        return False


def _sent(descriptor: int, rest: memoryview) -> memoryview:
    """What is left to be sent; nothing where nobody listens any more."""
    try:
        return rest[os.write(descriptor, rest[:_CHUNK]) :]
    except BrokenPipeError:
        return rest[:0]
