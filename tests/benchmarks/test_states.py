from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from rubric.grading.excerpt_prompts import excerpt_states
from tests.benchmarks.states import Recorder, Replay

POINTS = ("It frees the graph.", "It adds to what is there.")
EXCERPTS = [["One sentence.", "Two sentences."], ["Another."]]


class Counting:
    """Gives each prompt another state."""

    def __init__(self) -> None:
        self.asked = 0

    def states(self, prompts: Sequence[str]) -> np.ndarray:
        begin, self.asked = self.asked, self.asked + len(prompts)
        return np.arange(begin, self.asked, dtype=np.float32)[:, None] * np.ones((1, 3), dtype=np.float32)


def test_what_was_kept_gives_the_same_states_though_a_point_is_read_more_than_once() -> None:
    recorder = Recorder(Counting())
    given = excerpt_states(recorder, "What does backward do?", POINTS, EXCERPTS)
    replayed = excerpt_states(Replay(recorder.recorded), "What does backward do?", POINTS, EXCERPTS)
    assert len(recorder.recorded) > len(POINTS)
    assert np.array_equal(given, replayed)


def test_too_few_kept_states_are_an_error() -> None:
    with pytest.raises(ValueError, match="2 states are asked for, and 1 are kept"):
        Replay(np.zeros((1, 3))).states(["one", "two"])
