"""An answer cut into stretches with the same evidence all over. Pure."""

from __future__ import annotations

from itertools import pairwise

from interviewer.report.schema.question import Mark, Turn
from serving.frozen import FrozenModel

_FOLD_AFTER = 6_000
"""Characters of an answer that are shown before the rest has to be unfolded."""


class Piece(FrozenModel):
    """A stretch of an answer with the same evidence all over.

    Attributes:
        text: the words.
        under: the marks that cover them.
        ends: those of them that end here; they are named behind the piece.

    """

    text: str
    under: tuple[Mark, ...] = ()
    ends: tuple[Mark, ...] = ()


def pieces(turn: Turn) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """An answer cut where evidence begins or ends: what is shown at once, and what has to be unfolded."""
    text = turn.text
    fold = _FOLD_AFTER if len(text) > _FOLD_AFTER else len(text)
    cuts = {0, fold, len(text)} | {mark.start for mark in turn.marks} | {mark.end for mark in turn.marks}
    order = sorted(cuts)
    shown: list[Piece] = []
    folded: list[Piece] = []
    for start, end in pairwise(order):
        under = tuple(mark for mark in turn.marks if mark.start <= start and end <= mark.end)
        ends = tuple(mark for mark in under if mark.end == end)
        (shown if end <= fold else folded).append(Piece(text=text[start:end], under=under, ends=ends))
    return tuple(shown), tuple(folded)
