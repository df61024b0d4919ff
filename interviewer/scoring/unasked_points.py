"""Points that nobody asked for: silence on them tells nothing, so that no score counts it."""

from __future__ import annotations

from interviewer.session.design_round import change_was_put, chosen_dive, requirements_asked
from interviewer.session.events import AnswerDeclined, CriterionShown, FollowUpAsked
from interviewer.session.state import AskedQuestion
from rubric.grading.grader import rescored
from rubric.model import AskedBy, DesignStage, Grade, Verdict


def asked_for(asked: AskedQuestion) -> frozenset[str]:
    """Ids of the points that the opening of a question asks for, or that were asked for on the way.

    A point that only its own probe asks for is among them once its probe was said; one that a design round asks for
    on the way, once the change of requirements was put, or the person chose its deep dive. Who asked about the
    requirements of a round did what their points are about in words that are not graded: silence on them in the
    answers tells nothing.
    """
    rubric = asked.question.rubric
    if rubric is None:
        return frozenset()
    put = {AskedBy.OPENING, chosen_dive(asked)}
    if change_was_put(asked):
        put.add(AskedBy.CHANGE)
    probed = {
        event.criterion_id
        for event in asked.turns
        if isinstance(event, FollowUpAsked | AnswerDeclined | CriterionShown)
    }
    settled = {DesignStage.REQUIREMENTS} if requirements_asked(asked) else set()
    return frozenset(
        point.id
        for point in rubric.criteria
        if (point.asked_by in put and point.stage not in settled) or point.id in probed
    )


def unasked(asked: AskedQuestion, grade: Grade) -> frozenset[str]:
    """Ids of the points that are missing in a grade of a question, and that nobody asked for.

    A point that somebody overrode is not among them: they decided what silence on it means.
    """
    rubric = asked.question.rubric
    if rubric is None:
        return frozenset()
    left = {point.id for point in rubric.criteria} - asked_for(asked)
    decided = {event.criterion_id for event in asked.overrides}
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
