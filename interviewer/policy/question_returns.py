"""Which question that was left can be gone back to, and when it is asked again. Pure.

A question can be gone back to once, as long as its answer was not shown: one that was skipped, whose answer is kept
back until the interview is over, and in an exam, in which nothing is shown, also one that the person did not know or
that the clock cut short. Follow-ups and time are counted over both times.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from interviewer.session.clock import another_fits, is_over
from interviewer.session.events import InterviewerReplied, QuestionClosed
from interviewer.session.plan import Mode, Plan, SegmentKind
from interviewer.session.state import AskedQuestion, State
from interviewer.understanding.question_references import Place, QuestionReference, subject
from interviewer.understanding.stop_words import EMPTY
from interviewer.understanding.utterance import Utterance


class Refusal(StrEnum):
    """Why there is no going back."""

    NOTHING_LEFT = "nothing left"
    """No question was left."""
    PRESENT = "present"
    """It is the open one."""
    ANSWERED = "answered"
    TWICE = "twice"
    """It was asked a second time already."""
    SHOWN = "shown"
    """The person may have read a strong answer to it."""
    NO_TIME = "no time"


def can_come_back(asked: AskedQuestion, plan: Plan) -> bool:
    """Whether a question may be asked again while the interview lasts, time apart."""
    if not asked.closed or asked.returned is not None or asked.finished:
        return False
    return asked.skipped or (plan.mode is Mode.EXAM and (asked.left or overran(asked, plan)))


def overran(asked: AskedQuestion, plan: Plan) -> bool:
    """Whether the time for a question is used up."""
    return asked.time_called or is_over(asked, plan)


def answer_kept_back(asked: AskedQuestion, state: State) -> bool:
    """Whether a closed question's marks and answer are not shown yet, since the person may still go back to it."""
    return state.plan is not None and state.ended is None and can_come_back(asked, state.plan)


def was_told(state: State) -> bool:
    """Whether a question of the person's was answered out of the documents: it may have been the one that was left."""
    turns = (turn for segment in state.segments for turn in segment.turns)
    return any(isinstance(turn, InterviewerReplied) and turn.place for turn in turns)


def awaited(asked: AskedQuestion, state: State) -> bool:
    """Whether a question that was left is to be asked again, because the person said so, if time is left."""
    return answer_kept_back(asked, state) and (asked.later or asked.asked_id in state.returns)


def wanted(state: State) -> AskedQuestion | None:
    """The question to be asked again now, because the person said that they want to go back to it."""
    open_to = {asked.asked_id: asked for asked in _open_to(state)}
    return next((open_to[asked_id] for asked_id in state.returns if asked_id in open_to), None)


def noted(state: State) -> AskedQuestion | None:
    """The question to be asked again before the end, because the person said so when they left it."""
    return next((asked for asked in _open_to(state) if asked.later), None)


def offered(state: State) -> AskedQuestion | None:
    """The question that is offered before the end: the one closed last, where nobody could say yet that they want it.

    Once an interview: who had the offer made their choice.
    """
    if any(segment.part is SegmentKind.WAY_BACK for segment in state.segments):
        return None
    found = choose(state)
    return found if not isinstance(found, Refusal) and found is _closed_last(state.asked) else None


def choose(state: State, said: Utterance | None = None) -> AskedQuestion | Refusal:
    """The question that the person wants to go back to, or why they cannot.

    Args:
        state: the interview's.
        said: how they said it; where it names no question, the one that was left last is meant.

    """
    name = said.reference if said else None
    meant = which(state, name, said.text if said else "", state.asked)
    if meant is None and (name is None or name.place in {Place.LEFT, Place.SUBJECT}):
        return _last_left(state)
    return Refusal.NOTHING_LEFT if meant is None else _if_open(meant, state)


def which(
    state: State, name: QuestionReference | None, text: str, among: Sequence[AskedQuestion]
) -> AskedQuestion | None:
    """The question that a name means; ``None`` where that is not clear.

    Args:
        state: the interview's.
        name: what was named; ``None`` where nothing was.
        text: the words around it.
        among: the questions that may be meant by what they are about.

    """
    if name is None:
        return None
    left = [asked for asked in state.asked if asked.skipped or asked.left or asked.returned is not None]
    match name.place:
        case Place.NUMBER:
            return next((asked for asked in state.asked if asked.number == name.number), None)
        case Place.PREVIOUS:
            return _closed_last(state.asked)
        case Place.PRESENT:
            return state.current
        case Place.LEFT:
            return left[name.number - 1] if 0 < name.number <= len(left) else None
        case Place.SUBJECT:
            return _about(text, among)


def _last_left(state: State) -> AskedQuestion | Refusal:
    plan = state.plan or Plan()
    open_to = [asked for asked in state.asked if can_come_back(asked, plan)]
    if open_to:
        return _if_open(_closed_last(open_to) or open_to[-1], state)
    left = [asked for asked in state.asked if asked.closed and (asked.left or overran(asked, plan))]
    if any(asked.returned is not None for asked in left):
        return Refusal.TWICE
    return Refusal.SHOWN if left else Refusal.NOTHING_LEFT


def _if_open(asked: AskedQuestion, state: State) -> AskedQuestion | Refusal:
    plan = state.plan or Plan()
    if state.current is not None and asked.asked_id == state.current.asked_id:
        return Refusal.PRESENT
    if asked.returned is not None:
        return Refusal.TWICE
    if not can_come_back(asked, plan):
        return Refusal.SHOWN if asked.left or overran(asked, plan) else Refusal.ANSWERED
    if was_told(state):
        return Refusal.SHOWN
    return asked if another_fits(state) else Refusal.NO_TIME


def _open_to(state: State) -> list[AskedQuestion]:
    if state.plan is None or not another_fits(state) or was_told(state):
        return []
    return [asked for asked in state.asked if can_come_back(asked, state.plan)]


def _closed_last(asked: Sequence[AskedQuestion]) -> AskedQuestion | None:
    def closed_at(each: AskedQuestion) -> datetime:
        return max(turn.at for turn in each.turns if isinstance(turn, QuestionClosed))

    return max((each for each in asked if each.closed), key=closed_at, default=None)


def _about(text: str, among: Sequence[AskedQuestion]) -> AskedQuestion | None:
    """The one question that shares most words with what was said; ``None`` where none does, or several do.

    The words by which it is named count before all others: what is said on it may sound like another one.
    """
    name = _content(subject(text))
    named = [(_in_common(name, each), each) for each in among]
    said = _content(text)
    shared = [(len(said & _content(f"{each.question.topic} {each.question.text}")), each) for each in among]
    return _only_best(named) or _only_best(shared)


def _in_common(name: frozenset[str], asked: AskedQuestion) -> int:
    """How many words of a name a question has, of which people say the beginning only, as in "dict"."""
    question = asked.question
    held = _content(" ".join((question.id, question.title, question.topic, question.text, question.spoken)))
    return sum(any(word.startswith(said) for word in held) for said in name)


def _only_best(shared: Sequence[tuple[int, AskedQuestion]]) -> AskedQuestion | None:
    most = max((count for count, _ in shared), default=0)
    best = [each for count, each in shared if count == most]
    return best[0] if most and len(best) == 1 else None


def _content(text: str) -> frozenset[str]:
    words = (word.removesuffix("s") for word in re.findall(r"[a-z]{3,}", text.lower()) if word not in EMPTY)
    return frozenset(word for word in words if word not in {"question", "skipped", "earlier", "previous"})
