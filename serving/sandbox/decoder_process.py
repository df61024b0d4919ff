"""A process that reads the frames of workers, so that frames which crash, stall or fill their reader end this alone.

Requests come on standard input, replies go to standard output. A reply holds the frames written anew: of what a
program under test wrote, no byte reaches whoever asked. Stands alone, and needs the standard library only, so that it
starts in some 20 ms and holds some 10 MB.
"""

from __future__ import annotations

import gc
import importlib
import io
import resource
import struct
import sys
from typing import Any

REQUEST = struct.Struct(">Q")
"""Length of the stream that follows."""

REPLY = struct.Struct(">BIQ")
"""Index into ``READINGS``, length of a message, length of the frames; both follow."""

READINGS = ("complete", "cut", "malformed", "oversize")
"""How reading a stream ended: with the frame that says "end", without it, at what is no frame, at a limit."""

MEMORY = 2**30
"""Bytes this process may take."""


def serve(inside: str) -> None:
    """Answers requests until standard input ends.

    Args:
        inside: the folder in which ``frames.py`` lies.

    """
    for what, most in ((resource.RLIMIT_DATA, MEMORY), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0)):
        resource.setrlimit(what, (most, most))
    # What is read makes no cycles, and counting its objects again and again takes longer than reading.
    gc.disable()
    sys.path.insert(0, inside)
    frames: Any = importlib.import_module("frames")
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    while len(start := requests.read(REQUEST.size)) == REQUEST.size:
        reading, message, written = _read(frames, requests.read(*REQUEST.unpack(start)))
        words = message.encode("utf-8", "replace")
        replies.write(REPLY.pack(READINGS.index(reading), len(words), sum(map(len, written))))
        for part in (words, *written):
            replies.write(part)
        replies.flush()


def _read(frames: Any, data: bytes) -> tuple[str, str, list[bytes]]:
    """Returns how reading a stream ended, why, and its frames up to there."""
    written: list[bytes] = []
    last = None
    try:
        for last in frames.frames(io.BytesIO(data).read):
            written.append(frames.pack(last, _nothing_else))
    except frames.OversizeError as error:
        return "oversize", str(error), written
    except frames.MalformedError as error:
        return "malformed", str(error), written
    except MemoryError:
        return "oversize", "the frames take more memory than they may", written
    complete = isinstance(last, dict) and last.keys() == {"end"}
    return "complete" if complete else "cut", "", written


def _nothing_else(value: Any) -> Any:
    raise AssertionError(f"a frame was read as a {type(value).__name__}")


if __name__ == "__main__":
    serve(sys.argv[1])
