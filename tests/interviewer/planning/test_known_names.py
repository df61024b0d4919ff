"""Topics and roles are known in any case, and others are refused with the nearest."""

from __future__ import annotations

import pytest

from interviewer.planning.known_names import known_or_own_topic, known_role, known_topic, topics_of
from serving.errors import BadInputError
from tests.interviewer.builders import question

TOPICS = topics_of([question("a", topic="tensors"), question("b", topic="Autograd"), question("c", topic="tensors")])


def test_a_name_is_known_in_any_case() -> None:
    assert TOPICS == ["Autograd", "tensors"]
    assert known_topic(" autograd ", TOPICS) == "Autograd"
    role = known_role("ml engineer")
    assert role is not None
    assert role.name == "ML engineer"
    assert known_role("") is None


def test_a_misspelling_is_refused_and_words_of_ones_own_are_searched_for() -> None:
    with pytest.raises(BadInputError, match=r"There is no topic autogard\. Did you mean Autograd\?"):
        known_or_own_topic("autogard", TOPICS)
    assert known_or_own_topic("TENSORS", TOPICS) == ("tensors", True)
    assert known_or_own_topic("making matrices move", TOPICS) == ("making matrices move", False)
    with pytest.raises(BadInputError, match=r"There is no topic making matrices move\. The topics are: Autograd, ten"):
        known_topic("making matrices move", TOPICS)
    with pytest.raises(BadInputError, match=r"There is no role ML enginer\. Did you mean ML engineer"):
        known_role("ML enginer")
