"""Marks that were disputed or overridden, as the report shows them beside the judge's. Pure."""

from __future__ import annotations

from interviewer.report.analysis.quotes import GradedText
from interviewer.report.schema.question import Dispute, Override, SecondGrading
from interviewer.scoring.self_assessment import final_grade
from interviewer.session.events import DisputeGraded
from interviewer.session.state import AskedQuestion
from rubric.grading.evidence import sentences


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


def _second(asked: AskedQuestion, second: DisputeGraded) -> SecondGrading:
    text = GradedText(second.graded_text, asked.answers)
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
