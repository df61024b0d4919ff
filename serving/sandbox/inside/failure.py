"""What an exception of a program tells, as data. Stands alone."""

from __future__ import annotations

import contextlib
import traceback
from typing import Any

MOST_TEXT = 600


class TimeUp(BaseException):
    """A test took too long. No ``Exception``, so that a program does not catch it by accident."""


class Tampered(BaseException):
    """An instrument no longer measures what it should."""


class RankError(Exception):
    """A rank of a process group did not return.

    Attributes:
        told: what its exception told, see ``told``.

    """

    def __init__(self, rank: int, told: dict[str, Any]) -> None:
        super().__init__(f"rank {rank}: {told['message']}")
        self.told = {**told, "message": f"rank {rank}: {told['message']}"[:MOST_TEXT]}


def told(error: BaseException, path: str) -> dict[str, Any]:
    """The class, the words, and the deepest line of a file that an exception came through; 0 where it did not."""
    if isinstance(error, RankError):
        return error.told
    line, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == path:
            line = step.tb_lineno
        step = step.tb_next
    if isinstance(error, SyntaxError) and error.filename == path:
        line = error.lineno or 0
    message = "It was still running when the time was up."
    if not isinstance(error, TimeUp):
        with contextlib.suppress(Exception):
            message = "".join(traceback.format_exception_only(error)).strip()
    return {"type": type(error).__name__, "message": message[:MOST_TEXT], "line": line}
