"""What is said to whoever asks which part of their answer is held to be wrong. Pure."""

from __future__ import annotations

from datetime import datetime

from interviewer.dialogue import templates
from interviewer.dialogue.quotation import quotation
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.state import AskedQuestion
from rubric.model import Verdict


def which_part(asked: AskedQuestion, before: datetime | None = None) -> str:
    """The sentence that the last follow-up doubts, where the judge is sure; else that nothing was called wrong.

    Args:
        asked: the open question.
        before: when the person asked; ``None`` for now.

    """
    points = {point.id: point for point in (asked.question.rubric.criteria if asked.question.rubric else ())}
    last = next((each for each in reversed(asked.follow_ups) if before is None or each.at < before), None)
    if last is None or last.kind is not FollowUpKind.CONTRADICTION or last.criterion_id not in points:
        return templates.NOT_CALLED_WRONG
    graded = next((each for each in reversed(asked.grades) if each.at <= last.at), None)
    verdicts = graded.grade.criteria if graded is not None else ()
    sure = any(each.id == last.criterion_id and each.sure and each.verdict is Verdict.CONTRADICTED for each in verdicts)
    quote = quotation(points[last.criterion_id], graded) if sure else ""
    return templates.DOUBTS.format(quote=quote) if quote else templates.NOT_CALLED_WRONG
