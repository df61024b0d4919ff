"""The sentences that are read are those that speak of the criterion."""

from __future__ import annotations

import numpy as np

from rubric.grading import excerpts, signals
from rubric.model import Criterion
from tests.rubric.doubles import BagOfWords

ANSWER = "Cats sleep all day. The gradient is averaged over ranks. It rained. Dogs bark loudly. I like tea."


def view(text: str = ANSWER):
    return signals.view(text, BagOfWords())


def read(seen: signals.AnswerView, asked: Criterion) -> str:
    return signals.read_beside(seen, asked, BagOfWords())


def test_the_sentence_about_the_point_is_read_and_the_others_are_not():
    asked = Criterion(id="c1", text="The gradient is averaged.")
    assert read(view(), asked) == "The gradient is averaged over ranks."


def test_a_sentence_counts_by_what_it_says_with_its_neighbor():
    asked = Criterion(id="c1", text="alpha beta gamma delta")
    seen = view("alpha beta. gamma delta. alpha only one two three four.")
    near = excerpts.nearness(signals.similarity(seen, asked, BagOfWords()), 3)
    alone = (seen.vectors[:3] @ BagOfWords().embed([asked.text]).T)[:, 0]
    assert near[0] > alone[0] + 0.1
    assert near[1] > alone[1] + 0.1
    assert (near >= alone).all()


def test_sentences_come_in_the_answers_order_within_the_margin():
    spans = view().spans
    near = np.array([0.50, 0.90, 0.75, 0.85, 0.1], dtype=np.float32)
    assert excerpts.nearest(spans, near, most=2, margin=0.2) == (1, 3)
    assert excerpts.nearest(spans, near, most=4, margin=0.2) == (1, 2, 3)
    assert excerpts.nearest(spans, near, most=2, margin=0.2, without=frozenset({1})) == (2, 3)
    assert excerpts.nearest([], near) == ()


def test_an_answer_of_one_sentence_is_read_whole():
    asked = Criterion(id="c1", text="Birds sing.")
    assert read(view("Nothing of the sort."), asked) == "Nothing of the sort."


def test_a_second_reading_holds_more_sentences_where_there_are_more():
    seen = view()
    alone = [0.62, 0.9, 0.7, 0.65, 0.2]
    near = np.array([*alone, *[0.0] * (len(seen.windows) - len(alone))], dtype=np.float32)
    both = excerpts.excerpts(seen.text, seen.spans, near)
    assert both == (
        "The gradient is averaged over ranks.",
        "Cats sleep all day.\nThe gradient is averaged over ranks.\nIt rained.\nDogs bark loudly.",
    )
    assert excerpts.excerpts("Dogs bark.", [(0, 10)], near[:1]) == ("Dogs bark.",)
