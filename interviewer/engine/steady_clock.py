"""The time of day, without the jumps of the machine's clock.

A clock that is put forward by hours would use up the time of every interview that is being held, and one that is put
back would stop it. Time therefore goes on as the machine's uptime does, and comes back to the time of day slowly.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from interviewer.session.clock import LONGEST_GAP_S

SLEW = 0.05
"""Seconds by which a second may be longer or shorter than it should, until the time of day is right again."""


def _wall() -> datetime:
    return datetime.now(UTC)


def _uptime() -> float:
    """Seconds since the machine was started, those in which it was suspended included."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class SteadyClock:
    """Tells the time in UTC; safe to use from several threads.

    Args:
        wall: the machine's clock.
        uptime: seconds that only grow, and pass as time does.

    """

    def __init__(self, wall: Callable[[], datetime] = _wall, uptime: Callable[[], float] = _uptime) -> None:
        self._wall = wall
        self._uptime = uptime
        self._lock = threading.Lock()
        self._told, self._asked_at = wall(), uptime()

    def __call__(self) -> datetime:
        """Returns the time of day; after a jump of the machine's clock, one that differs from it for a while."""
        with self._lock:
            wall, now = self._wall(), self._uptime()
            passed = max(now - self._asked_at, 0.0)
            if passed >= LONGEST_GAP_S:
                # As long a silence counts as no longer than this in any interview.
                told = wall
            else:
                expected, most = self._told + timedelta(seconds=passed), timedelta(seconds=SLEW * passed)
                told = expected + min(max(wall - expected, -most), most)
            self._told, self._asked_at = told, now
            return told
