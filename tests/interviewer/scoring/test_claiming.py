"""What is asked back, and what is remarked on a question, is no answer to it."""

from __future__ import annotations

import pytest

from interviewer.scoring.claiming import asks_back, claiming


@pytest.mark.parametrize(
    "sentence",
    [
        "In a or in b?",
        "Hmm, that doesn't tell me much.",
        "Hm.",
        "That's a good question.",
        "You're asking that as if something's wrong.",
        "I think I just said that.",
        "Wait, I haven't said anything about the agent yet.",
        "I don't understand the question.",
        "Could you give me a hint.",
    ],
)
def test_a_question_or_a_reaction_claims_nothing(sentence: str) -> None:
    assert claiming([sentence]) == [False]


@pytest.mark.parametrize(
    "sentence",
    [
        "It sums them, right?",
        "Eight.",
        "That doesn't tell the optimizer anything about the scale of the loss.",
        "It does not help with memory, only with time.",
        "I don't know that well.",
        "So eval only changes the layers.",
    ],
)
def test_whatever_is_said_on_the_subject_claims_something(sentence: str) -> None:
    assert claiming([sentence]) == [True]


def test_the_reason_for_a_question_back_is_part_of_it() -> None:
    said = ["In a or in b?", "Because b has two columns, so b[1, 2] wouldn't exist.", "In a it is element five."]
    assert claiming(said) == [False, False, True]
    assert claiming([]) == []


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("And the time? I'm asking because I could tell this short or long.", True),
        ("Just so I get you right: is the goal to keep the same total batch as before?", True),
        ("Is it per direction? Then it takes twice as long.", False),
        ("It sums them, right?", False),
        ("Eight.", False),
    ],
)
def test_a_question_of_ones_own_is_told_from_an_answer(said: str, *, asks: bool) -> None:
    assert asks_back(said) is asks
