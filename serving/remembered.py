"""Rows of numbers that were computed are remembered, each by what it was computed from."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from cachetools import LRUCache

from serving.arrays import FloatArray

Key = TypeVar("Key", bound=Hashable)


class RememberedRows(Generic[Key]):
    """The rows used last. Safe to use from several threads.

    Args:
        most: rows kept.

    """

    def __init__(self, most: int) -> None:
        self._known: LRUCache[Key, FloatArray] = LRUCache(most)
        self._guard = threading.Lock()

    def rows(self, keys: Sequence[Key], compute: Callable[[list[Key]], FloatArray]) -> list[FloatArray]:
        """The row of each key, in the keys' order.

        Args:
            keys: may hold the same one several times.
            compute: gives the rows of keys that are new, [n, …]; not called where none is.

        """
        with self._guard:
            found: dict[Key, FloatArray] = {key: self._known[key] for key in keys if key in self._known}
        new = [key for key in dict.fromkeys(keys) if key not in found]
        if new:
            found.update(zip(new, compute(new), strict=True))
            with self._guard:
                self._known.update((key, found[key]) for key in new)
        return [found[key] for key in keys]
