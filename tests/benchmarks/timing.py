"""How long something takes."""

from __future__ import annotations

import time
from collections.abc import Callable


def seconds(work: Callable[[], object]) -> float:
    """Wall-clock seconds of one call."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
