"""The actions that a policy may choose, as frozen values."""

from __future__ import annotations

from typing import Literal

from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import SegmentKind
from serving.frozen import FrozenModel


class AskQuestion(FrozenModel):
    """Put the question of that place in the interview, counted from 1."""

    do: Literal["ask question"] = "ask question"
    number: int


class ReturnTo(FrozenModel):
    """Ask a question again that was left."""

    do: Literal["return to question"] = "return to question"
    asked_id: str


class Listen(FrozenModel):
    """It is the person's turn."""

    do: Literal["listen"] = "listen"


class GradeAnswer(FrozenModel):
    """Grade all that was said on a question up to that answer."""

    do: Literal["grade answer"] = "grade answer"
    asked_id: str
    answer_id: str


class AskFollowUp(FrozenModel):
    """Drill that criterion."""

    do: Literal["ask follow-up"] = "ask follow-up"
    asked_id: str
    kind: FollowUpKind
    criterion_id: str


class ShowCriterion(FrozenModel):
    """Tell a point that was missed twice, while drilling."""

    do: Literal["show criterion"] = "show criterion"
    asked_id: str
    criterion_id: str


class CloseQuestion(FrozenModel):
    """Ask nothing more on that question."""

    do: Literal["close question"] = "close question"
    asked_id: str


class OpenSegment(FrozenModel):
    """Begin a part in which nothing is graded."""

    do: Literal["open talk"] = "open talk"
    part: SegmentKind


class Reply(FrozenModel):
    """Answer what the person asked."""

    do: Literal["reply"] = "reply"
    part: SegmentKind
    to_id: str


class CloseSegment(FrozenModel):
    """End a part in which nothing is graded."""

    do: Literal["close talk"] = "close talk"
    part: SegmentKind


class EndInterview(FrozenModel):
    """The plan is done, or its time is up."""

    do: Literal["end interview"] = "end interview"
    reason: Literal["completed", "time is up"] = "completed"


class Nothing(FrozenModel):
    """The interview has not begun, is paused, or is over."""

    do: Literal["nothing"] = "nothing"


Action = (
    AskQuestion
    | ReturnTo
    | Listen
    | GradeAnswer
    | AskFollowUp
    | ShowCriterion
    | CloseQuestion
    | OpenSegment
    | Reply
    | CloseSegment
    | EndInterview
    | Nothing
)
