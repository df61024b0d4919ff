"""One score: how near a question is in meaning, how many of the words it has, and its kind. Pure."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from serving.arrays import FloatArray

MEANING = 0.75
"""Weight of the meaning; the words have the rest. Little changes around it (docs/benchmarks/search.md)."""

OTHER_KIND = 0.1
"""What a question loses that is of a kind which the query does not mean."""

CHUNKS = 4
"""Of how many of a question's nearest chunks the mean is its meaning. One alone may be near by chance."""


def fuse(meaning: FloatArray, words: FloatArray, other_kind: npt.NDArray[np.bool_]) -> FloatArray:
    """Scores of questions, at most 1, shape [questions].

    Args:
        meaning: ``mean_of_best`` of each question's cosines to the query, shape [questions].
        words: BM25 of each question, likewise; counted as a share of the best one's, so that the share does not
            depend on filters it has to be that of all questions.
        other_kind: whether each question is of a kind that is not meant, likewise.

    """
    best = float(words.max(initial=0.0))
    share = words / best if best > 0 else words
    return np.asarray(MEANING * meaning + (1 - MEANING) * share - OTHER_KIND * other_kind, dtype=np.float32)


def mean_of_best(values: FloatArray, owners: npt.NDArray[np.int64], size: int) -> FloatArray:
    """Mean of the ``CHUNKS`` best values of each owner, or of all where it has fewer, shape [size]; -1 where none.

    Args:
        values: one for each chunk, shape [chunks].
        owners: whose each chunk is, 0 to ``size`` - 1, shape [chunks].
        size: number of owners.

    """
    order = np.lexsort((-values, owners))
    ordered = owners[order]
    begins = np.flatnonzero(np.diff(ordered, prepend=-1))
    rank = np.arange(len(order)) - np.repeat(begins, np.diff(begins, append=len(order)))
    best = order[rank < CHUNKS]
    sums = np.bincount(owners[best], weights=values[best], minlength=size)
    counts = np.bincount(owners[best], minlength=size)
    return np.where(counts > 0, sums / np.maximum(counts, 1), -1.0).astype(np.float32)
