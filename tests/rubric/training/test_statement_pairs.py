"""Pairs that the cross-encoder is fitted to: each relation is what it is called."""

from __future__ import annotations

import itertools

from rubric.training.fit_sentence_encoder import Group
from rubric.training.statement_pairs import BATCH, OPPOSITE, OTHER, SAME, PairSampler

DATA = [
    Group("q1", ("Met one.", "met one again"), ("not one",), ("nearly one",)),
    Group("q1", ("Met two.", "met two again"), ("not two",), ()),
    Group("q2", ("Met three.", "met three again"), ("not three",), ("nearly three",)),
]


def plain(text):
    return text.lower().replace(".", "")


def examples(count, seed=0):
    return [each for batch in itertools.islice(PairSampler(DATA, seed).batches(), count // BATCH) for each in batch]


def test_every_relation_occurs_and_is_what_it_is_called():
    of = {plain(text): number for number, group in enumerate(DATA) for part in group[1:] for text in part}
    right = {plain(text) for group in DATA for text in group.met}
    drawn = examples(1600)
    for (first, second), relation in drawn:
        own = of[plain(first)]
        mine = [text for text, number in of.items() if number == own and text in plain(second)]
        if relation == OTHER:
            assert not mine or all(text.startswith("nearly") for text in mine)
        else:
            agree = {text in right for text in (plain(first), *mine)}
            assert len(agree) == (1 if relation == SAME else 2), (first, second)
    assert {each.relation for each in drawn} == {SAME, OPPOSITE, OTHER}


def test_some_come_with_something_else_and_some_as_they_are_spoken():
    seconds = [second for (_, second), _ in examples(640)]
    assert sum(second.count("one") + second.count("two") + second.count("three") > 1 for second in seconds) / 640 > 0.25
    assert any("Met" in second for second in seconds)
    assert any("met one" in second for second in seconds)


def test_the_same_seed_gives_the_same_pairs():
    assert examples(64, 1) == examples(64, 1) != examples(64, 2)
