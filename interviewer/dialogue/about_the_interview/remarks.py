"""What is replied to a turn that is no answer and changes nothing: how to answer, how it goes, small talk. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from interviewer.dialogue import clarifications, code_status, open_choices, templates, what_is_left
from interviewer.dialogue.about_the_interview.rules import on_the_interview
from interviewer.dialogue.hints import offered_hints
from interviewer.policy.next_action import awaits_code
from interviewer.session.events import AnswerGiven, ClarificationGiven, Event
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion, State
from interviewer.text import wording
from interviewer.understanding.closing_request import Closing
from interviewer.understanding.utterance import Utterance
from interviewer.understanding.whole_turns.request import Request
from knowledge.model import Kind

_CLEARLY = 0.5
"""Probability of a request from which it is replied to before any rule: wide ones hold nearly every question."""


def replied(state: State, asked: AskedQuestion, said: Utterance, request_id: str, *, at: datetime) -> Event | None:
    """The reply to a turn that clearly wants something which changes nothing; ``None`` where it is anything else.

    Args:
        state: the interview's.
        asked: the open question.
        said: what the person said.
        request_id: the event's id.
        at: when it was said.

    """
    sure = said.wanted is not None and said.wanted.chance >= _CLEARLY
    takes_hint = said.agrees and offered_hints.is_offered(asked)
    if takes_hint or code_status.answer(asked, said.text):
        return None
    return _replied(state, asked, said, request_id, at) if sure else None


def replied_at_last(
    state: State, asked: AskedQuestion, said: Utterance, request_id: str, *, at: datetime
) -> Event | None:
    """The reply to a turn that wants something, though nobody knows what; ``None`` where it is an answer.

    It is what is said where nothing else replies: the words are lost to no answer, and the person has the floor.
    """
    if said.request is None:
        return None
    known = _replied(state, asked, said, request_id, at)
    plan = state.plan or Plan()
    return known or _told(asked, said, request_id, at, wording(templates.NOT_SURE_WHAT, plan.seed, _given(asked)))


def _replied(state: State, asked: AskedQuestion, said: Utterance, request_id: str, at: datetime) -> Event | None:
    plan = state.plan or Plan()
    request = _by_words(said.request, said.text)
    if request in _OF_TIME:
        # Who has to go says how much time they have.
        return None if said.asks_to_finish else what_is_left.told(state, asked, said.text, request_id, at)
    if request is Request.MISHEARD:
        # It is kept with the answer that it belongs to, and graded with it.
        return AnswerGiven(
            id=request_id,
            at=at,
            asked_id=asked.asked_id,
            follow_up_id=asked.follow_ups[-1].id if asked.follow_ups else None,
            text=said.text,
            unfinished=True,
            closing=Closing.REMARK,
        )
    choices = _choices(request, asked, said.text, plan) if request is not None else ()
    return _told(asked, said, request_id, at, wording(choices, plan.seed, _given(asked))) if choices else None


def _told(asked: AskedQuestion, said: Utterance, request_id: str, at: datetime, reply: str) -> ClarificationGiven:
    return ClarificationGiven(id=request_id, at=at, asked_id=asked.asked_id, words=said.text, said=reply)


def _given(asked: AskedQuestion) -> int:
    return sum(isinstance(turn, ClarificationGiven) for turn in asked.turns)


def _by_words(request: Request | None, words: str) -> Request | None:
    """The request, where its words name one that it is easily taken for another of."""
    named = (meant for taken, form, meant in _NAMED if request in taken and form.search(words))
    return next(named, request)


_ON_THE_ANSWER = frozenset({Request.OFFER, Request.DOING, Request.DEPTH, Request.FORM, Request.HINT, Request.WAIT})
_HOW_LONG = re.compile(
    r"\b(?:short|long|brief|quick|whole|full|abridged)\w*(?: \w+)? (?:version|story|saga|summary|answer)\b"
    r"|\bhow (?:deep|long|detailed|short)\b",
    re.IGNORECASE,
)
_WRITES = re.compile(
    r"\b(?:can|may|could|should|would|is it)\b[^.?!]*\b(?:pseudo-?\s?code|code|python|draw\w*|sketch\w*)\b",
    re.IGNORECASE,
)
_ONE_WHERE = re.compile(r"\b(?:one|story|time|case) (?:where|when|that)\b", re.IGNORECASE)
_SAYS_MORE = re.compile(
    r"\bif i (?:say|tell|told|said|go|went|add|added)\b[^.?!]*\b(?:more|into|on|about)\b", re.IGNORECASE
)
_IS_GRADED = re.compile(r"\b(?:grad(?:ed|ing)|scor(?:ed|ing)|record(?:ed|ing)|judged)\b", re.IGNORECASE)
_HOW_AM_I = re.compile(r"\bhow (?:i'?m|i am|am i)\b", re.IGNORECASE)
_OF_TIME = frozenset({Request.TIME, Request.COUNT})
_OF_RIGHT = frozenset({Request.CHECK, Request.WAS_RIGHT})
_NAMED = (
    (_ON_THE_ANSWER, _HOW_LONG, Request.DEPTH),
    (_ON_THE_ANSWER, _WRITES, Request.FORM),
    (frozenset({Request.WAS_RIGHT}), _ONE_WHERE, Request.STORY),
    (_OF_RIGHT, _SAYS_MORE, Request.OFFER),
    (_OF_TIME, _IS_GRADED, Request.ABOUT),
    (_OF_TIME, _HOW_AM_I, Request.DOING),
)
"""What a request is that was taken for one of these, where its words are such: the first that holds."""


def _choices(request: Request, asked: AskedQuestion, words: str, plan: Plan) -> Sequence[str]:
    """The replies to a request, one of which is chosen; none where another part replies to it."""
    if request is Request.ABOUT:
        return (on_the_interview(words, plan) or templates.HOW_IT_WORKS,)
    if request in {Request.WORD, Request.SIMPLER, Request.EXAMPLE}:
        return _in_other_words(request, asked)
    if request is Request.ASSUME:
        of_facts = asked.question.kind is Kind.SYSTEM_DESIGN or clarifications.settled(asked, words, plan)
        return () if of_facts else templates.ASSUME_IT
    if request in {Request.STORY, Request.FORM}:
        return _on_a_story(asked, words) if request is Request.STORY else _on_a_form(asked, words, plan)
    told = _OF_STORIES if asked.question.kind is Kind.BEHAVIORAL else _OF_QUESTIONS
    return told.get(request) or _PLAIN.get(request, ())


def _in_other_words(request: Request, asked: AskedQuestion) -> Sequence[str]:
    """What was asked, in other words, for whoever asks what is meant by it."""
    other = clarifications.in_other_words(asked)
    if other:
        return tuple(each.format(ask=other) for each in templates.MEANT)
    return templates.ACK_REPLIES[Closing.EXAMPLE.value] if request is Request.EXAMPLE else ()


_OF_STORIES: dict[Request, Sequence[str]] = {
    Request.DEPTH: templates.STORY_LENGTH,
    Request.NO_EXPERIENCE: templates.ANOTHER_STORY,
}
_OF_QUESTIONS: dict[Request, Sequence[str]] = {
    Request.DEPTH: templates.ANSWER_LENGTH,
    Request.NO_EXPERIENCE: templates.NO_EXPERIENCE,
}
_PLAIN: dict[Request, Sequence[str]] = {
    Request.START: templates.START_ANYWHERE,
    Request.BREAK: templates.BREAK,
    Request.CHECK: templates.NOT_TOLD_NOW,
    Request.WAS_RIGHT: templates.NOT_TOLD_NOW,
    Request.DOING: templates.HOW_IT_GOES,
    Request.OFFER: templates.PLEASE_DO,
    Request.VIEW: templates.YOURS_FIRST,
    Request.CUT_OFF: templates.SORRY_GO_ON,
    Request.NERVOUS: templates.TAKE_YOUR_TIME,
    Request.THANKS: templates.MY_PLEASURE,
    Request.TRICK: templates.ACK_REPLIES[Closing.TRICK.value],
}


def _on_a_story(asked: AskedQuestion, words: str) -> Sequence[str]:
    if _CONFIDENTIAL.search(words):
        return templates.WITHOUT_NAMES
    if asked.question.kind is Kind.BEHAVIORAL:
        return open_choices.on_a_story(words, begun=bool(asked.answers)) or templates.TELL_THAT
    return templates.TELL_THAT


_CONFIDENTIAL = re.compile(
    r"\b(?:nda|confidential\w*|under wraps|vague|anonymous|anonymi\w+|names?|client'?s?|disclose|sensitive|secret)\b",
    re.IGNORECASE,
)


def _on_a_form(asked: AskedQuestion, words: str, plan: Plan) -> Sequence[str]:
    if _DRAWS.search(words) and not _OF_CODE.search(words):
        return templates.DRAW_IT if asked.question.kind is Kind.SYSTEM_DESIGN else templates.NO_DRAWING
    if _LOOKS_UP.search(words):
        return templates.FROM_MEMORY
    if awaits_code(asked, plan):
        return templates.WRITE_IT if plan.editor else templates.TALK_IT_THROUGH
    return templates.A_LITTLE_CODE


_DRAWS = re.compile(
    r"\b(?:draw\w*|sketch\w*|diagram\w*|whiteboard|paper|picture|photo|graph|chart|screen|slides?)\b", re.IGNORECASE
)
_OF_CODE = re.compile(r"\b(?:pseudo-?\s?code|code|python)\b", re.IGNORECASE)
_LOOKS_UP = re.compile(
    r"\b(?:look (?:\w+ ){0,3}up|google|search|docs?|documentation|calculator|notes|internet|browser|chatgpt|copilot)\b",
    re.IGNORECASE,
)
