"""What an answer's words are read beside, and what comes of it."""

from __future__ import annotations

import numpy as np
import pytest

from rubric.grading.relations import LEAST, related
from rubric.grading.signals import EXAMPLE_SIGNALS, READ_BESIDE, signals, view
from rubric.model import Criterion, Examples
from tests.rubric.doubles import BagOfWords

EXAMPLES = Examples(
    met=("a leaf holds on to its gradient", "only what you made yourself keeps it"),
    contradicted=("every tensor keeps its gradient",),
)
TOLD = Criterion(id="c1", text="Only leaves keep their gradient.", examples=EXAMPLES)
BARE = Criterion(id="c2", text="retain_grad keeps it for others.")
ANSWER = "The loss is a scalar. I think every tensor keeps its gradient. Then backward is called."


class Lengths:
    """Reads nothing but how long the two texts are."""

    def __init__(self):
        self.asked = []

    def read(self, pairs):
        self.asked += pairs
        return np.array([[-len(first), -len(second), 0] for first, second in pairs], dtype=np.float32).reshape(-1, 3)


def views(*criteria):
    seen = view(ANSWER, BagOfWords())
    return [signals(seen, "What does autograd do?", item, BagOfWords()) for item in criteria]


def test_the_nearest_words_are_read_beside_the_point_and_its_nearest_statements():
    (told,) = views(TOLD)
    assert len(told.pairs) == len(READ_BESIDE)
    assert [text for text, _ in told.pairs] == [TOLD.text, EXAMPLES.met[0], EXAMPLES.contradicted[0]]
    assert "every tensor keeps its gradient" in told.pairs[2][1]


def test_relations_stand_behind_the_similarities_and_all_are_read_at_once():
    reader = Lengths()
    bare, told = related(views(BARE, TOLD), reader)
    assert len(reader.asked) == len(READ_BESIDE)
    assert bare.examples is None
    assert told.examples.shape == (len(EXAMPLE_SIGNALS),)
    assert (told.examples[-9:] == np.array([[LEAST, LEAST, 0.0]] * 3, dtype=np.float32).reshape(-1)).all()


def test_who_takes_signals_for_whole_before_the_pairs_were_read_is_told():
    (told,) = views(TOLD)
    with pytest.raises(ValueError, match="not read"):
        _ = told.examples
