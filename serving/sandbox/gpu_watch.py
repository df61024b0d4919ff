"""Looks after a job on a card from outside: a kernel that does not end, and memory that it should not hold."""

from __future__ import annotations

import time
from collections.abc import Callable

from serving.gpu import usage
from serving.sandbox.gpu_access import GpuAccess
from serving.sandbox.memory import tree

SILENT_S = 10.0
"""Seconds beyond a test's own after which a job that says nothing is ended; making a context takes some."""

LOOK_S = 1.0
"""Seconds between looks at what a job holds of the card."""


class GpuWatch:
    """Watches one job. A kernel stops Python's own clock too, and torch's limit of memory the program can take back.

    Args:
        access: what the job has of a card.
        process: its process, whose children count as well.
        seconds: that a test may take.
        clock: seconds that only grow.

    """

    def __init__(
        self, access: GpuAccess, process: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._access, self._process, self._longest, self._clock = access, process, seconds + SILENT_S, clock
        self._heard = self._looked = clock()
        self._room = usage.free(access.visible)

    def hear(self) -> None:
        """Note that the job said something."""
        self._heard = self._clock()

    @property
    def silent(self) -> bool:
        """Whether the job has said nothing for longer than a test may take."""
        return self._clock() - self._heard > self._longest

    def greedy(self) -> bool:
        """Look, if it is time to, whether the job holds more of the card than it may."""
        if self._clock() - self._looked <= LOOK_S:
            return False
        held = usage.held(set(tree(self._process)))
        self._looked = self._clock()
        return held is not None and held > self._access.memory

    def short(self) -> bool:
        """Whether others held so much of the card, before or after the job, that it could not have what it may have."""
        rooms = (self._room, usage.free(self._access.visible))
        return any(room is not None and room < self._access.memory for room in rooms)
