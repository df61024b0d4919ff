"""The sentences of an answer that a criterion is read beside, chosen by the fitted sentence encoder. Pure.

Of the words that labels rest on (259 points of answers that are fitted to) the three sentences nearest to a criterion
or its statements hold 84 % in 62 words. A point is often made in two sentences of which one alone says little, so a
sentence counts as well by what it says together with its neighbor: then three hold 87 %. The statements add nothing to
that; up to four sentences, as many as are nearly as near as the nearest, hold 90 % in 64 words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rubric.model import Span
from serving.arrays import FloatArray

MOST = 4
"""Sentences that are read, at most."""

MARGIN = 0.16
"""How much less near than the nearest a sentence that is read may be (cosine)."""

WIDE_MOST, WIDE_MARGIN = 7, 0.3
"""The same of a second, wider reading. The mean of both tells more than either: on answers of other writers the area
under the curve of credit rises from .902 to .913, of contradiction from .911 to .943 ("Read twice" in
docs/benchmarks/judge-history.md)."""

ALONE = 0.4
"""Weight of a sentence by itself in the mean with a pair of neighbors that it belongs to."""

JOINT = "\n"
"""Between sentences that are read."""


def nearness(similar: FloatArray, count: int) -> FloatArray:
    """How near each sentence of an answer is to a criterion, [sentences].

    A sentence counts by itself, or by the mean of itself and a pair of neighbors that it belongs to, if that is more.

    Args:
        similar: of each sentence, then of each pair of neighbors, to the criterion's text (cosine), [excerpts].
        count: sentences; at least one.

    """
    alone, pairs = similar[:count], similar[count:]
    best: FloatArray = alone.copy()
    best[:-1] = np.maximum(best[:-1], ALONE * alone[:-1] + (1 - ALONE) * pairs)
    best[1:] = np.maximum(best[1:], ALONE * alone[1:] + (1 - ALONE) * pairs)
    return best


def nearest(
    spans: Sequence[Span],
    near: FloatArray,
    *,
    most: int = MOST,
    margin: float = MARGIN,
    without: frozenset[int] = frozenset(),
) -> tuple[int, ...]:
    """Numbers of the sentences to read, in the answer's order.

    Args:
        spans: sentences of the answer.
        near: how near each is, [sentences].
        most: sentences to choose.
        margin: how much less near than the nearest one a further one may be.
        without: sentences that are not to be chosen.

    """
    left = [number for number in np.argsort(-near, kind="stable") if int(number) not in without][:most]
    return tuple(sorted(int(number) for number in left if near[number] >= near[left[0]] - margin)) if spans else ()


def text_of(answer: str, spans: Sequence[Span], chosen: Sequence[int]) -> str:
    """The chosen sentences, a line each."""
    return JOINT.join(answer[start:end] for start, end in (spans[number] for number in chosen))


def excerpts(answer: str, spans: Sequence[Span], similar: FloatArray) -> tuple[str, ...]:
    """The sentences of an answer that a criterion is read beside, a line each: the nearest ones, then more of them.

    Args:
        answer: its text.
        spans: its sentences; at least one.
        similar: as ``nearness`` takes them.

    Returns:
        One excerpt where the wider one holds no more.

    """
    near = nearness(similar, len(spans))
    chosen = nearest(spans, near), nearest(spans, near, most=WIDE_MOST, margin=WIDE_MARGIN)
    return tuple(text_of(answer, spans, each) for each in dict.fromkeys(chosen))
