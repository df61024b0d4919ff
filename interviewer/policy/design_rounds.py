"""How a design round is led: stage by stage, with a change of requirements half-way and one deep dive. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from interviewer.policy.follow_ups import FollowUp
from interviewer.session.clock import allowance_s
from interviewer.session.design_round import CHANGE_ID, DEEP_DIVE_ID, chosen_dive, requirements_asked
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion
from knowledge.model import Question
from rubric.model import DEEP_DIVES, AskedBy, Criterion, DesignStage, Rubric

EXTRA = 2
"""Follow-ups beside those about a criterion: the change of requirements, and the choice of a deep dive."""

_BEFORE_CHANGE = (DesignStage.REQUIREMENTS, DesignStage.ESTIMATE, DesignStage.HIGH_LEVEL)
_AT_THE_END = (DesignStage.DEEP_DIVE, DesignStage.FAILURE, DesignStage.TRADE_OFFS)
_ON_THE_WAY = frozenset({AskedBy.CHANGE, *DEEP_DIVES})


def next_in_round(
    asked: AskedQuestion,
    plan: Plan,
    *,
    tried: frozenset[str],
    left: int,
    find: Callable[[Question], FollowUp | None],
) -> FollowUp | None:
    """What comes next in a design round; ``None`` where there is nothing left to ask.

    First the open points of requirements, estimate and high level, stage by stage; then the requirements change, at
    the latest when half of the time is over; then the person chooses a deep dive; then failure and operations, and
    trade-offs.

    Args:
        asked: the open question.
        plan: tells how long it may take.
        tried: ids of what was drilled already.
        left: how many follow-ups it may still get.
        find: what is asked next of the question with the points of one step alone.

    """
    question = asked.question
    if question.rubric is None or left <= 0:
        return None
    put_later = 2 * asked.active_s < allowance_s(asked, plan) or plan.minutes is None
    for step in _steps(asked, question.rubric):
        if isinstance(step, FollowUp):
            if step.criterion_id not in tried:
                return step
            continue
        if not put_later and CHANGE_ID not in tried:
            continue
        found = find(_only(question, step))
        if found is not None:
            return found
    return None


def _steps(asked: AskedQuestion, rubric: Rubric) -> Iterator[FollowUp | tuple[Criterion, ...]]:
    """What is put and which points are drilled, in order."""
    always = [point for point in rubric.criteria if point.asked_by not in _ON_THE_WAY]
    # Nobody is asked what they would ask who has asked it.
    asked_about = {DesignStage.REQUIREMENTS} if requirements_asked(asked) else set()
    for stage in (stage for stage in _BEFORE_CHANGE if stage not in asked_about):
        yield tuple(point for point in always if point.stage is stage)
    yield FollowUp(FollowUpKind.CHANGE, CHANGE_ID)
    yield tuple(point for point in rubric.criteria if point.asked_by is AskedBy.CHANGE)
    yield FollowUp(FollowUpKind.DEEP_DIVE, DEEP_DIVE_ID)
    dive = chosen_dive(asked)
    yield tuple(point for point in rubric.criteria if dive is not None and point.asked_by is dive)
    for stage in _AT_THE_END:
        yield tuple(point for point in always if point.stage is stage)


def _only(question: Question, points: Sequence[Criterion]) -> Question:
    """The question with these points alone."""
    rubric = question.rubric.model_copy(update={"criteria": tuple(points)}) if question.rubric and points else None
    return question.model_copy(update={"rubric": rubric})
