"""How much is left of a question and of the interview: its place, the time, the follow-ups. Pure."""

from __future__ import annotations

from datetime import datetime

from interviewer.dialogue import templates
from interviewer.dialogue.about_the_interview.rules import on_the_interview
from interviewer.policy.next_action import awaits_code
from interviewer.session.clock import allowance_s, left_s, since_last
from interviewer.session.events import ClarificationGiven, Event
from interviewer.session.plan import Plan
from interviewer.session.queries import beyond_plan, planned_length
from interviewer.session.state import AskedQuestion, State
from interviewer.text import in_words, wording
from interviewer.understanding.closing_request import Closing, asks_for_follow_ups, asks_for_time, without_reason
from interviewer.understanding.intent import Intent
from interviewer.understanding.utterance import Utterance


def time_left(state: State, asked: AskedQuestion, words: str, at: datetime, *, beside: bool = False) -> str:
    """What is told of the time that is left for a question and for the interview; without a clock, its place.

    Args:
        state: the interview's.
        asked: the open question.
        words: what the person said; they may ask how many follow-ups are left.
        at: when.
        beside: whether they asked beside an answer, after which the question may be done with.

    """
    plan = state.plan or Plan()
    if asks_for_follow_ups(words):
        replies = templates.ACK_REPLIES[Closing.FOLLOW_UPS.value]
        return wording(replies, plan.seed, asked.number).format(place=place(asked, plan))
    left = left_s(state)
    if left is None:
        return wording(templates.ACK_REPLIES["no clock"], plan.seed, asked.number).format(place=place(asked, plan))
    here, since = allowance_s(asked, plan) - asked.active_s, since_last(state, at)
    if beside:
        return templates.TIME_LEFT_IN_ALL.format(all=_minutes(left - since))
    times = (min(here, left) - since, left - since)
    # "Eleven minutes left on this, and 17 in all" mixes two ways to write a number.
    digits = max(times) / 60 > _MOST_IN_WORDS
    told = templates.TIME_LEFT.format(here=_minutes(times[0], digits=digits), all=_minutes(times[1], digits=digits))
    return f"{told} This is {place(asked, plan)}."


def asked_for_time(
    state: State, asked: AskedQuestion, said: Utterance, request_id: str, at: datetime
) -> ClarificationGiven | None:
    """The reply to whoever asks how much time is left; ``None`` where more than that is said."""
    plan = state.plan or Plan()
    before = sum(len(part.split()) for part in without_reason(said.text)[:-1])
    alone = said.beside_alone is Closing.TIME
    asks = asks_for_time(said.text) and (before <= _MOST_BESIDE or awaits_code(asked, plan))
    if not (alone or asks):
        return None
    return told(state, asked, said.text, request_id, at)


def asked_on_the_interview(
    asked: AskedQuestion, plan: Plan, said: Utterance, request_id: str, at: datetime
) -> ClarificationGiven | None:
    """The reply to whoever asks how the interview works; ``None`` where more than that is said."""
    if said.beside_alone is not Closing.FORMAT or said.intent not in _PERHAPS_ON_IT or said.wish is not None:
        return None
    given = sum(isinstance(turn, ClarificationGiven) for turn in asked.turns)
    reply = on_the_interview(said.text, plan) or wording(templates.ACK_REPLIES[Closing.FORMAT.value], plan.seed, given)
    return ClarificationGiven(id=request_id, at=at, asked_id=asked.asked_id, words=said.text, said=reply)


_PERHAPS_ON_IT = frozenset({Intent.ANSWER, Intent.CLARIFICATION, Intent.QUESTION})


def told(
    state: State, asked: AskedQuestion, words: str, request_id: str, at: datetime, *, beside: bool = False
) -> ClarificationGiven:
    """What is left, told to whoever asked for it with these words; see ``time_left``."""
    said = time_left(state, asked, words, at, beside=beside)
    return ClarificationGiven(id=request_id, at=at, asked_id=asked.asked_id, words=words, said=said)


_MOST_BESIDE = 8
"""Words before that question up to which nothing else is said."""


def with_time(event: Event, state: State, asked: AskedQuestion, said: Utterance) -> Event:
    """A reply with the time that is left, where that was asked for beside something else."""
    if not isinstance(event, ClarificationGiven) or not asks_for_time(said.text):
        return event
    told = time_left(state, asked, said.text, event.at)
    if told in event.said:
        return event
    return event.model_copy(update={"said": told if said.text.count("?") == 1 else f"{event.said} {told}"})


def place(asked: AskedQuestion, plan: Plan) -> str:
    """Which of how many questions it is."""
    if beyond_plan(asked, plan):
        return "one more question, since there was time"
    number, all_of_them = in_words(asked.number), planned_length(plan)
    if asked.number == all_of_them:
        return "the last question on my list"
    return f"question {number} of {in_words(all_of_them)}"


def _minutes(seconds: float, *, digits: bool = False) -> str:
    number = max(1, round(seconds / 60))
    said = str(number) if digits else in_words(number)
    return f"{said} minute" if number == 1 else f"{said} minutes"


_MOST_IN_WORDS = 12.5
