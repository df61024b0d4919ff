"""A point that is read beside two excerpts has the mean of both states, and one that is read once has its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rubric.grading.excerpt_states import excerpt_states
from serving.arrays import FloatArray


class Lengths:
    """Gives each prompt a state that tells how long it is."""

    def states(self, prompts: Sequence[str]) -> FloatArray:
        return np.array([[len(prompt), 1.0] for prompt in prompts], dtype=np.float32)


def test_each_point_has_the_mean_of_what_it_is_read_beside() -> None:
    client = Lengths()
    alone = {words: excerpt_states(client, "Why?", ["It is so."], [[words]])[0] for words in ("near", "near and wide")}
    both, single = excerpt_states(client, "Why?", ["It is so.", "It is so."], [["near", "near and wide"], ["near"]])
    assert np.allclose(both, (alone["near"] + alone["near and wide"]) / 2)
    assert np.allclose(single, alone["near"])
