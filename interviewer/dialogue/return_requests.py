"""What becomes of the wish to go back to a question that was left, in words or by a button. Pure."""

from __future__ import annotations

import re
from datetime import datetime

from interviewer.dialogue import templates, utterances
from interviewer.policy.question_returns import Refusal, choose, overran, which
from interviewer.session.events import (
    AnswerDeclined,
    AsideTaken,
    CorrectionRaised,
    DeclineReason,
    Event,
    QuestionAsked,
    QuestionReturned,
    QuestionSkipped,
    ReturnWished,
)
from interviewer.session.follow_up_kinds import rule_of
from interviewer.session.plan import Plan, SegmentKind
from interviewer.session.queries import open_follow_up, planned_length
from interviewer.session.state import AskedQuestion, State
from interviewer.text import in_words, sentences, wording
from interviewer.understanding.intent import Intent
from interviewer.understanding.question_references import Place, QuestionReference
from interviewer.understanding.turn_parts import left_by_mistake
from interviewer.understanding.turn_requests import asks_leave_to_go_on, finishes_first, puts_off
from interviewer.understanding.utterance import Utterance
from serving.errors import BadInputError


def return_request(state: State, asked: AskedQuestion, said: Utterance, request_id: str, *, at: datetime) -> Event:
    """The event that the wish amounts to while a question is open.

    The open question is kept, unless the person says as well that they want to leave it.

    Args:
        state: the interview's.
        asked: the open question.
        said: how the person said it.
        request_id: the event's id.
        at: when they said so.

    """
    meant = choose(state, said)
    if meant is Refusal.ANSWERED and (answered := which(state, said.reference, said.text, state.asked)) is not None:
        return CorrectionRaised(
            id=request_id,
            at=at,
            asked_id=asked.asked_id,
            words=said.text,
            to_id=answered.asked_id,
            said=templates.ADD_TO.format(number=in_words(answered.number)),
        )
    if isinstance(meant, Refusal):
        # Who asks whether they may answer what was asked before means the open question, and all on it is heard.
        may = asks_leave_to_go_on(said.text)
        intent, reply = (Intent.RESUME, templates.GO_AHEAD[0]) if may else (Intent.RETURN, refusal(meant))
        return AsideTaken(id=request_id, at=at, asked_id=asked.asked_id, intent=intent, words=said.text, said=reply)
    if said.leaves_open_question:
        return QuestionSkipped(id=request_id, at=at, asked_id=asked.asked_id, words=said.text, back_to=meant.asked_id)
    return return_button(state, request_id, at=at, meant=meant, words=said.text)


def taken_back(state: State, asked: AskedQuestion, said: Utterance, request_id: str, *, at: datetime) -> Event | None:
    """The return to a question that the person says they did not want to leave; else ``None``."""
    meant = choose(state) if left_by_mistake(said.text) else None
    if meant is None or isinstance(meant, Refusal):
        return None
    if after_leaving(state, asked):
        return QuestionSkipped(id=request_id, at=at, asked_id=asked.asked_id, words=said.text, back_to=meant.asked_id)
    return return_request(state, asked, said, request_id, at=at)


def kept_open(state: State, asked: AskedQuestion, said: Utterance, request_id: str, *, at: datetime) -> Event | None:
    """The reply to whoever puts off the last question or wants another in its place; else ``None``.

    Nothing comes after it, so that it would be lost, or asked again at once.
    """
    plan = state.plan or Plan()
    if len(state.asked) < planned_length(plan) or asked is not state.asked[-1]:
        return None
    if said.intent is Intent.SKIP and _ANOTHER.search(said.text):
        reply = templates.NO_OTHER
    elif said.intent is Intent.LATER and isinstance(choose(state), Refusal):
        reply = templates.LAST_ONE
    else:
        return None
    return AsideTaken(id=request_id, at=at, asked_id=asked.asked_id, intent=said.intent, words=said.text, said=reply)


_ANOTHER = re.compile(
    r"\b(?:can|could|may|might|would|let)\b[^.?!]{0,30}"
    r"\b(?:another|(?:a|some) (?:different|other|new)) (?:one|question)\b"
    r"|\b(?:another|a different) (?:one|question) instead\b",
    re.IGNORECASE,
)
"""Asks for another question in place of this one."""


def follow_up_left(
    asked: AskedQuestion,
    plan: Plan,
    request_id: str,
    *,
    at: datetime,
    reason: DeclineReason = DeclineReason.SKIPPED,
    words: str = "",
) -> AnswerDeclined:
    """The person leaves the last follow-up; the question goes on without it."""
    choices = {
        DeclineReason.SKIPPED: templates.LEAVING_FOLLOW_UP[plan.style],
        DeclineReason.LATER: templates.FOLLOW_UP_LATER,
    }.get(reason, templates.SAID_ALREADY)
    return AnswerDeclined(
        id=request_id,
        at=at,
        asked_id=asked.asked_id,
        follow_up_id=asked.follow_ups[-1].id if asked.follow_ups else None,
        reason=reason,
        words=words,
        said=choices[(plan.seed + asked.number + len(asked.declined)) % len(choices)],
    )


def follow_up_put_off(
    state: State, asked: AskedQuestion, said: Utterance, request_id: str, *, at: datetime
) -> AnswerDeclined | None:
    """The wish to come back to a follow-up; ``None`` where it is none, or the follow-up cannot wait.

    Who wants to say something else first has the floor. A plain wish to come back later leaves the whole question, as
    long as others come before it is asked again. What was put off once is left the second time.
    """
    plan = state.plan or Plan()
    wished = said.intent is Intent.LATER
    whole = said.leaves_whole_question or (wished and len(state.asked) < planned_length(plan))
    if open_follow_up(asked) is None or whole or not (wished or puts_off(said.text)):
        return None
    last = asked.follow_ups[-1]
    if not rule_of(last.kind).gives_help or last.about_run:
        return None
    if any((each.kind, each.criterion_id) == (last.kind, last.criterion_id) for each in asked.follow_ups[:-1]):
        return follow_up_left(asked, plan, request_id, at=at, words=said.text)
    left = follow_up_left(asked, plan, request_id, at=at, reason=DeclineReason.LATER, words=said.text)
    if not finishes_first(said.text):
        return left
    reply = wording(templates.FINISH_FIRST, plan.seed, len(asked.follow_ups))
    return left.model_copy(update={"floor": True, "said": reply})


def wished_in_talk(state: State, said: Utterance, request_id: str, *, at: datetime) -> Event | None:
    """The same in a part in which nothing is graded; ``None`` where the words are no such wish, or it cannot be."""
    if not _asks_back(state, said):
        return None
    meant = choose(state, said)
    return None if isinstance(meant, Refusal) else return_button(state, request_id, at=at, meant=meant, words=said.text)


def return_button(
    state: State, request_id: str, *, at: datetime, meant: AskedQuestion | None = None, words: str = ""
) -> Event:
    """The wish to go back to a question, once the open one is closed; without ``meant`` to the one left last.

    Raises:
        BadInputError: there is no going back.

    """
    found = meant or choose(state)
    if isinstance(found, Refusal):
        raise BadInputError(refusal(found))
    part = state.segment.part if state.segment else None
    asked_id = state.current.asked_id if state.current and part is None else None
    said = templates.GLADLY_BACK if asked_id is None else templates.BACK_AFTER_THIS
    return ReturnWished(
        id=request_id,
        at=at,
        asked_id=asked_id,
        part=part,
        to_id=found.asked_id,
        words=words,
        said=said.format(number=in_words(found.number)),
    )


def question_asked_again(asked: AskedQuestion, plan: Plan, *, at: datetime) -> Event:
    """The question asked again; where its time is used up, for a last word."""
    last_word = overran(asked, plan)
    said = utterances.ask_again(asked, plan.seed, last_word=last_word)
    return QuestionReturned(
        id=f"{asked.asked_id}:returned", at=at, asked_id=asked.asked_id, said=said, last_word=last_word
    )


def after_leaving(state: State, asked: AskedQuestion) -> bool:
    """Whether a person who wants to answer after all means the question that they left just before this one."""
    fresh = all(isinstance(turn, QuestionAsked) for turn in asked.turns)
    before = which(state, QuestionReference(place=Place.PREVIOUS), "", ())
    return fresh and before is not None and before is choose(state)


def reply(state: State, said: Utterance) -> str:
    """What is said to a wish in a part without marks that cannot be fulfilled; empty where it is none."""
    if not _asks_back(state, said):
        return ""
    meant = choose(state, said)
    return refusal(meant) if isinstance(meant, Refusal) else ""


def offer(state: State, *, again: bool = False) -> str:
    """The offer to go back to the question that was left last, before the interview ends; empty where there is none.

    Args:
        state: the interview's.
        again: the person has just been back to another one.

    """
    meant = choose(state)
    if isinstance(meant, Refusal):
        return ""
    seed = state.plan.seed if state.plan else 0
    said = templates.STILL_LEFT if again else templates.OFFERS_BACK[seed % len(templates.OFFERS_BACK)]
    return said.format(number=in_words(meant.number))


def refusal(why: Refusal) -> str:
    """Why there is no going back, kindly."""
    return templates.NO_WAY_BACK[why.value]


def possible(state: State) -> bool:
    """Whether there is a question to go back to now, and the person may say so."""
    at_the_end = state.segment is not None and state.segment.part is not SegmentKind.WARM_UP
    return (state.current is not None or at_the_end) and not isinstance(choose(state), Refusal)


def is_offered(state: State) -> bool:
    """Whether the person is being offered to go back before the end."""
    return state.segment is not None and state.segment.part is SegmentKind.WAY_BACK


def _asks_back(state: State, said: Utterance) -> bool:
    if is_offered(state):
        return said.agrees
    # "I didn't mean that we stop. Can we go back to it? I know it now."
    asks = (part for part in sentences(said.text) if part.endswith("?"))
    parts = {*asks, sentences(said.text)[-1]}
    return said.intent is Intent.RETURN or any(said.part(part).intent is Intent.RETURN for part in parts)
