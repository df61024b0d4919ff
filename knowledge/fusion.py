"""One score out of two: how near a question is in meaning, and how many of the query's words it has. Pure."""

from __future__ import annotations

import numpy as np

from serving.clients import FloatArray

MEANING = 0.75
"""Weight of the meaning; the words have the rest. Between .65 and .85 little changes. Reciprocal rank fusion, which
throws away how near and how many, found fewer questions first (docs/benchmarks.md)."""


def fuse(meaning: FloatArray, words: FloatArray) -> FloatArray:
    """Scores of questions, at most 1, shape [questions].

    Args:
        meaning: cosine of the query and each question's nearest chunk, shape [questions].
        words: BM25 of each question, likewise; counted as a share of the best one's, so that the share does not
            depend on filters it has to be that of all questions.

    """
    best = float(words.max(initial=0.0))
    share = words / best if best > 0 else words
    return np.asarray(MEANING * meaning + (1 - MEANING) * share, dtype=np.float32)
