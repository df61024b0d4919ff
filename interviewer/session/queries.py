"""Questions about a session's state: planned length, ungraded answers, what was said so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from interviewer.session.design_round import asks_for_requirements
from interviewer.session.events import AnswerGiven, ClarificationGiven, Event, FollowUpAsked, GradingFailed
from interviewer.session.follow_up_kinds import BESIDE_THE_POINT
from interviewer.session.plan import Plan, SegmentKind
from interviewer.session.state import AskedQuestion, State
from rubric.model import Criterion
from serving.errors import StorageError


def require_plan(state: State) -> Plan:
    """Returns the plan of a session that has begun.

    Raises:
        StorageError: its journal has no beginning.

    """
    if state.plan is None:
        raise StorageError("The interview has no beginning in its journal.")
    return state.plan


def planned_length(plan: Plan) -> int:
    """How many questions the plan asks for, follow-ups not counted."""
    return len(set(plan.question_ids)) or len(plan.agenda) or plan.length


def shown_length(plan: Plan | None, asked: int) -> int:
    """How many questions an interview is shown to have: those planned, and those that were asked beyond them.

    Args:
        plan: of the interview; may be missing.
        asked: how many were asked, or the number of the one that is shown.

    """
    return max(planned_length(plan) if plan else 0, asked)


def beyond_plan(asked: AskedQuestion, plan: Plan) -> bool:
    """Whether a question was asked since there was time left, and is no part of the plan."""
    return asked.number > planned_length(plan)


def as_said(turns: Sequence[Event]) -> list[Event]:
    """The turns of a question in the order in which they were said.

    What somebody asks at the end of an answer, such as how much time is left, is replied to before the answer is dealt
    with, and so stands before it in the journal; the reply's id is that of the answer with more behind it.
    """
    said = list(turns)
    for place, (reply, turn) in enumerate(pairwise(turns)):
        if isinstance(reply, ClarificationGiven) and reply.id.startswith(f"{turn.id}:"):
            said[place : place + 2] = turn, reply
    return said


def answered(state: State) -> int:
    """How many questions the person answered, in whatever way; saying that they do not know is no answer."""
    return sum(bool(asked.answers) for asked in state.asked)


def ended_early(state: State) -> bool:
    """Whether the person ended the interview before they had answered every question of its plan."""
    if state.ended is None or state.plan is None or state.ended.reason != "ended by the person":
        return False
    return answered(state) < planned_length(state.plan)


def ungraded(state: State) -> tuple[AnswerGiven, ...]:
    """The answers still to be graded, in order: failed gradings and those of closed questions included."""
    return tuple(answer for question in state.asked for answer in ungraded_on(question))


def ungraded_on(question: AskedQuestion) -> tuple[AnswerGiven, ...]:
    """The same on one question; marks from before one of them call missing what it said."""
    graded = {grade.answer_id for grade in question.grades}
    return tuple(answer for answer in question.answers if answer.id not in graded)


class Words(NamedTuple):
    """What a person said in one turn, as it is graded.

    Attributes:
        id: of the event that holds it.
        text: the words.
        asks: they asked about the requirements of a design round; grades of earlier versions do not cover such words.

    """

    id: str
    text: str
    asks: bool = False


def graded_words(question: AskedQuestion) -> Iterator[Words]:
    """All that is graded of what was said on a question, turn by turn.

    These are the answers and, in a design round, what was asked about the requirements: to ask for them is part of
    the answer.
    """
    for turn in question.turns:
        if isinstance(turn, AnswerGiven):
            yield Words(turn.id, turn.text)
        elif asks_for_requirements(turn, question):
            yield Words(turn.id, turn.words, asks=True)


def said_so_far(question: AskedQuestion, answer_id: str) -> str:
    """All that is graded on the question up to that answer, joined by a blank line: what its grade covers.

    Raises:
        KeyError: the question has no such answer.

    """
    texts: list[str] = []
    for said in graded_words(question):
        texts.append(said.text)
        if said.id == answer_id:
            return _joined(texts)
    raise KeyError(answer_id)


def said_with(question: AskedQuestion, more: str) -> str:
    """All that is graded on the question and what is said after it, joined as ``said_so_far`` joins them."""
    return _joined([*(said.text for said in graded_words(question)), more])


def _joined(texts: list[str]) -> str:
    return "\n\n".join(texts)


def late_mark(question: AskedQuestion) -> GradingFailed | None:
    """What stands in for the mark of the last answer while it is still to come: the words nearest to each criterion.

    Returns:
        ``None`` where the mark is there, nobody has stopped waiting for it, or no such words are known.

    """
    last = question.answers[-1].id if question.answers else None
    late = next((failure for failure in question.failures if failure.answer_id == last), None)
    return late if late is not None and late.nearest else None


def asked_by_id(state: State, asked_id: str) -> AskedQuestion:
    """The question of that asking.

    Raises:
        KeyError: there is none.

    """
    for question in state.asked:
        if question.asked_id == asked_id:
            return question
    raise KeyError(asked_id)


def point_asked_for(asked: AskedQuestion, answer: AnswerGiven) -> str:
    """The id of the criterion that the follow-up before an answer was about; empty where it answers none."""
    return next((event.criterion_id for event in asked.follow_ups if event.id == answer.follow_up_id), "")


def criterion_asked_for(asked: AskedQuestion, follow_up: FollowUpAsked) -> Criterion | None:
    """The point that a follow-up asks for; ``None`` where it is only filed under one, or on none of the rubric."""
    points = asked.question.rubric.criteria if asked.question.rubric else ()
    if follow_up.kind in BESIDE_THE_POINT:
        return None
    return next((point for point in points if point.id == follow_up.criterion_id), None)


def is_through(state: State) -> bool:
    """Whether every question was asked and only the person's own are left."""
    return state.segment is not None and state.segment.part is SegmentKind.THEIR_QUESTIONS


def open_follow_up(asked: AskedQuestion) -> str | None:
    """Id of the follow-up that the person has not replied to; ``None`` where the question itself is open."""
    last = asked.follow_ups[-1] if asked.follow_ups else None
    if last is None or (asked.returned is not None and asked.returned.at >= last.at):
        return None
    replied = [answer.follow_up_id for answer in asked.answers if not answer.unfinished]
    return None if last.id in {*replied, *(left.follow_up_id for left in asked.declined)} else last.id
