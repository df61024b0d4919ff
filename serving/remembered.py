"""Rows of numbers that were computed are remembered, each by what it was computed from."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from cachetools import TTLCache

from serving.arrays import FloatArray
from serving.idle import IDLE_S

Key = TypeVar("Key", bound=Hashable)


class RememberedRows(Generic[Key]):
    """The rows used last. Safe to use from several threads.

    What has not been used for a while is forgotten with the next row that is new. So one person's interviews hold what
    one of them needs, however many follow each other, and many people at once hold up to ``most``.

    Args:
        most: rows kept.
        clock: seconds that only go up.

    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._known: TTLCache[Key, FloatArray] = TTLCache(most, ttl=IDLE_S, timer=clock)
        self._guard = threading.Lock()

    def rows(self, keys: Sequence[Key], compute: Callable[[list[Key]], FloatArray]) -> list[FloatArray]:
        """The row of each key, in the keys' order.

        Args:
            keys: may hold the same one several times.
            compute: gives the rows of keys that are new, [n, …]; not called where none is.

        """
        with self._guard:
            # Stored again, they count as used now.
            found = {key: row for key in keys if (row := self._known.get(key)) is not None}
            self._known.update(found)
        new = [key for key in dict.fromkeys(keys) if key not in found]
        if new:
            # A view would hold all rows that were computed with it.
            found.update((key, row.copy()) for key, row in zip(new, compute(new), strict=True))
            with self._guard:
                self._known.update((key, found[key]) for key in new)
        return [found[key] for key in keys]
