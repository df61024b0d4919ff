"""Events to state: the fold over a session's journal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from interviewer.session.clock import elapsed
from interviewer.session.code_proof import with_code_proof
from interviewer.session.credit_accumulation import accumulated
from interviewer.session.estimate_check import with_estimates
from interviewer.session.events import (
    AnswerDeclined,
    AnswerGiven,
    AnswerGraded,
    BoardDrawn,
    CodeRan,
    ConfidenceStated,
    CriterionSelfAssessed,
    CriterionShown,
    DisputeGraded,
    Event,
    FollowUpAsked,
    GradingFailed,
    HintGiven,
    InterviewEnded,
    InterviewerReplied,
    InterviewPaused,
    InterviewResumed,
    InterviewStarted,
    MarkDisputed,
    MarkOverridden,
    NotesWritten,
    PersonSpoke,
    QuestionAsked,
    QuestionClosed,
    QuestionFinished,
    QuestionReturned,
    QuestionSkipped,
    ReturnWished,
    SegmentClosed,
    SegmentOpened,
    StoryForgotten,
    TimeCalled,
)
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion, Segment, State
from knowledge.model import Question
from rubric.coding.task import StarterForm


def fold(events: Iterable[Event], damaged: int = 0) -> State:
    """The state that a journal amounts to.

    Total: events are taken in the order of their times whatever order they come in (equal times keep the
    order given), an id counts once, and an event about a question that was never asked, or a mark of an answer that
    was never given, is left out. A mark that comes after its question closed, or after the interview ended, still
    counts.

    Args:
        events: what is whole of the journal.
        damaged: number of events that are not, to be told.

    """
    ordered = _in_order(events)
    started = next((event for event in ordered if isinstance(event, InterviewStarted)), None)
    ended = next((event for event in ordered if isinstance(event, InterviewEnded)), None)
    asked = [event for event in ordered if isinstance(event, QuestionAsked)]
    known = {None, *(event.id for event in asked)}
    held = [event for event in ordered if getattr(event, "asked_id", None) in known]
    held = [event for event in held if ended is None or event.at <= ended.at]
    # Looking back at a question that is done takes no time from the one that is open; nor do notes. A drawing comes
    # with an answer.
    apart = CriterionSelfAssessed | NotesWritten | BoardDrawn | StoryForgotten
    held = [event for event in held if not isinstance(event, apart)]
    stamps = elapsed(held)
    opened = {event.part: event for event in ordered[::-1] if isinstance(event, SegmentOpened)}
    return State(
        plan=started.plan if started else None,
        asked=tuple(_question(event, ordered, stamps, started.plan if started else None) for event in asked),
        segments=tuple(_segment(event, ordered) for event in sorted(opened.values(), key=lambda event: event.at)),
        others=tuple(event for event in held if isinstance(event, _OF_NO_QUESTION)),
        paused=_paused(held),
        active_s=stamps[held[-1].id] if held else 0.0,
        last_at=held[-1].at if held else None,
        ended=ended,
        damaged=damaged,
        notes=next((event.text for event in reversed(ordered) if isinstance(event, NotesWritten)), ""),
        returns=_returns(held),
    )


def _in_order(events: Iterable[Event]) -> tuple[Event, ...]:
    once: dict[str, Event] = {}
    for event in sorted(events, key=lambda event: event.at):
        once.setdefault(event.id, event)
    return tuple(once.values())


_OF_NO_QUESTION = (SegmentOpened, PersonSpoke, InterviewerReplied, SegmentClosed, InterviewPaused, InterviewResumed)


def _paused(events: Iterable[Event]) -> bool:
    """Whether the latest stop of the clock was not taken back."""
    changes = [event for event in events if isinstance(event, InterviewPaused | InterviewResumed)]
    return bool(changes) and isinstance(changes[-1], InterviewPaused)


def _returns(events: Iterable[Event]) -> tuple[str, ...]:
    """The questions that the person wants to go back to, in the order in which they said so."""
    wishes = (
        event.to_id if isinstance(event, ReturnWished) else event.back_to
        for event in events
        if isinstance(event, ReturnWished | QuestionSkipped)
    )
    return tuple(dict.fromkeys(asked_id for asked_id in wishes if asked_id))


_IN_TALKS = (PersonSpoke, InterviewerReplied, ReturnWished)


def _segment(opened: SegmentOpened, events: Sequence[Event]) -> Segment:
    about = [event for event in events if getattr(event, "part", None) is opened.part]
    return Segment(
        part=opened.part,
        turns=(
            opened,
            *(event for event in about if isinstance(event, _IN_TALKS)),
        ),
        closed=any(isinstance(event, SegmentClosed) for event in about),
    )


def _question(
    asked: QuestionAsked, events: Sequence[Event], stamps: Mapping[str, float], plan: Plan | None
) -> AskedQuestion:
    about = [event for event in events if getattr(event, "asked_id", None) == asked.id]
    answers = tuple(event for event in about if isinstance(event, AnswerGiven))
    drawn = [event.drawing for event in events if isinstance(event, BoardDrawn) and event.on_id == asked.id]
    follow_ups = tuple(event for event in about if isinstance(event, FollowUpAsked))
    grades = _in_answer_order(answers, [event for event in about if isinstance(event, AnswerGraded)])
    grades = accumulated(asked.question.rubric, answers, follow_ups, grades)
    runs = tuple(event for event in about if isinstance(event, CodeRan))
    grades = with_estimates(asked.question, with_code_proof(asked.question, answers, runs, grades))
    graded = {grade.answer_id for grade in grades}
    counted = {grade.id: grade for grade in grades}
    marked = (event for event in about if not isinstance(event, AnswerGraded) or event.id in counted)
    returned = _returned(about)
    visit = about if returned is None else about[about.index(returned) :]
    return AskedQuestion(
        asked_id=asked.id,
        number=asked.number,
        question=asked.question,
        turns=(asked, *(counted.get(event.id, event) for event in marked)),
        answers=answers,
        follow_ups=follow_ups,
        declined=tuple(event for event in about if isinstance(event, AnswerDeclined)),
        shown=tuple(event for event in about if isinstance(event, CriterionShown)),
        hinted=any(isinstance(event, HintGiven) for event in about),
        grades=grades,
        failures=tuple(event for event in about if isinstance(event, GradingFailed) and event.answer_id not in graded),
        starter=_starter(asked.question, plan),
        runs=runs,
        finished=any(isinstance(event, QuestionFinished) for event in about),
        skipped=any(isinstance(event, QuestionSkipped) for event in visit),
        later=any(isinstance(event, QuestionSkipped) and event.later for event in about),
        returned=returned,
        closed=any(isinstance(event, QuestionClosed) for event in visit),
        self_assessed=_latest([event for event in about if isinstance(event, CriterionSelfAssessed)]),
        time_called=any(isinstance(event, TimeCalled) for event in about) or bool(returned and returned.last_word),
        active_s=_spent(asked, about, stamps) + (_spent(returned, visit, stamps) if returned else 0.0),
        disputes=_latest([event for event in reversed(about) if isinstance(event, MarkDisputed)])[::-1],
        second_grades=_latest([event for event in reversed(about) if isinstance(event, DisputeGraded)])[::-1],
        overrides=_latest([event for event in about if isinstance(event, MarkOverridden)]),
        stated=_stated(answers, [event for event in about if isinstance(event, ConfidenceStated)]),
        drawing=drawn[-1] if drawn else None,
        forgotten=any(isinstance(event, StoryForgotten) for event in about),
    )


def _starter(question: Question, plan: Plan | None) -> StarterForm | None:
    """The form in which a coding question was put."""
    wanted = plan.starter if plan is not None else StarterForm.REPAIR
    return question.task.form(wanted) if question.task is not None else None


def _returned(about: Sequence[Event]) -> QuestionReturned | None:
    """The first asking again after the question was closed."""
    closed = next((place for place, event in enumerate(about) if isinstance(event, QuestionClosed)), len(about))
    return next((event for event in about[closed:] if isinstance(event, QuestionReturned)), None)


def _spent(begun: QuestionAsked | QuestionReturned, about: Sequence[Event], stamps: Mapping[str, float]) -> float:
    """Seconds from the asking, the first or the second, to the closing; of the open question, to the latest event."""
    closed = next((event for event in about if isinstance(event, QuestionClosed) and event.id in stamps), None)
    until = stamps[closed.id] if closed else max(stamps.values(), default=0.0)
    return max(until - stamps.get(begun.id, until), 0.0)


_AboutPoint = TypeVar("_AboutPoint", CriterionSelfAssessed, MarkDisputed, DisputeGraded, MarkOverridden)


def _latest(events: Iterable[_AboutPoint]) -> tuple[_AboutPoint, ...]:
    """Of each criterion the last of the events given."""
    return tuple({event.criterion_id: event for event in events}.values())


def _stated(answers: Sequence[AnswerGiven], stated: Sequence[ConfidenceStated]) -> tuple[ConfidenceStated, ...]:
    latest = {event.answer_id: event for event in stated}
    return tuple(latest[answer.id] for answer in answers if answer.id in latest)


def _in_answer_order(answers: Sequence[AnswerGiven], grades: Sequence[AnswerGraded]) -> tuple[AnswerGraded, ...]:
    first: dict[str, AnswerGraded] = {}
    for grade in grades:
        first.setdefault(grade.answer_id, grade)
    return tuple(first[answer.id] for answer in answers if answer.id in first)
