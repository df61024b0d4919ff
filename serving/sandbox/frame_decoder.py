"""Reads what workers told, in a process that may die of it (``decoder_process.py``)."""

from __future__ import annotations

import contextlib
import io
import logging
import subprocess
import sys
import threading
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from serving.errors import SandboxMissingError
from serving.sandbox import decoder_process
from serving.sandbox.inside.frames import MalformedError, OversizeError

DECODE_S = 30.0
"""Seconds that reading one stream may take, on a busy machine; the limits of ``frames.py`` hold it to some two."""

_INSIDE = Path(__file__).parent / "inside"
_ATTEMPTS = 2
"""A process that ends is not always ended by what it read: the machine may have been short of memory."""

_log = logging.getLogger(__name__)


class Reading(StrEnum):
    """How reading a stream ended."""

    COMPLETE = "complete"
    """With the frame that says that it is the last."""
    CUT = "cut"
    """Without it."""
    MALFORMED = "malformed"
    """At what is no frame, or at what ended its reader."""
    OVERSIZE = "oversize"
    """At a limit of ``frames.py``."""


class Decoded(NamedTuple):
    """What a stream told.

    Attributes:
        told: the values of its frames up to where reading ended.
        reading: how it ended.
        why: what is wrong with the next frame; empty where nothing is.

    """

    told: tuple[Any, ...]
    reading: Reading
    why: str = ""


class FrameDecoder:
    """Reads streams of frames. Safe to use from several threads, which take turns.

    One process serves until it dies; then another is started. A stream that ends its reader twice, or takes too long,
    is malformed.

    Args:
        seconds: wall clock that reading one stream may take.

    """

    def __init__(self, seconds: float = DECODE_S) -> None:
        self._seconds = seconds
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Id of the process that reads; ``None`` where none runs."""
        process = self._process
        return None if process is None or process.poll() is not None else process.pid

    def warm(self) -> None:
        """Starts the process, so that the first stream need not wait for it.

        Raises:
            SandboxMissingError: it cannot be started.

        """
        with self._turn:
            if not self._closed:
                self._running()

    def decode(self, data: bytes) -> Decoded:
        """Returns what a stream told.

        Raises:
            SandboxMissingError: the process cannot be started.

        """
        with self._turn:
            try:
                return self._decoded(data)
            finally:
                if self._closed:
                    self._ended()

    def close(self) -> None:
        """Ends the process; where something is read later, another is started for that alone."""
        with self._turn:
            self._closed = True
            self._ended()

    def _decoded(self, data: bytes) -> Decoded:
        for _ in range(_ATTEMPTS):
            process = self._running()
            try:
                return self._asked(process, data)
            except (OSError, EOFError) as error:
                status = self._ended()
                _log.warning("The process that reads %d bytes of frames ended: status %s.", len(data), status)
                if isinstance(error, TimeoutError):
                    return Decoded((), Reading.MALFORMED, "it takes too long to read")
        return Decoded((), Reading.MALFORMED, "it ends its reader")

    def _running(self) -> subprocess.Popen[bytes]:
        """Returns the process, a new one where there is none or it has died."""
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._ended()
        command = [sys.executable, "-I", "-S", "-B", decoder_process.__file__, str(_INSIDE)]
        try:
            # In a session of its own, so that Ctrl-C reaches the parent alone.
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={}, start_new_session=True
            )
        except OSError as error:
            raise SandboxMissingError(f"What was executed cannot be read: {error}.") from error
        return self._process

    def _asked(self, process: subprocess.Popen[bytes], data: bytes) -> Decoded:
        """Has a stream read.

        Raises:
            OSError: the process died.
            EOFError: it died while it answered.
            TimeoutError: it took too long and was killed.

        """
        if process.stdin is None or process.stdout is None:
            raise AssertionError("a decoder was started without pipes")
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(self._seconds, end)
        timer.daemon = True
        timer.start()
        try:
            process.stdin.write(decoder_process.REQUEST.pack(len(data)))
            process.stdin.write(data)
            process.stdin.flush()
            reply = decoder_process.REPLY
            reading, words, length = reply.unpack(_exactly(process.stdout, reply.size))
            why = _exactly(process.stdout, words).decode()
            written = _exactly(process.stdout, length)
        except (OSError, EOFError) as error:
            if late.is_set():
                raise TimeoutError("reading took too long") from error
            raise
        finally:
            timer.cancel()
        told = decoded(written)
        return Decoded(told.told, Reading(decoder_process.READINGS[reading]), why)

    def _ended(self) -> int | None:
        """Ends the process; returns its status, ``None`` where there was none."""
        process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        for pipe in (process.stdin, process.stdout):
            # What could not be sent any more is sent when it is closed.
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        return process.wait()


def decoded(data: bytes) -> Decoded:
    """Returns what a stream told, read here and now: for what trusted code told, and for frames written anew."""
    # Brings torch along: seconds that the page's start would wait for.
    from serving.sandbox.inside import wire  # noqa: PLC0415

    told: list[Any] = []
    try:
        for value in wire.frames(io.BytesIO(data).read):
            told.append(value)
    except OversizeError as error:
        return Decoded(tuple(told), Reading.OVERSIZE, str(error))
    except MalformedError as error:
        return Decoded(tuple(told), Reading.MALFORMED, str(error))
    complete = bool(told) and isinstance(told[-1], dict) and told[-1].keys() == {"end"}
    return Decoded(tuple(told), Reading.COMPLETE if complete else Reading.CUT)


def _exactly(source: Any, length: int) -> bytes:
    data: bytes = source.read(length)
    if len(data) < length:
        raise EOFError("the process ended")
    return data
