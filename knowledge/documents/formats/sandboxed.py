"""A document read in a process of its own, which may not outgrow its memory nor its time.

The document goes in on stdin, one JSON document comes back on stdout; nothing that comes back is executed.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from pydantic import ValidationError

from knowledge.documents.formats.result import MAX_TEXT, Converted, Refused, UnusableError
from serving.frozen import Frozen

COMMAND = ("-m", "knowledge.documents.formats")
"""What the interpreter runs."""

_ROOT = Path(__file__).parents[3]


class Limits(Frozen):
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


def convert(data: bytes, form: str, limits: Limits = Limits()) -> Converted:  # noqa: B008 - frozen
    """A document, converted.

    Args:
        data: the file's bytes.
        form: one of ``knowledge.documents.formats.registry.FORMATS``.
        limits: what reading it may take.

    Raises:
        UnusableError: it cannot be used, or takes more than it may.

    """
    command = [sys.executable, *COMMAND, form, str(limits.memory), str(limits.cpu_s)]
    try:
        # In a session of its own, so that Ctrl-C reaches the parent alone, which then ends the child.
        done = subprocess.run(
            command,
            input=data,
            capture_output=True,
            timeout=limits.wall_s,
            cwd=_ROOT,
            start_new_session=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _too_slow(limits.wall_s) from None
    if done.returncode == -signal.SIGXCPU:
        raise _too_slow(limits.cpu_s)
    if done.returncode < 0:
        raise UnusableError(f"ended its reader with signal {-done.returncode}", "It is damaged, or made to do harm.")
    try:
        if done.returncode == 0:
            return Converted.model_validate_json(done.stdout)
        refused = Refused.model_validate_json(done.stdout)
    except ValidationError:
        last = done.stderr.decode(errors="replace").strip().split("\n")[-1]
        raise UnusableError(f"cannot be read: its reader ended with status {done.returncode} ({last[:200]})") from None
    raise UnusableError(refused.why, refused.hint)


def _too_slow(seconds: float) -> UnusableError:
    return UnusableError(
        f"takes too long to read: more than {seconds:.0f} seconds", "Split it, or save it as plain text or Markdown."
    )
