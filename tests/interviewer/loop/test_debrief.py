"""The debrief of a loop says what its rounds support, and no more."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from interviewer.loop.debrief import Recommendation, Vote, debrief, recommended
from interviewer.loop.phrases import markdown, outline, recommendation
from interviewer.loop.rounds import HeldRound
from interviewer.report.analysis.findings import findings
from interviewer.session.loop_plan import LoopPlace, LoopPlan, Round, RoundKind
from interviewer.session.plan import Plan
from interviewer.session.state import State
from tests.interviewer.builders import interview, question

LOOP_ID = "f" * 32
PLAN = LoopPlan(
    name="mine <b>",
    rounds=(
        Round(kind=RoundKind.PHONE_SCREEN, interviewer="Ada"),
        Round(kind=RoundKind.CODING, interviewer="Bo"),
        Round(kind=RoundKind.BEHAVIORAL, interviewer="Cy"),
    ),
)
WORDS = ("alpha", "beta", "gamma", "delta")
GOOD, BAD = "alpha beta gamma delta", "no idea at all"


def rounds(*answers: str, topic: str = "autograd") -> list[HeldRound]:
    """Rounds of four questions each, every question answered alike."""
    return [held(number, _interview(number, [said] * 4, topic)) for number, said in enumerate(answers, 1)]


def _interview(number: int, answers: Sequence[str], topic: str) -> State:
    asked = [question(f"q{number}-{place}", keywords=WORDS, topic=topic) for place in range(len(answers))]
    return interview(*((each, [said] if said else []) for each, said in zip(asked, answers, strict=True)))


def held(number: int, state: State) -> HeldRound:
    place = LoopPlace(id=LOOP_ID, number=number, plan=PLAN)
    plan = (state.plan or Plan()).model_copy(update={"loop": place})
    return HeldRound(session_id=f"{number:032x}", place=place, state=state.model_copy(update={"plan": plan}))


def unsure(each: HeldRound) -> HeldRound:
    """The same round, by a judge who was sure of nothing."""
    asked = []
    for one in each.state.asked:
        graded = one.grades[0]
        marks = tuple(mark.model_copy(update={"sure": False, "credit": 0.3}) for mark in graded.grade.criteria)
        grade = graded.grade.model_copy(update={"criteria": marks})
        asked.append(one.model_copy(update={"grades": (graded.model_copy(update={"grade": grade}),)}))
    return each.model_copy(update={"state": each.state.model_copy(update={"asked": tuple(asked)})})


def measured(each: HeldRound) -> HeldRound:
    """The same round, by a judge whose doubt was measured."""
    asked = []
    for one in each.state.asked:
        graded = one.grades[0]
        marks = tuple(mark.model_copy(update={"credit": 0.7}) for mark in graded.grade.criteria)
        grade = graded.grade.model_copy(update={"criteria": marks, "score": 0.7, "interval": (0.4, 0.9)})
        asked.append(one.model_copy(update={"grades": (graded.model_copy(update={"grade": grade}),)}))
    return each.model_copy(update={"state": each.state.model_copy(update={"asked": tuple(asked)})})


def test_a_round_is_as_doubtful_in_the_debrief_as_in_its_own_report() -> None:
    (each,) = [measured(each) for each in rounds(GOOD)]
    standing = findings(each.session_id, each.state).standing
    assert standing is not None
    assert standing.reach is not None
    assert standing.interval is not None
    (told, *_) = debrief(LOOP_ID, PLAN, [each]).rounds
    assert told.interval == standing.likely != standing.reach
    assert (told.vote, told.sure) == (Vote.HIRE, False)


def test_rounds_that_went_well_recommend_to_hire_with_their_evidence() -> None:
    found = debrief(LOOP_ID, PLAN, rounds(GOOD, GOOD, GOOD))
    assert found.recommendation is Recommendation.HIRE
    assert found.probability is not None
    assert found.probability > 0.9
    assert [each.vote for each in found.rounds] == [Vote.STRONG_HIRE] * 3
    assert found.disagreements == ()
    assert all(each.made and not each.lacking for each in found.rounds)
    assert found.rounds[0].made[0].quote in GOOD
    assert found.open_topics == ()


def test_rounds_that_went_badly_recommend_not_to_hire() -> None:
    found = debrief(LOOP_ID, PLAN, rounds(BAD, BAD, BAD))
    assert found.recommendation is Recommendation.NO_HIRE
    assert [each.vote for each in found.rounds] == [Vote.STRONG_NO_HIRE] * 3
    assert found.open_topics == ("autograd",)


def test_interviewers_who_see_it_differently_are_named_and_the_round_that_decides_is_told() -> None:
    found = debrief(LOOP_ID, PLAN, rounds(GOOD, BAD))
    assert {(each.first, each.second, each.topic) for each in found.disagreements} == {(1, 2, ""), (1, 2, "autograd")}
    assert found.recommendation is Recommendation.UNDECIDED
    by_left = {each.without_round: each.recommendation for each in found.would_change}
    assert by_left == {1: Recommendation.NO_HIRE, 2: Recommendation.HIRE}
    text = markdown(found)
    assert "Ada says strong hire, Bo says strong no hire." in text
    assert "On autograd, Ada and Bo are sure of opposite things." in text
    assert "Without the round of Ada: do not hire" in text
    assert "**So far: no decision" in text


def test_what_the_judge_was_not_sure_of_is_no_evidence_and_may_change_everything() -> None:
    found = debrief(LOOP_ID, PLAN, [unsure(each) for each in rounds(GOOD, GOOD, GOOD)])
    assert all(not each.made and not each.lacking for each in found.rounds)
    assert [(each.undecided, each.ungraded) for each in found.rounds] == [(16, 0)] * 3
    settled = {
        each.undecided_made: each.recommendation for each in found.would_change if each.undecided_made is not None
    }
    assert settled == {True: Recommendation.HIRE, False: Recommendation.NO_HIRE}
    assert "If every point the judge was unsure of was made: hire" in markdown(found)


def test_before_anything_is_graded_nothing_is_recommended() -> None:
    found = debrief(LOOP_ID, PLAN, [])
    assert (found.recommendation, found.probability, found.standing) == (Recommendation.UNDECIDED, None, "")
    assert {each.vote for each in found.rounds} == {Vote.NONE}
    assert "0 of 3 rounds started; 3 still to come." in markdown(found)
    assert "Nothing is graded yet." in recommendation(found)


def test_to_skip_everything_is_no_way_to_be_hired() -> None:
    skipped = held(2, _interview(2, ["", "", "", ""], "autograd"))
    alone = debrief(LOOP_ID, PLAN, rounds(GOOD))
    found = debrief(LOOP_ID, PLAN, [*rounds(GOOD), skipped])
    assert alone.probability is not None
    assert found.probability is not None
    assert found.probability < alone.probability
    assert found.rounds[1].skipped == 4


@pytest.mark.parametrize(
    ("probability", "said"),
    [
        (0.8, Recommendation.HIRE),
        (0.79, Recommendation.UNDECIDED),
        (0.21, Recommendation.UNDECIDED),
        (0.2, Recommendation.NO_HIRE),
        (None, Recommendation.UNDECIDED),
    ],
)
def test_a_recommendation_needs_eight_in_ten(probability: float | None, said: Recommendation) -> None:
    assert recommended(probability) is said


def test_nobody_is_hired_on_the_average_against_a_sure_and_strong_no() -> None:
    assert recommended(0.95, opposed=True) is Recommendation.UNDECIDED
    assert recommended(0.1, opposed=True) is Recommendation.NO_HIRE


def test_names_of_the_persons_own_show_as_they_are_and_style_nothing() -> None:
    assert "mine \\<b\\>" in markdown(debrief(LOOP_ID, PLAN, []))
    assert list(outline(PLAN, rounds(GOOD)))[:2] == [
        f"1. phone screen, Ada (neutral), 45 min: finished, interview {1:032x}",
        "2. coding, Bo (neutral), 45 min: not started",
    ]
