"""A cross-encoder that remembers: most pairs of an answer were pairs of its draft already."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from cachetools import LRUCache

from serving.arrays import FloatArray
from serving.encoders.cross_encoder import RELATIONS, CrossEncoder, Pair

REMEMBERED = 5_000
"""Pairs kept, about 3 MB with their texts."""


class CachedCrossEncoder:
    """Wraps a cross-encoder; safe to use from several threads.

    Args:
        inner: reads the pairs that are new.

    """

    def __init__(self, inner: CrossEncoder) -> None:
        self._inner = inner
        self._known: LRUCache[Pair, FloatArray] = LRUCache(REMEMBERED)
        self._guard = threading.Lock()

    def read(self, pairs: Sequence[Pair]) -> FloatArray:
        """See ``CrossEncoder.read``."""
        with self._guard:
            found: dict[Pair, FloatArray] = {pair: self._known[pair] for pair in pairs if pair in self._known}
        new = [pair for pair in dict.fromkeys(pairs) if pair not in found]
        found.update(zip(new, self._inner.read(new), strict=True))
        with self._guard:
            self._known.update((pair, found[pair]) for pair in new)
        return np.stack([found[pair] for pair in pairs]) if pairs else np.zeros((0, len(RELATIONS)), dtype=np.float32)
