"""A cross-encoder that remembers: most pairs of an answer were pairs of its draft already."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from serving.arrays import FloatArray
from serving.encoders.cross_encoder import RELATIONS, CrossEncoder, Pair
from serving.remembered import RememberedRows

REMEMBERED = 5_000
"""Pairs kept, about 3 MB with their texts."""


class CachedCrossEncoder:
    """Wraps a cross-encoder; safe to use from several threads.

    Args:
        inner: reads the pairs that are new.

    """

    def __init__(self, inner: CrossEncoder) -> None:
        self._inner = inner
        self._known: RememberedRows[Pair] = RememberedRows(REMEMBERED)

    def read(self, pairs: Sequence[Pair]) -> FloatArray:
        """See ``CrossEncoder.read``."""
        rows = self._known.rows(pairs, self._inner.read)
        return np.stack(rows) if rows else np.zeros((0, len(RELATIONS)), dtype=np.float32)
