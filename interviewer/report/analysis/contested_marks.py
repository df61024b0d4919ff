"""Marks that were disputed or overridden, as the report shows them beside the judge's. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from interviewer.report.analysis.code import with_code
from interviewer.report.analysis.quotes import GradedText
from interviewer.report.schema.question import CriterionFinding, Dispute, Override, QuestionFinding, SecondGrading
from interviewer.scoring.self_assessment import final_grade
from interviewer.session.events import DisputeGraded
from interviewer.session.queries import graded_words
from interviewer.session.state import AskedQuestion
from rubric.grading.evidence import sentences
from rubric.grading.uncertainty import standard_error


def disputes(asked: AskedQuestion) -> dict[str, Dispute]:
    """What the person holds to be wrong on a question, by criterion id, with the second reading where there is one."""
    seconds = {second.dispute_id: second for second in asked.second_grades}
    return {
        dispute.criterion_id: Dispute(
            event_id=dispute.id,
            reason=dispute.reason,
            second=_second(asked, seconds[dispute.id]) if dispute.id in seconds else None,
        )
        for dispute in asked.disputes
    }


def overrides(asked: AskedQuestion) -> dict[str, Override]:
    """What was put in the judge's place on a question, by criterion id.

    Args:
        asked: with the judge's own grades.

    """
    graded = final_grade(asked)
    judged = {verdict.id: verdict for verdict in graded.grade.criteria} if graded else {}
    return {
        event.criterion_id: Override(
            event_id=event.id,
            by=event.by,
            note=event.note,
            judged=judged[event.criterion_id].verdict,
            judged_credit=judged[event.criterion_id].credit,
            judged_sure=judged[event.criterion_id].sure,
        )
        for event in asked.overrides
        if event.criterion_id in judged
    }


def without_contested(question: QuestionFinding) -> QuestionFinding:
    """The question as it counts in the overall result: its score and interval without the points that are contested.

    The judge's own score stays in the report. There is no score left where every point is contested.
    """
    rest = [found for found in question.criteria if not found.contested and found.share > 0]
    if question.final is None or len(rest) == len([found for found in question.criteria if found.share > 0]):
        return question
    if not rest:
        return question.model_copy(update={"final": None, "interval": None})
    whole = sum(found.share for found in rest)
    said = min(sum(found.share * (found.credit or 0.0) for found in rest) / whole, 1.0)
    score = with_code(said, question.code.credit if question.code else None)
    return question.model_copy(update={"final": score, "interval": _interval(question, rest, score)})


def _interval(
    question: QuestionFinding, rest: Sequence[CriterionFinding], score: float | None
) -> tuple[float, float] | None:
    """The interval around the score of some points: as many standard errors wide as that of all of them."""
    if question.interval is None or question.final is None or score is None:
        return None
    all_scored = [found for found in question.criteria if found.share > 0]
    before, after = _standard_error(all_scored), _standard_error(rest)
    half = max(question.final - question.interval[0], question.interval[1] - question.final)
    half = half * after / before if before > 0 else half
    return round(max(score - half, 0.0), 4), round(min(score + half, 1.0), 4)


def _standard_error(criteria: Sequence[CriterionFinding]) -> float:
    earned = np.array([found.credit or 0.0 for found in criteria])
    return standard_error(earned, np.array([found.share for found in criteria]))


def _second(asked: AskedQuestion, second: DisputeGraded) -> SecondGrading:
    text = GradedText(second.graded_text, graded_words(asked))
    verdict = second.verdict
    return SecondGrading(
        read=text.quotes(second.passage),
        whole=len(second.passage) == len(sentences(second.graded_text)),
        verdict=verdict.verdict,
        credit=verdict.credit,
        sure=verdict.sure,
        quotes=text.quotes(verdict.evidence),
        reason=verdict.reason,
        meets=second.meets,
        opposes=second.opposes,
    )
