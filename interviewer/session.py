"""The interview as a fold over its journal, and what should happen next. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeVar

from interviewer.clock import another_fits, elapsed, is_over
from interviewer.credit import accumulated
from interviewer.drill import failed, next_drill
from interviewer.events import (
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
    FollowUpKind,
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
    Part,
    PersonSpoke,
    Plan,
    QuestionAsked,
    QuestionClosed,
    QuestionFinished,
    QuestionReturned,
    QuestionSkipped,
    ReturnWished,
    TalkClosed,
    TalkOpened,
    TimeCalled,
)
from interviewer.execution import next_point
from interviewer.returning import Refusal, choose, noted, offered, wanted
from interviewer.state import AskedQuestion, State, Talk
from interviewer.talk import wants_no_more, wants_to_end
from rubric.execution import CodeStatus
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

MOST_REPLIES = 3
"""How many questions of the person are answered at the end, or words that say neither yes nor no are waited for."""


def fold(events: Iterable[Event]) -> State:
    """The state that a journal amounts to.

    Total: events are taken in the order of their times whatever order they come in (equal times keep the
    order given), an id counts once, and an event about a question that was never asked is left out. A mark
    that comes after its question closed, or after the interview ended, still counts.

    """
    ordered = _in_order(events)
    started = next((event for event in ordered if isinstance(event, InterviewStarted)), None)
    ended = next((event for event in ordered if isinstance(event, InterviewEnded)), None)
    asked = [event for event in ordered if isinstance(event, QuestionAsked)]
    known = {None, *(event.id for event in asked)}
    held = [event for event in ordered if getattr(event, "asked_id", None) in known]
    held = [event for event in held if ended is None or event.at <= ended.at]
    # Looking back at a question that is done takes no time from the one that is open; nor do notes.
    held = [event for event in held if not isinstance(event, CriterionSelfAssessed | NotesWritten)]
    stamps = elapsed(held)
    opened = {event.part: event for event in ordered[::-1] if isinstance(event, TalkOpened)}
    return State(
        plan=started.plan if started else None,
        asked=tuple(_question(event, ordered, stamps) for event in asked),
        talks=tuple(_talk(event, ordered) for event in sorted(opened.values(), key=lambda event: event.at)),
        others=tuple(event for event in held if isinstance(event, _OF_NO_QUESTION)),
        paused=_paused(held),
        active_s=stamps[held[-1].id] if held else 0.0,
        last_at=held[-1].at if held else None,
        ended=ended,
        notes=next((event.text for event in reversed(ordered) if isinstance(event, NotesWritten)), ""),
        returns=_returns(held),
    )


def next_action(state: State) -> Action:
    """What should happen next in an interview that stands like this."""
    if state.plan is None or state.ended is not None or state.paused:
        return Nothing()
    if state.current is not None and state.talk is None:
        return _next_on(state.current, state.plan)
    back = wanted(state)
    if back is not None:
        return ReturnTo(asked_id=back.asked_id)
    if state.talk is not None:
        return _next_in_way_back(state, state.talk) if state.talk.part is Part.WAY_BACK else _next_in_talk(state.talk)
    return _next_part(state, state.plan)


def _next_part(state: State, plan: Plan) -> Action:
    """What comes when nothing is open."""
    if plan.talks and not state.talks and not state.asked:
        return OpenTalk(part=Part.WARM_UP)
    more = len(state.asked) < planned_length(plan)
    if more and (another_fits(state) or not state.asked):
        return AskQuestion(number=len(state.asked) + 1)
    back = noted(state)
    if back is not None:
        return ReturnTo(asked_id=back.asked_id)
    if plan.talks and all(talk.part is not Part.THEIR_QUESTIONS for talk in state.talks):
        return OpenTalk(part=Part.THEIR_QUESTIONS)
    if not plan.talks and offered(state) is not None:
        return OpenTalk(part=Part.WAY_BACK)
    return EndInterview(reason="time is up" if more else "completed")


def planned_length(plan: Plan) -> int:
    """How many questions the plan asks for, follow-ups not counted."""
    return len(set(plan.question_ids)) or len(plan.agenda) or plan.length


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


_OF_NO_QUESTION = (TalkOpened, PersonSpoke, InterviewerReplied, TalkClosed, InterviewPaused, InterviewResumed)


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


def _talk(opened: TalkOpened, events: Sequence[Event]) -> Talk:
    about = [event for event in events if getattr(event, "part", None) is opened.part]
    return Talk(
        part=opened.part,
        turns=(
            opened,
            *(event for event in about if isinstance(event, _IN_TALKS)),
        ),
        closed=any(isinstance(event, TalkClosed) for event in about),
    )


def _next_in_talk(talk: Talk) -> Action:
    last = talk.turns[-1]
    if isinstance(last, ReturnWished):
        return Reply(part=talk.part, to_id=last.id)
    if not isinstance(last, PersonSpoke):
        return Listen() if len(talk.spoken) < MOST_REPLIES else CloseTalk(part=talk.part)
    if talk.part is Part.WARM_UP or wants_no_more(last.text):
        return CloseTalk(part=talk.part)
    return Reply(part=talk.part, to_id=last.id)


def _next_in_way_back(state: State, talk: Talk) -> Action:
    """Who says neither yes nor no is asked again; after coming back, there may be another question to go back to."""
    last = talk.turns[-1]
    if isinstance(last, PersonSpoke):
        done = wants_to_end(last.text) or len(talk.spoken) >= MOST_REPLIES
        return CloseTalk(part=talk.part) if done else Reply(part=talk.part, to_id=last.id)
    if not isinstance(last, TalkOpened) and isinstance(choose(state), Refusal):
        return CloseTalk(part=talk.part)
    return Reply(part=talk.part, to_id=last.id) if isinstance(last, ReturnWished) else Listen()


def _question(asked: QuestionAsked, events: Sequence[Event], stamps: Mapping[str, float]) -> AskedQuestion:
    about = [event for event in events if getattr(event, "asked_id", None) == asked.id]
    answers = tuple(event for event in about if isinstance(event, AnswerGiven))
    follow_ups = tuple(event for event in about if isinstance(event, FollowUpAsked))
    grades = _in_answer_order(answers, [event for event in about if isinstance(event, AnswerGraded)])
    grades = accumulated(asked.question.rubric, answers, follow_ups, grades)
    graded = {grade.answer_id for grade in grades}
    counted = {grade.id: grade for grade in grades}
    returned = _returned(about)
    visit = about if returned is None else about[about.index(returned) :]
    return AskedQuestion(
        asked_id=asked.id,
        number=asked.number,
        question=asked.question,
        turns=(asked, *(counted.get(event.id, event) for event in about)),
        answers=answers,
        follow_ups=follow_ups,
        declined=tuple(event for event in about if isinstance(event, AnswerDeclined)),
        shown=tuple(event for event in about if isinstance(event, CriterionShown)),
        hinted=any(isinstance(event, HintGiven) for event in about),
        grades=grades,
        failures=tuple(event for event in about if isinstance(event, GradingFailed) and event.answer_id not in graded),
        runs=tuple(event for event in about if isinstance(event, CodeRan)),
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
    )


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


def awaits_code(question: AskedQuestion, plan: Plan) -> bool:
    """Whether the person writes and runs code for this question."""
    return plan.editor and question.question.task is not None


def _next_on(question: AskedQuestion, plan: Plan) -> Action:
    if question.skipped or question.finished:
        return _ungraded_answer(question) or CloseQuestion(asked_id=question.asked_id)
    turn = _last_move(question, plan)
    if turn is None or _leaves_the_turn(turn, question):
        return Listen()
    if isinstance(turn, AnswerGiven) and _due(question, turn):
        return GradeAnswer(asked_id=question.asked_id, answer_id=turn.id)
    if not plan.drill and len(question.declined) >= _MOST_DECLINED:
        return _last_grade(question) or CloseQuestion(asked_id=question.asked_id)
    if awaits_code(question, plan):
        return _next_on_code(question, plan)
    return _drill(question, plan)


_MOST_DECLINED = 2
"""How often a person says on one question that they do not know before the interview moves on."""

_MOVES = (AnswerGiven, AnswerDeclined, FollowUpAsked, CriterionShown, QuestionReturned)


def _last_move(question: AskedQuestion, plan: Plan) -> Event | None:
    """The last thing that happened on a question and bears on what comes next; repairs do not."""
    kinds = (*_MOVES, CodeRan) if awaits_code(question, plan) else _MOVES
    moves = (turn for turn in reversed(question.turns) if isinstance(turn, kinds))
    return next((turn for turn in moves if not isinstance(turn, CodeRan) or turn.submitted), None)


def _leaves_the_turn(turn: Event, question: AskedQuestion) -> bool:
    """Whether it is the person who speaks next: they were asked or offered something, or have not finished."""
    match turn:
        case FollowUpAsked() | QuestionReturned() | AnswerGiven(unfinished=True):
            return True
        case AnswerDeclined(follow_up_id=None):
            return len(question.declined) < _MOST_DECLINED
        case _:
            return False


def _due(question: AskedQuestion, answer: AnswerGiven) -> bool:
    """Whether an answer is still to be graded, and was not tried in vain."""
    known = {grade.answer_id for grade in question.grades} | {failure.answer_id for failure in question.failures}
    return answer.id not in known


def _ungraded_answer(question: AskedQuestion) -> GradeAnswer | None:
    """The last answer of a finished coding question, where its mark is still to come: what was said counts."""
    return _last_grade(question) if question.finished else None


def _last_grade(question: AskedQuestion) -> GradeAnswer | None:
    """The last answer, where its mark is still to come."""
    if not question.answers or not _due(question, question.answers[-1]):
        return None
    return GradeAnswer(asked_id=question.asked_id, answer_id=question.answers[-1].id)


def _next_on_code(question: AskedQuestion, plan: Plan) -> Action:
    """Words may come before, between and after submissions; the interviewer asks when there is something to ask about.

    As long as the tests do not pass, the question stays open: the person may always try again, or finish.
    """
    submitted = question.submission
    if submitted is None:
        return Listen()
    point = next_point(question)
    if point is not None:
        return AskFollowUp(asked_id=question.asked_id, kind=point.kind, criterion_id=point.topic)
    if submitted.result.status is not CodeStatus.PASSED:
        return Listen()
    return _drill(question, plan)


def _drill(question: AskedQuestion, plan: Plan) -> Action:
    last = question.answers[-1] if question.answers else None
    graded = next((grade for grade in question.grades if last and grade.answer_id == last.id), None)
    grade = graded.grade if graded else None
    about_words = [asked for asked in question.follow_ups if not asked.about_run]
    if question.time_called or is_over(question, plan):
        return CloseQuestion(asked_id=question.asked_id)
    tried = [asked.criterion_id for asked in about_words if asked.kind is not FollowUpKind.DEPTH]
    tried += [declined.criterion_id for declined in question.declined if declined.criterion_id]
    if plan.drill:
        told = {shown.criterion_id for shown in question.shown}
        untold = (name for name in tried if name not in told)
        missed = next((name for name in untold if failed(question.question, grade, name, answered=bool(last))), None)
        if missed is not None:
            return ShowCriterion(asked_id=question.asked_id, criterion_id=missed)
    deeper = sum(asked.kind is FollowUpKind.DEPTH for asked in about_words)
    drill = next_drill(
        question.question,
        grade,
        drilled=frozenset([*tried, *(asked.criterion_id for asked in about_words)]),
        left=_limit(question, plan) - len(about_words),
        said=graded.graded_text if graded and not plan.drill and _last_move(question, plan) is last else "",
        answered=last is not None,
        deeper=deeper if plan.depth else None,
    )
    if drill is None:
        return CloseQuestion(asked_id=question.asked_id)
    return AskFollowUp(asked_id=question.asked_id, kind=drill.kind, criterion_id=drill.criterion_id)


def _limit(question: AskedQuestion, plan: Plan) -> int:
    """Most follow-ups that a question may get: while drilling, one for each of its criteria."""
    rubric = question.question.rubric
    return max(len(rubric.criteria), plan.follow_ups) if plan.drill and rubric else plan.follow_ups
