"""Pairs of the bank's statements with how the second relates to the first, to fit the cross-encoder to. Pure.

What will be read later is a statement or a criterion beside a piece of an answer, which says more than the one thing,
in words as they are spoken: so some of the second texts come with another statement, and without marks and capitals.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rubric.training.fit_sentence_encoder import Group
from serving.encoders.cross_encoder import RELATIONS, Pair

BATCH = 32
"""Pairs in a step."""

BUCKET = 8
"""Batches that are drawn at once and dealt out by length, so that little is read that is only there to fill."""

SAME, OPPOSITE, OTHER = range(len(RELATIONS))

_SHARES = {
    "two that meet it": 0.32,
    "one that meets it, one that contradicts it": 0.22,
    "one that contradicts it, one that meets it": 0.12,
    "one that meets it, a near miss": 0.10,
    "another criterion's": 0.24,
}
_OWN_TEXT = 0.35
_OF_THE_QUESTION = 0.7
_OF_MEETING = 0.7
_TWO_THINGS = 0.4
_SPOKEN = 0.25


class Example(NamedTuple):
    """A pair, and the index of its relation."""

    pair: Pair
    relation: int


class PairSampler:
    """Draws pairs; the same ones for the same seed.

    Args:
        data: the criteria with their statements.
        seed: of the draws.

    """

    def __init__(self, data: Sequence[Group], seed: int) -> None:
        self._data = data
        self._draw = random.Random(seed)  # noqa: S311 - no secret
        self._of: dict[str, list[int]] = {}
        for number, group in enumerate(data):
            self._of.setdefault(group.question, []).append(number)

    def batches(self) -> Iterator[list[Example]]:
        """Batches without end, each of pairs of about the same length."""
        while True:
            drawn = sorted((self.example() for _ in range(BATCH * BUCKET)), key=lambda each: sum(map(len, each.pair)))
            dealt = [drawn[begin : begin + BATCH] for begin in range(0, len(drawn), BATCH)]
            self._draw.shuffle(dealt)
            yield from dealt

    def example(self) -> Example:
        """One pair."""
        draw = self._draw
        number = draw.randrange(len(self._data))
        group = self._data[number]
        (kind,) = draw.choices(list(_SHARES), weights=list(_SHARES.values()))
        match kind:
            case "two that meet it":
                first = self._meets(group)
                second, relation = draw.choice([text for text in group.met if text != first]), SAME
            case "one that meets it, one that contradicts it":
                first, second, relation = self._meets(group), draw.choice(group.contradicted), OPPOSITE
            case "one that contradicts it, one that meets it":
                first, second, relation = draw.choice(group.contradicted), draw.choice(group.met), OPPOSITE
            case "one that meets it, a near miss" if group.near:
                first, second, relation = self._meets(group), draw.choice(group.near), OTHER
            case _:
                meets = draw.random() < _OF_MEETING
                first = self._meets(group) if meets else draw.choice(group.contradicted)
                second, relation = self._of_another(number), OTHER
        return Example((first, self._as_answered(number, second)), relation)

    def _meets(self, group: Group) -> str:
        """The criterion's own text, or a statement that meets it."""
        return group.met[0] if self._draw.random() < _OWN_TEXT else self._draw.choice(group.met)

    def _of_another(self, number: int) -> str:
        """A statement on another criterion, mostly of the same question."""
        draw = self._draw
        mates = [mate for mate in self._of[self._data[number].question] if mate != number]
        if not mates or draw.random() >= _OF_THE_QUESTION:
            mates = [place for place in range(len(self._data)) if place != number]
        other = self._data[draw.choice(mates)]
        return draw.choice(other.met + other.contradicted)

    def _as_answered(self, number: int, text: str) -> str:
        draw = self._draw
        if draw.random() < _TWO_THINGS:
            beside = self._of_another(number)
            text = f"{text} {beside}" if draw.random() < 0.5 else f"{beside} {text}"
        if draw.random() < _SPOKEN:
            text = "".join(mark for mark in text.lower() if mark not in ",.`")
        return text
