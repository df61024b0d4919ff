"""The client that remembers gives the states of the one behind it, and has each prompt read once."""

import numpy as np
import pytest

from serving.errors import ServerGoneError
from serving.llm.cached_states import CachedStates


class Counting:
    """Makes a state of a prompt's length, and notes what it was asked for."""

    def __init__(self):
        self.asked, self.gone = [], False

    def states(self, prompts):
        if self.gone:
            raise ServerGoneError("The server does not answer.")
        self.asked += prompts
        return np.array([[len(prompt), 1.0] for prompt in prompts], dtype=np.float32)


def test_each_prompt_is_read_once_and_rows_stand_in_the_order_asked():
    inner = Counting()
    remembered = CachedStates(inner)
    assert remembered.states(["aa", "b", "aa"]).tolist() == [[2, 1], [1, 1], [2, 1]]
    assert remembered.states(["ccc", "b"]).tolist() == [[3, 1], [1, 1]]
    assert inner.asked == ["aa", "b", "ccc"]


def test_what_could_not_be_read_is_asked_for_again():
    inner = Counting()
    remembered = CachedStates(inner)
    inner.gone = True
    with pytest.raises(ServerGoneError):
        remembered.states(["a"])
    inner.gone = False
    assert remembered.states(["a"]).tolist() == [[1, 1]]
