"""Whisper on shorter windows, for speech that is recognized while it is still going on.

Whisper reads half a minute at a time, and pads what is shorter with silence; on a processor most of the work on a short
piece goes into that silence. Its encoder takes shorter windows as well. It needs some silence behind the speech all the
same: with two seconds of it the last sentence was written again and again, with seven it was not.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from faster_whisper import WhisperModel
from numpy.typing import NDArray

SHORTEST = 1_500
"""Frames of the shortest window, a hundred a second."""

BEHIND = 700
"""Frames of silence behind the speech."""

_SHORT: ContextVar[bool] = ContextVar("short", default=False)


class Whisper(WhisperModel):  # type: ignore[misc]
    """Whisper, on windows as short as can be within ``short_windows``."""

    def encode(self, features: NDArray[np.float32]) -> Any:
        """What the decoder reads of a window.

        Args:
            features: [mel bands, frames], the frames behind the recording's end all zero.

        """
        return super().encode(features[..., : needed(features)] if _SHORT.get() else features)


def needed(features: NDArray[np.float32]) -> int:
    """How many frames of a window are encoded."""
    (there,) = np.nonzero(features.any(axis=0))
    return max(SHORTEST, int(there[-1]) + 1 + BEHIND) if len(there) else SHORTEST


@contextmanager
def short_windows(short: bool = True) -> Iterator[None]:
    """Have the windows of this thread's recordings no longer than they need to be."""
    token = _SHORT.set(short)
    try:
        yield
    finally:
        _SHORT.reset(token)
