"""What a person says of themselves that they do not know, and which point they say it of. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from interviewer.scoring.admissions import admits_not_knowing
from interviewer.session.events import AnswerDeclined, AnswerGiven, DeclineReason
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.state import AskedQuestion
from knowledge.model import Kind
from rubric.grading.evidence import sentences
from rubric.model import Span
from serving.frozen import FrozenModel


class OwnGap(FrozenModel):
    """Something that a person said they do not know, or left unanswered.

    Attributes:
        criterion_id: the point that the follow-up before it was on; empty where none was, and where it asked for more
            than the points.
        asked: the follow-up; empty where it was said to the question itself.
        answer_id: the answer that says so; empty where there was no answer.
        span: the sentence of that answer.
        left: whether they left the follow-up without saying that they do not know it.

    """

    criterion_id: str
    asked: str = ""
    answer_id: str = ""
    span: Span = (0, 0)
    left: bool = False


_BEYOND_THE_POINTS = {
    FollowUpKind.CLAIM,
    FollowUpKind.DEPTH,
    FollowUpKind.EVIDENCE,
    FollowUpKind.CHANGE,
    FollowUpKind.DEEP_DIVE,
}
"""Follow-ups that ask for more than the point that they are filed under."""


def own_gaps(asked: AskedQuestion) -> tuple[OwnGap, ...]:
    """All of them on a question, in order.

    A story that is being told has none: what somebody did not know then is part of what happened.
    """
    drilled = {event.id: event for event in asked.follow_ups}
    found: list[OwnGap] = []
    for event in asked.turns:
        follow_up = drilled.get(getattr(event, "follow_up_id", None) or "")
        said = follow_up.said if follow_up else ""
        point = follow_up.criterion_id if follow_up and follow_up.kind not in _BEYOND_THE_POINTS else ""
        match event:
            case AnswerDeclined(reason=DeclineReason.UNKNOWN | DeclineReason.SKIPPED) if point:
                left = event.reason is DeclineReason.SKIPPED
                found.append(OwnGap(criterion_id=point, asked=said, left=left))
            case AnswerGiven():
                found += [
                    OwnGap(criterion_id=point, asked=said, answer_id=event.id, span=span)
                    for span in _admitted(event.text, story=asked.question.kind is Kind.BEHAVIORAL and not follow_up)
                ]
            case _:
                pass
    return tuple(found)


def _admitted(text: str, *, story: bool) -> Iterator[Span]:
    """The sentences of an answer that say so; none of a story that is being told."""
    if story:
        return
    for start, end in sentences(text):
        if admits_not_knowing(text[start:end]):
            yield start, end
