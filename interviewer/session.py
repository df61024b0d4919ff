"""The interview as a fold over its journal, and what should happen next. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from interviewer.drill import next_drill
from interviewer.events import (
    AnswerGiven,
    AnswerGraded,
    CriterionSelfAssessed,
    Event,
    FollowUpAsked,
    FollowUpKind,
    GradingFailed,
    HintGiven,
    InterviewEnded,
    InterviewStarted,
    Plan,
    QuestionAsked,
    QuestionClosed,
    QuestionSkipped,
)
from interviewer.state import AskedQuestion, State
from serving.frozen import Frozen


class AskQuestion(Frozen):
    """Put the question of that place in the interview, counted from 1."""

    do: Literal["ask question"] = "ask question"
    number: int


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


class CloseQuestion(Frozen):
    """Ask nothing more on that question."""

    do: Literal["close question"] = "close question"
    asked_id: str


class EndInterview(Frozen):
    """The plan is done."""

    do: Literal["end interview"] = "end interview"
    reason: Literal["completed"] = "completed"


class Nothing(Frozen):
    """The interview has not begun or is over."""

    do: Literal["nothing"] = "nothing"


Action = AskQuestion | Listen | GradeAnswer | AskFollowUp | CloseQuestion | EndInterview | Nothing


def fold(events: Iterable[Event]) -> State:
    """The state that a journal amounts to.

    Total: events are taken in the order of their times whatever order they come in (equal times keep the
    order given), an id counts once, and an event about a question that was never asked is left out. A mark
    that comes after its question closed, or after the interview ended, still counts.

    """
    ordered = _in_order(events)
    started = next((event for event in ordered if isinstance(event, InterviewStarted)), None)
    ended = next((event for event in ordered if isinstance(event, InterviewEnded)), None)
    asked = (event for event in ordered if isinstance(event, QuestionAsked))
    return State(
        plan=started.plan if started else None,
        asked=tuple(_question(event, ordered) for event in asked),
        ended=ended,
    )


def next_action(state: State) -> Action:
    """What should happen next in an interview that stands like this."""
    if state.plan is None or state.ended is not None:
        return Nothing()
    current = state.current
    if current is not None:
        return _next_on(current, state.plan)
    if len(state.asked) < planned_length(state.plan):
        return AskQuestion(number=len(state.asked) + 1)
    return EndInterview()


def planned_length(plan: Plan) -> int:
    """How many questions the plan asks for, follow-ups not counted."""
    return len(set(plan.question_ids)) or plan.length


def ungraded(state: State) -> tuple[AnswerGiven, ...]:
    """The answers still to be graded, in order: failed gradings and those of closed questions included."""
    return tuple(
        answer
        for question in state.asked
        for answer in question.answers
        if all(grade.answer_id != answer.id for grade in question.grades)
    )


def said_so_far(question: AskedQuestion, answer_id: str) -> str:
    """All answers on the question up to that one, joined by a blank line: what its grade covers.

    Raises:
        KeyError: the question has no such answer.

    """
    texts: list[str] = []
    for answer in question.answers:
        texts.append(answer.text)
        if answer.id == answer_id:
            return "\n\n".join(texts)
    raise KeyError(answer_id)


def asked_by_id(state: State, asked_id: str) -> AskedQuestion:
    """The question of that asking.

    Raises:
        KeyError: there is none.

    """
    for question in state.asked:
        if question.asked_id == asked_id:
            return question
    raise KeyError(asked_id)


def _in_order(events: Iterable[Event]) -> tuple[Event, ...]:
    once: dict[str, Event] = {}
    for event in sorted(events, key=lambda event: event.at):
        once.setdefault(event.id, event)
    return tuple(once.values())


def _question(asked: QuestionAsked, events: Sequence[Event]) -> AskedQuestion:
    about = [event for event in events if getattr(event, "asked_id", None) == asked.id]
    answers = tuple(event for event in about if isinstance(event, AnswerGiven))
    grades = _in_answer_order(answers, [event for event in about if isinstance(event, AnswerGraded)])
    graded = {grade.answer_id for grade in grades}
    return AskedQuestion(
        asked_id=asked.id,
        number=asked.number,
        question=asked.question,
        turns=(asked, *about),
        answers=answers,
        follow_ups=tuple(event for event in about if isinstance(event, FollowUpAsked)),
        hinted=any(isinstance(event, HintGiven) for event in about),
        grades=grades,
        failures=tuple(event for event in about if isinstance(event, GradingFailed) and event.answer_id not in graded),
        skipped=any(isinstance(event, QuestionSkipped) for event in about),
        closed=any(isinstance(event, QuestionClosed) for event in about),
        self_assessed=_latest([event for event in about if isinstance(event, CriterionSelfAssessed)]),
    )


def _latest(assessed: Iterable[CriterionSelfAssessed]) -> tuple[CriterionSelfAssessed, ...]:
    return tuple({event.criterion_id: event for event in assessed}.values())


def _in_answer_order(answers: Sequence[AnswerGiven], grades: Sequence[AnswerGraded]) -> tuple[AnswerGraded, ...]:
    first: dict[str, AnswerGraded] = {}
    for grade in grades:
        first.setdefault(grade.answer_id, grade)
    return tuple(first[answer.id] for answer in answers if answer.id in first)


def _next_on(question: AskedQuestion, plan: Plan) -> Action:
    if question.skipped:
        return CloseQuestion(asked_id=question.asked_id)
    turn = next((turn for turn in reversed(question.turns) if isinstance(turn, AnswerGiven | FollowUpAsked)), None)
    if not isinstance(turn, AnswerGiven):
        return Listen()
    graded = next((grade for grade in question.grades if grade.answer_id == turn.id), None)
    if graded is None and all(failure.answer_id != turn.id for failure in question.failures):
        return GradeAnswer(asked_id=question.asked_id, answer_id=turn.id)
    drill = next_drill(
        question.question,
        graded.grade if graded else None,
        drilled=frozenset(follow_up.criterion_id for follow_up in question.follow_ups),
        left=plan.follow_ups - len(question.follow_ups),
    )
    if drill is None:
        return CloseQuestion(asked_id=question.asked_id)
    return AskFollowUp(asked_id=question.asked_id, kind=drill.kind, criterion_id=drill.criterion_id)
