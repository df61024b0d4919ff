"""Which follow-up comes while the mark of the last answer is still to come."""

from __future__ import annotations

import pytest

from interviewer.policy.follow_ups import FollowUp
from interviewer.policy.ungraded_follow_ups import NEAR_WITHOUT_MARK, follow_up_before_the_mark
from interviewer.session.events import NearestWords
from interviewer.session.follow_up_kinds import FollowUpKind
from knowledge.model import Question
from rubric.model import Criterion, Rubric
from tests.interviewer.builders import question

FAR = NEAR_WITHOUT_MARK - 0.05
NEAR = NEAR_WITHOUT_MARK + 0.01


def asked(follow_on: str = "") -> Question:
    points = tuple(
        Criterion(id=name, text=name, weight=weight, probe=f"What of {name}?")
        for name, weight in (("alpha", 3.0), ("beta", 2.0), ("gamma", 1.0))
    )
    return question("q", rubric=Rubric(criteria=points), follow_on=follow_on)


def chosen(
    likeness: dict[str, float], *, of: Question, deeper: bool = False, drilled: tuple[str, ...] = ()
) -> FollowUp | None:
    nearest = [NearestWords(criterion_id=name, span=(0, 4), likeness=near) for name, near in likeness.items()]
    return follow_up_before_the_mark(of, None, nearest=nearest, text="word", drilled=drilled, left=2, deeper=deeper)


def test_the_point_that_the_answer_is_farthest_from_is_asked_for() -> None:
    found = chosen({"alpha": FAR, "beta": FAR - 0.2, "gamma": 0.9}, of=asked())
    assert found == FollowUp(FollowUpKind.UNGRADED, "beta")


def test_nobody_is_asked_for_what_words_come_near_to() -> None:
    found = chosen({"alpha": NEAR, "beta": NEAR + 0.01, "gamma": 0.9}, of=asked())
    assert found == FollowUp(FollowUpKind.UNSURE, "alpha")


@pytest.mark.parametrize(("follow_on", "deeper"), [("And then?", True), ("And then?", False), ("", True)])
def test_where_all_may_have_been_said_the_question_goes_further_if_it_does(follow_on: str, deeper: bool) -> None:
    found = chosen({"alpha": NEAR, "beta": 0.9, "gamma": NEAR}, of=asked(follow_on), deeper=deeper)
    kind = FollowUpKind.DEPTH if follow_on and deeper else FollowUpKind.UNSURE
    assert found is not None
    assert found.kind is kind
    assert found.criterion_id == ("beta" if kind is FollowUpKind.DEPTH else "alpha")


def test_who_missed_a_point_is_not_led_further() -> None:
    likeness = {"alpha": FAR, "beta": 0.9, "gamma": 0.9}
    assert chosen(likeness, of=asked("And then?"), deeper=True, drilled=("alpha",)) is None
