"""What a person takes back is held against them no longer for certain; what they say again is."""

from __future__ import annotations

import pytest

from interviewer.scoring.withdrawn import stays_taken_back, taken_back_by, with_doubt_about_withdrawn
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.understanding.correction_cues import takes_back
from rubric.model import CriterionVerdict, Engine, Grade, Verdict
from tests.interviewer.report.sample_session import Telling, question

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


def test_who_gives_way_or_only_asks_again_is_doubted() -> None:
    asks = "So is it always faster? As many as there are cores, then."
    asked = (len(WRONG) + 2, len(WRONG) + 2 + len("So is it always faster?"))
    assert sure((asked,), asks) == [False, True]
    gives_way = "Oh no, sorry. More than there are cores do not help."
    assert sure(((len(WRONG) + 2, len(WRONG) + 30),), gives_way) == [False, True]


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


def answered(reply: str, *after: str, about: str = "c1") -> tuple[tuple[str, ...], bool]:
    """By which answers it was taken back, and whether it stays so where the last answer is evidence as well."""
    tell = Telling()
    q = tell.ask(question("q", [("c1", "More workers than cores bring nothing.", 1.0), ("c2", "They fork.", 1.0)]))
    first = tell.answer(q, WRONG)
    tell.answer(q, reply, tell.follow_up(q, FollowUpKind.CONTRADICTION, about, "A hundred on eight cores?"))
    last = [tell.answer(q, text) for text in after]
    (asked,) = tell.state.asked
    back = taken_back_by(asked, "c1")
    return back, stays_taken_back(asked, back, {first, *last[-1:]})


@pytest.mark.parametrize(
    "reply", [BACK, "They would fight for the cores. So I take that back.", "Hm, no. That was wrong, it gets slower."]
)
def test_who_takes_back_in_any_sentence_of_the_reply_has_taken_back(reply: str) -> None:
    assert answered(reply) == (("q1-a2",), True)


def test_what_is_said_again_later_is_not_taken_back() -> None:
    assert answered(BACK, "Still, a hundred workers are faster.") == (("q1-a2",), False)


def test_a_reply_on_another_point_or_without_a_word_of_it_takes_nothing_back() -> None:
    assert answered(BACK, about="c2") == ((), False)
    assert answered("A hundred are faster, I measured it.") == ((), False)
