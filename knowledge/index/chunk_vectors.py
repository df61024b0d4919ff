"""The vectors of an index as searches use them: all as they are, or, where there are many, rounded to 8 bits a number.

Rounded ones take a quarter of the memory. For the bank's 608 queries recall@1 and recall@5 are the same to the last
query; one scale for all dimensions, 6 bits, or 4 bits lose some (docs/benchmarks/search-index.md).
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import faiss
import numpy as np
import numpy.typing as npt

from serving.arrays import FloatArray

EXACT = 50_000
"""Most vectors that are kept as they are: 77 MB of them. More are rounded."""

MANY = 10_000
"""Of fewer all are looked at at once, which takes no longer."""

NEAREST = 1_000
"""Chunks that are looked for first in more; which other questions may be as good is told from the last one's cosine."""

_AT_ONCE = 50_000
"""Rows of a file that are in memory at once."""

Rows = npt.NDArray[np.int64]


class Nearest(NamedTuple):
    """The rows that are nearest to a query.

    Attributes:
        rows: their numbers, in no order.
        floor: no other row has a greater cosine; -1 where there is no other row.

    """

    rows: Rows
    floor: float


class ChunkVectors(Protocol):
    """Vectors of length 1, which have a number each, from 0."""

    def nearest(self, query: FloatArray, count: int) -> Nearest:
        """The ``count`` rows that are nearest to a query, shape [dim]; all where there are no more."""
        ...

    def cosines(self, query: FloatArray, rows: Rows) -> FloatArray:
        """The cosine of each of some rows to a query, shape [rows].

        Args:
            query: of length 1, shape [dim].
            rows: their numbers.

        """
        ...


class ExactVectors:
    """Vectors as they are.

    Args:
        rows: shape [chunks, dim].

    """

    def __init__(self, rows: FloatArray) -> None:
        self._rows = rows

    def nearest(self, query: FloatArray, count: int) -> Nearest:
        """See ``ChunkVectors``."""
        if count >= len(self._rows):
            return Nearest(np.arange(len(self._rows)), -1.0)
        values = self._rows @ query
        best = np.argpartition(-values, count - 1)[:count]
        return Nearest(best, float(values[best].min()))

    def cosines(self, query: FloatArray, rows: Rows) -> FloatArray:
        """See ``ChunkVectors``."""
        # To copy many rows costs more than to multiply those that nobody asked for.
        many = 4 * len(rows) > len(self._rows)
        return np.asarray((self._rows @ query)[rows] if many else self._rows[rows] @ query, dtype=np.float32)


class RoundedVectors:
    """Vectors rounded to 8 bits a number, each dimension between the least and the greatest that it has.

    Args:
        rows: shape [chunks, dim], at least one; may be a file's, of which only a part is in memory at once.

    """

    def __init__(self, rows: FloatArray) -> None:
        parts = [rows[start : start + _AT_ONCE] for start in range(0, len(rows), _AT_ONCE)]
        low = np.min([part.min(axis=0) for part in parts], axis=0)
        high = np.max([part.max(axis=0) for part in parts], axis=0)
        self._codes = faiss.IndexScalarQuantizer(
            rows.shape[1], faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT
        )
        # It learns each dimension's range from what it is given: these two rows have it.
        self._codes.train(np.stack([low, high]).astype(np.float32))
        for part in parts:
            self._codes.add(np.array(part, dtype=np.float32))

    def nearest(self, query: FloatArray, count: int) -> Nearest:
        """See ``ChunkVectors``."""
        values, found = self._codes.search(query[None], min(count, self._codes.ntotal))
        return Nearest(found[0], float(values[0, -1]) if count < self._codes.ntotal else -1.0)

    def cosines(self, query: FloatArray, rows: Rows) -> FloatArray:
        """See ``ChunkVectors``."""
        values = [self._codes.reconstruct_batch(rows[n : n + _AT_ONCE]) @ query for n in range(0, len(rows), _AT_ONCE)]
        return np.concatenate([np.zeros(0, dtype=np.float32), *values])


def of_rows(rows: FloatArray) -> ChunkVectors:
    """What searches use of an index's rows, shape [chunks, dim]: exact ones, or rounded ones where there are many."""
    return ExactVectors(rows) if len(rows) <= EXACT else RoundedVectors(rows)
