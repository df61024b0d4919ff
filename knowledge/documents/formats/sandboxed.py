"""A document read in a process of its own, in a sandbox, which may not outgrow its memory nor its time.

The process sees the system, the interpreter and our own code; no other file, no network, and it starts nothing. Where
neither bubblewrap nor Landlock can be used it sees files as this program does, but still may neither write, connect
nor start anything. The document goes in on stdin, one JSON document comes back on stdout; nothing that comes back is
executed.
"""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

from pydantic import ValidationError

from knowledge.documents.formats.result import MAX_TEXT, ConversionRefused, ConvertedDocument, UnusableError
from serving.frozen import FrozenModel
from serving.sandbox.backends import registry
from serving.sandbox.backends.base import WorkerSpec
from serving.sandbox.backends.filter_only import FilterOnly
from serving.sandbox.process import SandboxedProcess
from serving.sandbox.restrictions import LIMITS, reading_only

COMMAND = ("-m", "knowledge.documents.formats")
"""What the interpreter runs."""

_ROOT = Path(__file__).parents[3]
_SHOWN = ("knowledge", "rubric", "serving")
"""Packages of ours that it may read."""

MOST_CONVERTED = 256 * 2**20
"""Bytes that it may hand over."""


class Limits(FrozenModel):
    """What reading one document may take.

    Attributes:
        memory: bytes of address space.
        cpu_s: seconds of computing.
        wall_s: seconds on the clock.
        text: characters of text that it may hold.

    """

    memory: int = 2 * 2**30
    cpu_s: int = 240
    wall_s: float = 300.0
    text: int = MAX_TEXT


def convert(data: bytes, converter: str, limits: Limits = Limits()) -> ConvertedDocument:  # noqa: B008 - frozen
    """A document, converted.

    Args:
        data: the file's bytes.
        converter: ``module:function``, as ``knowledge.documents.formats.registry`` names it.
        limits: what reading it may take.

    Raises:
        UnusableError: it cannot be used, or takes more than it may.

    """
    worker = WorkerSpec(
        arguments=("-B", *COMMAND, converter, json.dumps(reading_only(limits.memory, limits.cpu_s))),
        shown=tuple(_ROOT / name for name in _SHOWN),
        folder=_ROOT,
    )
    begun = time.monotonic()
    try:
        process = SandboxedProcess(registry.available() or FilterOnly(), worker, LIMITS, output="stdout")
    except OSError as error:
        raise UnusableError(f"cannot be read: its reader does not start ({error})") from error
    with process:
        written, in_time = process.everything(data, begun + limits.wall_s, MOST_CONVERTED)
        status = process.status(begun + limits.wall_s - time.monotonic()) if in_time else None
        if len(written) > MOST_CONVERTED:
            raise UnusableError("holds too much to be read", "Split it, or save it as plain text or Markdown.")
        if status is None:
            raise _too_slow(limits.wall_s)
    # The first process of a namespace does not see the signal that asks it to end.
    if status == -signal.SIGXCPU or (status == -signal.SIGKILL and time.monotonic() - begun >= limits.cpu_s):
        raise _too_slow(limits.cpu_s)
    if status < 0:
        raise UnusableError(f"ended its reader with signal {-status}", "It is damaged, or made to do harm.")
    return _converted(status, written, process.errors)


def _converted(status: int, written: bytes, errors: str) -> ConvertedDocument:
    try:
        if status == 0:
            return ConvertedDocument.model_validate_json(written)
        refused = ConversionRefused.model_validate_json(written)
    except ValidationError:
        last = errors.strip().split("\n")[-1]
        raise UnusableError(f"cannot be read: its reader ended with status {status} ({last[:200]})") from None
    raise UnusableError(refused.why, refused.hint)


def _too_slow(seconds: float) -> UnusableError:
    return UnusableError(
        f"takes too long to read: more than {seconds:.0f} seconds", "Split it, or save it as plain text or Markdown."
    )
