"""How long something has not been used, so that what it holds can be let go."""

from __future__ import annotations

import time
from collections.abc import Callable

IDLE_S = 600.0
"""Seconds without use after which what can be had again is let go: speech models, vectors, interviews' states."""


class LastUse:
    """When something was used last; it counts as used when it is made.

    Args:
        clock: seconds that only go up.

    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._at = clock()

    def note(self) -> None:
        """It is used now."""
        self._at = self._clock()

    def idle(self, seconds: float) -> bool:
        """Whether it has not been used for so many seconds."""
        return self._clock() - self._at >= seconds
