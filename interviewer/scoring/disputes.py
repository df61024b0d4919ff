"""Marks that the person holds to be wrong, and the second reading made of each. Pure; no mark is overwritten."""

from __future__ import annotations

from datetime import datetime

from interviewer.scoring.grade_requests import grade_request, without_flagged_contradictions
from interviewer.scoring.self_assessment import final_grade
from interviewer.session.events import DisputeGraded, MarkDisputed
from interviewer.session.queries import asked_by_id
from interviewer.session.state import AskedQuestion, State
from knowledge.model import Question
from rubric.grading.grader import GradeRequest
from rubric.grading.second_reading import SecondReading
from rubric.model import CriterionVerdict, Rubric
from serving.errors import BadInputError

LONGEST_REASON = 2_000
"""Characters that a reason may have."""


def open_to_dispute(asked: AskedQuestion, *, ended: bool) -> tuple[CriterionVerdict, ...]:
    """The verdicts on a question that may be disputed, in the rubric's order.

    Those of a question that is done and graded in full, but for what is disputed already and what does not count.
    """
    graded = final_grade(asked)
    if graded is None or not (asked.closed or ended):
        return ()
    disputed = {dispute.criterion_id for dispute in asked.disputes}
    return tuple(found for found in graded.grade.criteria if not found.waived and found.id not in disputed)


def check_dispute(state: State, asked_id: str, criterion_id: str, reason: str) -> None:
    """Check that the person may dispute this mark now.

    Raises:
        BadInputError: no, and why.

    """
    if len(reason) > LONGEST_REASON:
        raise BadInputError(f"The reason has {len(reason):,} characters; {LONGEST_REASON:,} are kept at most.")
    try:
        asked = asked_by_id(state, asked_id)
    except KeyError:
        raise BadInputError(f"No question {asked_id} was asked in this interview.") from None
    if any(dispute.criterion_id == criterion_id for dispute in asked.disputes):
        raise BadInputError("This mark is disputed already; both readings are in the report.")
    if all(found.id != criterion_id for found in open_to_dispute(asked, ended=state.ended is not None)):
        raise BadInputError(
            f"There is no mark on point {criterion_id} that could be disputed now.",
            hint="Dispute it once the question is done and graded.",
        )


def second_requests(state: State) -> tuple[tuple[MarkDisputed, Question, GradeRequest], ...]:
    """The disputes without a second reading: each with its question and what is to be read, all that was said on it.

    Raises:
        DamagedError: a question was stored without its rubric.

    """
    return tuple(
        (dispute, asked.question, grade_request(asked, graded.answer_id))
        for asked in state.asked
        if (graded := final_grade(asked)) is not None
        for dispute in asked.disputes
        if all(second.dispute_id != dispute.id for second in asked.second_grades)
    )


def second_grade(
    dispute: MarkDisputed, question: Question, request: GradeRequest, reading: SecondReading, *, at: datetime
) -> DisputeGraded:
    """The event that a second reading amounts to; a flagged reference is no more trusted in it than in the first."""
    criterion = request.rubric.criterion(dispute.criterion_id)
    alone = question.model_copy(update={"rubric": Rubric(criteria=(criterion,), origin=request.rubric.origin)})
    (verdict,) = without_flagged_contradictions(reading.grade, alone).criteria
    return DisputeGraded(
        id=f"{dispute.id}:second",
        at=at,
        asked_id=dispute.asked_id,
        criterion_id=dispute.criterion_id,
        dispute_id=dispute.id,
        graded_text=request.answer,
        passage=reading.passage,
        verdict=verdict,
        engine=reading.grade.engine,
        meets=reading.meets,
        opposes=reading.opposes,
    )
