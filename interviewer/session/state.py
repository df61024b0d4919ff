"""The state of an interview, as folded from its journal. Frozen models only; ``session.py`` makes them."""

from __future__ import annotations

from datetime import datetime

from interviewer.session.drawing import Drawing
from interviewer.session.events import (
    AnswerDeclined,
    AnswerGiven,
    AnswerGraded,
    CodeRan,
    ConfidenceStated,
    CriterionSelfAssessed,
    CriterionShown,
    DisputeGraded,
    Event,
    FollowUpAsked,
    GradingFailed,
    InterviewEnded,
    InterviewerReplied,
    MarkDisputed,
    MarkOverridden,
    PersonSpoke,
    QuestionReturned,
    ReturnWished,
    SegmentOpened,
)
from interviewer.session.plan import Plan, SegmentKind
from knowledge.model import Question
from rubric.coding.task import StarterForm
from serving.frozen import FrozenModel


class AskedQuestion(FrozenModel):
    """One question of the interview and all that happened on it.

    Attributes:
        asked_id: id of the ``QuestionAsked`` event.
        number: its place in the interview, from 1.
        question: as it was when asked, with its rubric.
        turns: every event of this question in order, ``QuestionAsked`` first: the transcript.
        answers: what the person said, in order.
        follow_ups: what was drilled, in order.
        declined: what the person said that they do not know, in order.
        shown: the points that were told while drilling, in order.
        hinted: whether a hint was given.
        grades: the marks in the order of the answers they grade; each grade covers everything said on the
            question up to its answer, so the last one is the current one, the first one is the unaided one.
            What was earned once stays in them (``interviewer.session.credit_accumulation``), and so does what the
            person's code proves (``interviewer.session.code_proof``).
        failures: gradings that failed and have not succeeded since.
        starter: the form in which a coding question was put; ``None`` for other questions.
        runs: what was run and submitted of a coding question, in order.
        finished: the person is done with it and handed in what there is.
        skipped: the person chose to skip it; of one that was asked again, the second time.
        later: they skipped it and said that they want to come back to it.
        returned: it was left and asked again.
        closed: nothing more is asked on it, unless it is asked again.
        self_assessed: what the person settled themselves, of each criterion the latest.
        time_called: the interviewer said that its time is used up.
        active_s: seconds spent on it so far, both times where it was asked again, pauses left out
            (``interviewer.session.clock``).
        disputes: marks that the person holds to be wrong, of each criterion the first.
        second_grades: second readings of disputed points, of each dispute the first.
        overrides: what a mentor or teacher put in the judge's place, of each criterion the latest.
        stated: how sure the person said that they were, of each answer the latest, in the order of the answers.
        drawing: what stood on the whiteboard when an answer was sent last; ``None`` where nothing was drawn.
        forgotten: the story told on it is no longer kept in the person's story bank.
    """

    asked_id: str
    number: int
    question: Question
    turns: tuple[Event, ...] = ()
    answers: tuple[AnswerGiven, ...] = ()
    follow_ups: tuple[FollowUpAsked, ...] = ()
    declined: tuple[AnswerDeclined, ...] = ()
    shown: tuple[CriterionShown, ...] = ()
    hinted: bool = False
    grades: tuple[AnswerGraded, ...] = ()
    failures: tuple[GradingFailed, ...] = ()
    starter: StarterForm | None = None
    runs: tuple[CodeRan, ...] = ()
    finished: bool = False
    skipped: bool = False
    later: bool = False
    returned: QuestionReturned | None = None
    closed: bool = False
    self_assessed: tuple[CriterionSelfAssessed, ...] = ()
    time_called: bool = False
    active_s: float = 0.0
    disputes: tuple[MarkDisputed, ...] = ()
    second_grades: tuple[DisputeGraded, ...] = ()
    overrides: tuple[MarkOverridden, ...] = ()
    stated: tuple[ConfidenceStated, ...] = ()
    drawing: Drawing | None = None
    forgotten: bool = False

    @property
    def left(self) -> bool:
        """Whether the person chose to go on: they skipped it, or said no more than that they do not know."""
        declined = self.closed and bool(self.declined) and not self.answers
        return self.skipped or declined or (self.returned is not None and not self._taken_up)

    @property
    def _taken_up(self) -> bool:
        """Whether anything was said or run since it was asked again."""
        return self.returned is not None and any(
            turn.at > self.returned.at for turn in (*self.answers, *self.declined, *self.runs)
        )

    @property
    def starting_code(self) -> str:
        """What the person starts from; empty where no code is asked for."""
        task = self.question.task
        return task.starting_code(self.starter) if task is not None and self.starter is not None else ""

    @property
    def submission(self) -> CodeRan | None:
        """The last code that was submitted, if any."""
        return next((run for run in reversed(self.runs) if run.submitted), None)


class Segment(FrozenModel):
    """A part of the interview in which nothing is graded.

    Attributes:
        part: which.
        turns: what was said, in order.
        closed: it is over.
    """

    part: SegmentKind
    turns: tuple[SegmentOpened | PersonSpoke | InterviewerReplied | ReturnWished, ...] = ()
    closed: bool = False

    @property
    def spoken(self) -> tuple[PersonSpoke, ...]:
        """What the person said."""
        return tuple(turn for turn in self.turns if isinstance(turn, PersonSpoke))


class State(FrozenModel):
    """An interview as it stands.

    Attributes:
        plan: ``None`` only before the first event.
        asked: the questions so far, in order; the last one may be open.
        segments: the parts in which nothing is graded, in order; the last one may be open.
        others: the events that belong to no question: what was said in those parts, and stops of the clock.
        paused: the person stopped the clock.
        active_s: seconds that the interview has lasted, up to its latest event, pauses left out.
        last_at: time of the latest event before the end, or of the end.
        ended: the closing event, if any.
        notes: what the person noted for themselves; may be empty.
        returns: the questions that the person wants to go back to, in the order in which they said so.
        damaged: number of events that are left out, since they are not what was written, or cannot be understood.
    """

    plan: Plan | None = None
    asked: tuple[AskedQuestion, ...] = ()
    segments: tuple[Segment, ...] = ()
    others: tuple[Event, ...] = ()
    paused: bool = False
    active_s: float = 0.0
    last_at: datetime | None = None
    ended: InterviewEnded | None = None
    notes: str = ""
    returns: tuple[str, ...] = ()
    damaged: int = 0

    @property
    def segment(self) -> Segment | None:
        """The part without marks that is open, if any; it waits while a question is asked again."""
        if self.segments and not self.segments[-1].closed and self.ended is None and self._returned is None:
            return self.segments[-1]
        return None

    @property
    def current(self) -> AskedQuestion | None:
        """The question that is open, if any."""
        if self.ended is not None:
            return None
        if self._returned is not None:
            return self._returned
        return self.asked[-1] if self.asked and not self.asked[-1].closed else None

    @property
    def latest(self) -> AskedQuestion | None:
        """The question that was asked, or asked again, last."""
        begun = [(asked.returned.at if asked.returned else asked.turns[0].at, asked) for asked in self.asked]
        return max(begun, key=lambda each: each[0])[1] if begun else None

    @property
    def _returned(self) -> AskedQuestion | None:
        """The question that was asked again and is not closed yet."""
        return next((asked for asked in self.asked if asked.returned is not None and not asked.closed), None)
