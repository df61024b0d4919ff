"""The state of an interview, as folded from its journal. Frozen models only; ``session.py`` makes them."""

from __future__ import annotations

from interviewer.events import (
    AnswerGiven,
    AnswerGraded,
    CodeRan,
    CriterionSelfAssessed,
    Event,
    FollowUpAsked,
    GradingFailed,
    InterviewEnded,
    Plan,
)
from knowledge.model import Question
from serving.frozen import Frozen


class AskedQuestion(Frozen):
    """One question of the interview and all that happened on it.

    Attributes:
        asked_id: id of the ``QuestionAsked`` event.
        number: its place in the interview, from 1.
        question: as it was when asked, with its rubric.
        turns: every event of this question in order, ``QuestionAsked`` first: the transcript.
        answers: what the person said, in order.
        follow_ups: what was drilled, in order.
        hinted: whether a hint was given.
        grades: the marks in the order of the answers they grade; each grade covers everything said on the
            question up to its answer, so the last one is the current one, the first one is the unaided one.
        failures: gradings that failed and have not succeeded since.
        runs: what was run and submitted of a coding question, in order.
        finished: the person is done with it and handed in what there is.
        skipped: the person chose to skip it.
        closed: nothing more is asked on it.
        self_assessed: what the person settled themselves, of each criterion the latest.
    """

    asked_id: str
    number: int
    question: Question
    turns: tuple[Event, ...] = ()
    answers: tuple[AnswerGiven, ...] = ()
    follow_ups: tuple[FollowUpAsked, ...] = ()
    hinted: bool = False
    grades: tuple[AnswerGraded, ...] = ()
    failures: tuple[GradingFailed, ...] = ()
    runs: tuple[CodeRan, ...] = ()
    finished: bool = False
    skipped: bool = False
    closed: bool = False
    self_assessed: tuple[CriterionSelfAssessed, ...] = ()

    @property
    def submission(self) -> CodeRan | None:
        """The last code that was submitted, if any."""
        return next((run for run in reversed(self.runs) if run.submitted), None)


class State(Frozen):
    """An interview as it stands.

    Attributes:
        plan: ``None`` only before the first event.
        asked: the questions so far, in order; the last one may be open.
        ended: the closing event, if any.
    """

    plan: Plan | None = None
    asked: tuple[AskedQuestion, ...] = ()
    ended: InterviewEnded | None = None

    @property
    def current(self) -> AskedQuestion | None:
        """The question that is open, if any."""
        if self.asked and not self.asked[-1].closed and self.ended is None:
            return self.asked[-1]
        return None
