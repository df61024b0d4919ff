"""The words of an answer that a verdict rests on.

Evidence is selected among the answer's own sentences and never written, so a quotation that the person did not
say cannot exist.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

import numpy as np

from rubric.model import Span
from serving.arrays import FloatArray

END = re.compile(r"(?<=[.!?;])\s+|(?<=[.!?;][\"')\]])\s+|\n+")
"""Where a sentence may end: after its mark, or at a line's end."""

LONG = 220
"""Characters after which a sentence without a full stop is cut at a comma: recognizers leave full stops out."""

COMMA = re.compile(r"(?<=,)\s+|\s+(?=(?:and|but|so|because|then|which)\b)")


def sentences(answer: str) -> list[Span]:
    """The sentences of an answer, in order, as spans without surrounding space.

    A run of words without a full stop is cut at commas and conjunctions so that no piece is much longer than
    ``LONG`` characters where it can be helped. Every character that is no space is in exactly one span.
    """
    spans: list[Span] = []
    for start, end in _pieces(answer, 0, len(answer), END):
        spans += _short(answer, start, end)
    return spans


def settled(text: str) -> str:
    """A text that is still growing without its last sentence, unless that has its full stop."""
    spans = sentences(text)
    if not spans or text.rstrip().endswith((".", "!", "?")):
        return text
    return text[: spans[-2][1]] if len(spans) > 1 else ""


def _pieces(text: str, start: int, end: int, pattern: re.Pattern[str]) -> list[Span]:
    edges = [start]
    for match in pattern.finditer(text, start, end):
        edges += [match.start(), match.end()]
    edges.append(end)
    pieces = (_stripped(text, edges[i], edges[i + 1]) for i in range(0, len(edges), 2))
    return [(a, b) for a, b in pieces if b > a]


def _stripped(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return start + left, start + len(piece.rstrip())


def _short(text: str, start: int, end: int) -> list[Span]:
    if end - start <= LONG:
        return [(start, end)]
    merged: list[Span] = []
    for a, b in _pieces(text, start, end, COMMA):
        if merged and b - merged[-1][0] <= LONG:
            merged[-1] = (merged[-1][0], b)
        else:
            merged.append((a, b))
    return merged


def windows(spans: Sequence[Span]) -> list[Span]:
    """Each sentence alone and each pair of neighbors: a point is often made in two sentences."""
    return [*spans, *((a[0], b[1]) for a, b in itertools.pairwise(spans))]


def select(spans: Sequence[Span], closeness: FloatArray, *, most: int = 2, margin: float = 0.04) -> tuple[Span, ...]:
    """The spans that a verdict rests on: the closest, and a second one that is nearly as close.

    Args:
        spans: sentences of the answer.
        closeness: how close each is to what is looked for, [sentences].
        most: most spans to select.
        margin: how much less close than the first a further one may be.

    Returns:
        At least one span when there is any sentence, in the order of the answer.
    """
    if not spans:
        return ()
    order = np.argsort(-closeness, kind="stable")[:most]
    best = float(closeness[order[0]])
    return tuple(sorted(spans[int(i)] for i in order if float(closeness[i]) >= best - margin))
