"""What a person takes back is held against them no longer for certain; what they say again is."""

from __future__ import annotations

import pytest

from interviewer.scoring.withdrawn import with_doubt_about_withdrawn
from interviewer.understanding.correction_cues import takes_back
from rubric.model import CriterionVerdict, Engine, Grade, Verdict

WRONG = "A hundred workers are faster than eight."
BACK = "You are right. They only fight for the cores."


def grade(*spans: tuple[int, int]) -> Grade:
    said = CriterionVerdict(
        id="c1", credit=0.0, verdict=Verdict.CONTRADICTED, sure=True, contradicted=0.97, evidence=spans
    )
    engine = Engine(judge="j", model="m", digest="", rubric_version="1")
    return Grade(score=0.0, criteria=(said, said.model_copy(update={"id": "c2"})), engine=engine, seconds=0.1)


def sure(spans: tuple[tuple[int, int], ...], reply: str, about: str = "c1") -> list[bool]:
    text = f"{WRONG}\n\n{reply}"
    return [each.sure for each in with_doubt_about_withdrawn(grade(*spans), text, reply, about).criteria]


def test_a_contradiction_that_the_reply_takes_back_is_doubted() -> None:
    again = (len(WRONG) + 2, len(WRONG) + 20)
    assert sure(((0, 20),), "So about as many as there are cores.") == [False, True]
    assert sure((again,), BACK) == [False, True]


def test_what_is_said_again_or_was_not_asked_about_stays_sure() -> None:
    reply = "No, more workers always help."
    assert sure(((0, 20), (len(WRONG) + 2, len(WRONG) + 20)), reply) == [True, True]
    assert sure(((0, 20),), BACK, about="") == [True, True]


@pytest.mark.parametrize(
    "reply",
    [
        BACK,
        "Yes, I was wrong there, it halves.",
        "Oh, sorry, I take that back.",
        "Okay, that's wrong. It sums.",
        "You’re right, it stays the same.",
    ],
)
def test_taking_back_is_understood(reply: str) -> None:
    assert takes_back(reply)


@pytest.mark.parametrize("reply", ["That is what I said: it is faster.", "You are asking about workers.", "It halves."])
def test_going_on_is_not_taking_back(reply: str) -> None:
    assert not takes_back(reply)
