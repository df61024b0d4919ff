"""Answers composed of statements: what is said is what the labels tell."""

from __future__ import annotations

import random
from collections import Counter

from rubric.model import Criterion, Examples, Verdict
from rubric.training.synthetic_answers import composed


def criteria(near: bool = True) -> list[Criterion]:
    """Five criteria whose statements name their criterion and their side."""

    def said(number: int, side: str) -> tuple[str, ...]:
        return tuple(f"{side} of number{number}x in the way {way}x." for way in range(3))

    return [
        Criterion(
            id=f"c{number}",
            text=f"Point {number}.",
            weight=1,
            examples=Examples(
                met=said(number, "Right"),
                contradicted=said(number, "Wrong"),
                near=said(number, "Almost") if near else (),
            ),
        )
        for number in range(5)
    ]


SIDES = {Verdict.MET: "right", Verdict.CONTRADICTED: "wrong"}


def test_the_labels_are_what_is_said():
    draw = random.Random(0)
    seen: Counter[Verdict] = Counter()
    for _ in range(300):
        text, asked, labels = composed(criteria(), draw)
        assert 1 <= len(asked) <= 4
        assert len({item.id for item in asked}) == len(asked) == len(labels)
        for item, label in zip(asked, labels, strict=True):
            number = f"of number{item.id[1:]}x"
            if label in SIDES:
                assert f"{SIDES[label]} {number}" in text.lower()
            else:
                assert f"almost {number}" in text.lower() or number not in text
            seen[label] += 1
    assert min(seen[Verdict.MET], seen[Verdict.CONTRADICTED], seen[Verdict.MISSING]) > 150


def test_without_near_misses_the_opposite_is_said():
    draw = random.Random(1)
    for _ in range(50):
        text, _, _ = composed(criteria(near=False)[:1], draw)
        assert "almost" not in text.lower()


def test_the_same_seed_says_the_same():
    one, other = ([composed(criteria(), draw) for _ in range(20)] for draw in (random.Random(5), random.Random(5)))
    assert one == other
    assert len({each.text for each in one}) == 20
