"""Points that nobody asked for: silence on them tells nothing, so that no score counts it."""

from __future__ import annotations

from interviewer.session.design_round import chosen_dive
from interviewer.session.events import AnswerDeclined, CriterionShown, FollowUpAsked
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.state import AskedQuestion
from rubric.grading.grader import rescored
from rubric.model import AskedBy, Grade, Verdict


def unasked(asked: AskedQuestion, grade: Grade) -> frozenset[str]:
    """Ids of the points that are missing in a grade of a question, and that nobody asked for.

    Of a point that only its own probe asks for, that was never said; of one that a design round asks for on the way,
    the change of requirements was not put, or the person chose the other deep dive. A point that somebody overrode is
    not among them: they decided what silence on it means.
    """
    rubric = asked.question.rubric
    if rubric is None:
        return frozenset()
    put = {AskedBy.OPENING, chosen_dive(asked)}
    if any(isinstance(event, FollowUpAsked) and event.kind is FollowUpKind.CHANGE for event in asked.turns):
        put.add(AskedBy.CHANGE)
    left = {point.id for point in rubric.criteria if point.asked_by not in put}
    probed = {
        event.criterion_id
        for event in asked.turns
        if isinstance(event, FollowUpAsked | AnswerDeclined | CriterionShown)
    }
    decided = probed | {event.criterion_id for event in asked.overrides}
    missing = {verdict.id for verdict in grade.criteria if verdict.verdict is Verdict.MISSING}
    return frozenset(left & missing - decided)


def without_unasked(asked: AskedQuestion, grade: Grade) -> Grade:
    """The grade with the score and the interval of what was asked for; every verdict stays.

    Args:
        asked: the question.
        grade: one of its grades.

    """
    silent, rubric = unasked(asked, grade), asked.question.rubric
    if not silent or rubric is None or [each.id for each in grade.criteria] != [point.id for point in rubric.criteria]:
        return grade
    counted = tuple(each.model_copy(update={"waived": True}) if each.id in silent else each for each in grade.criteria)
    return rescored(grade, rubric, counted).model_copy(update={"criteria": grade.criteria})
