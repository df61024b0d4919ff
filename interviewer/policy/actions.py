"""The actions that a policy may choose, as frozen values."""

from __future__ import annotations

from typing import Literal

from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Part
from serving.frozen import Frozen


class AskQuestion(Frozen):
    """Put the question of that place in the interview, counted from 1."""

    do: Literal["ask question"] = "ask question"
    number: int


class ReturnTo(Frozen):
    """Ask a question again that was left."""

    do: Literal["return to question"] = "return to question"
    asked_id: str


class Listen(Frozen):
    """It is the person's turn."""

    do: Literal["listen"] = "listen"


class GradeAnswer(Frozen):
    """Grade all that was said on a question up to that answer."""

    do: Literal["grade answer"] = "grade answer"
    asked_id: str
    answer_id: str


class AskFollowUp(Frozen):
    """Drill that criterion."""

    do: Literal["ask follow-up"] = "ask follow-up"
    asked_id: str
    kind: FollowUpKind
    criterion_id: str


class ShowCriterion(Frozen):
    """Tell a point that was missed twice, while drilling."""

    do: Literal["show criterion"] = "show criterion"
    asked_id: str
    criterion_id: str


class CloseQuestion(Frozen):
    """Ask nothing more on that question."""

    do: Literal["close question"] = "close question"
    asked_id: str


class OpenTalk(Frozen):
    """Begin a part in which nothing is graded."""

    do: Literal["open talk"] = "open talk"
    part: Part


class Reply(Frozen):
    """Answer what the person asked."""

    do: Literal["reply"] = "reply"
    part: Part
    to_id: str


class CloseTalk(Frozen):
    """End a part in which nothing is graded."""

    do: Literal["close talk"] = "close talk"
    part: Part


class EndInterview(Frozen):
    """The plan is done, or its time is up."""

    do: Literal["end interview"] = "end interview"
    reason: Literal["completed", "time is up"] = "completed"


class Nothing(Frozen):
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
    | OpenTalk
    | Reply
    | CloseTalk
    | EndInterview
    | Nothing
)
