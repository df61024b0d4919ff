"""What a person puts right or adds to an answer whose question is closed: which question it is for. Pure.

It counts for the question that it belongs to and not for the open one, which stays open. Where it is not clear which
is meant, it is asked once; who still does not say is taken to mean the question before.
"""

from __future__ import annotations

import re
from datetime import datetime

from interviewer.dialogue import templates
from interviewer.dialogue.ungraded_segments import asks_for_marks
from interviewer.policy.question_returns import answer_kept_back, can_come_back, was_told, which
from interviewer.session.events import (
    AnswerGiven,
    AnswerGraded,
    AsideTaken,
    CorrectionRaised,
    Event,
    GradingFailed,
    PersonCutShort,
    QuestionAsked,
    TimeCalled,
)
from interviewer.session.plan import Mode
from interviewer.session.state import AskedQuestion, State
from interviewer.text import in_words, plain
from interviewer.understanding.correction_cues import adds_to_earlier, goes_back_first, was_cut_off
from interviewer.understanding.intent import ANSWERS, Intent
from interviewer.understanding.question_references import ANSWER, QUESTION, Place, QuestionReference
from interviewer.understanding.turn_parts import addition_alone, asks_only
from interviewer.understanding.turn_requests import asks_leave_to_go_on
from interviewer.understanding.utterance import Utterance
from rubric.grading.evidence import sentences

_LONGEST_CHOICE = 10
"""Words of the longest utterance that tells no more than which question was meant."""

_OF_ANSWER, _OF_QUESTION = re.compile(ANSWER), re.compile(QUESTION)
_BEHIND_THE_SCENES = (AnswerGraded, GradingFailed, TimeCalled, PersonCutShort)

_FRAME = frozenset(
    re.findall(
        r"\S+",
        """
        a about actually add again an and answer bit but can change changed concerning correct correction could earlier
        fix for from gave got had have i i'd in just let like made may me mind mistake my need no of oh on please put
        quick quickly regarding revise right said say small some something sorry take back that the there thing think to
        wait want was what wrong would
        """,
    )
)
"""Words that announce that something is put right, and do not say what."""


def correction_event(
    state: State, asked: AskedQuestion, said: Utterance, request_id: str, *, at: datetime
) -> Event | None:
    """The event that an utterance amounts to that puts an earlier answer right; ``None`` where it is for the open one.

    Args:
        state: the interview's.
        asked: the open question.
        said: what the person said.
        request_id: the event's id.
        at: when it was said.

    """
    raised = _raised(state, asked)
    after = _after_asking(state, asked, raised, said, request_id, at=at) if raised is not None else None
    intent = said.intent
    if asked.answers and _OF_ANSWER.search(plain(said.text)) and not _OF_QUESTION.search(plain(said.text)):
        # "My first answer" is the one to the open question, where there is one.
        return after
    nothing_yet = all(isinstance(turn, QuestionAsked) for turn in asked.turns)
    goes_back = said.wish is Intent.RETURN
    if after is None and nothing_yet and not goes_back and was_cut_off(said.text) and (earlier := _earlier(state)):
        return _gone_on_with(state, asked, earlier[-1], said, request_id, at=at)
    if after is not None or not _earlier(state) or intent not in {Intent.EARLIER, Intent.CORRECTION}:
        return after
    if intent is Intent.EARLIER:
        return _mended(state, asked, said, request_id, at)
    before = which(state, QuestionReference(place=Place.PREVIOUS), said.text, ())
    if not nothing_yet or before is None or not before.answers:
        return None
    return CorrectionRaised(
        id=request_id, at=at, asked_id=asked.asked_id, words=said.text, said=templates.THIS_ONE_OR_BEFORE
    )


def _mended(state: State, asked: AskedQuestion, said: Utterance, request_id: str, at: datetime) -> Event | None:
    """What becomes of words that name another question."""
    asked_before = any(isinstance(turn, CorrectionRaised) for turn in asked.turns)
    meant = _meant(state, said)
    if meant is None and not asked_before:
        return CorrectionRaised(
            id=request_id, at=at, asked_id=asked.asked_id, words=said.text, said=templates.WHICH_ONE
        )
    meant = meant or _earlier(state)[-1]
    if meant.asked_id == asked.asked_id:
        return None
    if not meant.answers:
        return _nothing_there(state, asked, meant, said, request_id, at=at)
    if not _says_what(said) and not asked_before:
        return _asks_for_it(asked, meant, said, templates.SAY_WHAT, request_id, at=at)
    return _given(state, meant, said.text, request_id, at)


def _gone_on_with(
    state: State, asked: AskedQuestion, before: AskedQuestion, said: Utterance, request_id: str, *, at: datetime
) -> Event:
    """What becomes of the words of somebody who had not finished with the question before."""
    if len(said.text.split()) > _ONLY_CUT_OFF:
        return _given(state, before, said.text, request_id, at)
    return _asks_for_it(asked, before, said, templates.SAY_THE_REST, request_id, at=at)


def _asks_for_it(
    asked: AskedQuestion, meant: AskedQuestion, said: Utterance, wording: str, request_id: str, *, at: datetime
) -> CorrectionRaised:
    """Whoever says no more than that they have something to say on another question is asked for it."""
    return CorrectionRaised(
        id=request_id,
        at=at,
        asked_id=asked.asked_id,
        words=said.text,
        to_id=meant.asked_id,
        said=wording.format(number=in_words(meant.number)),
    )


_ONLY_CUT_OFF = 14
"""Words of the longest utterance that says no more than that one had not finished."""


def added_within(state: State, asked: AskedQuestion, answer: AnswerGiven) -> AnswerGiven | None:
    """What an answer says on an earlier question after it has answered the open one; ``None`` where it says nothing.

    Args:
        state: the interview's.
        asked: the open question.
        answer: to that question.

    """
    for start, _ in sentences(answer.text)[1:]:
        said = Utterance(addition_alone(answer.text[start:], number=asked.number))
        if adds_to_earlier(said.text):
            earlier = _earlier(state)
            meant = _meant(state, said) or (earlier[-1] if earlier else None)
            if meant is None or meant.asked_id == asked.asked_id or not _says_what(said):
                return None
            return _given(state, meant, said.text, f"{answer.id}:more", answer.at)
    return None


def mended_in_talk(state: State, said: Utterance, request_id: str, *, at: datetime) -> Event | None:
    """The same in the part in which the person asks, where it is clear what is meant; else ``None``."""
    meant = _meant(state, said) if said.intent is Intent.EARLIER and not _asks_how_it_went(said.text) else None
    if meant is None or not meant.answers or not _says_what(said):
        return None
    return _given(state, meant, said.text, request_id, at)


def reply(said: Utterance) -> str:
    """What is said in the part in which the person asks, where it is not clear what is meant; empty where it is."""
    if asks_leave_to_go_on(said.text) or _BACK_TO.match(plain(said.text)):
        return templates.HOW_TO_ADD
    return templates.HOW_TO_MEND if said.intent is Intent.EARLIER and not _asks_how_it_went(said.text) else ""


def _asks_how_it_went(text: str) -> bool:
    """Whether it is asked what an answer lacked: what names a question then adds nothing to it."""
    return asks_only(text) and asks_for_marks(text)


_BACK_TO = re.compile(
    r"(?:(?:actually|sorry|wait|okay|so|and|but|oh)[, ]+)*(?:could|can|may) (?:we|i) (?:still |just |please |quickly )*"
    r"(?:go|come|get) back to\b"
)


def _raised(state: State, asked: AskedQuestion) -> CorrectionRaised | None:
    """What the person was asked last, where that was which answer they put right, or how."""
    last = next((turn for turn in reversed(asked.turns) if not isinstance(turn, _BEHIND_THE_SCENES)), None)
    answers = [answer for each in state.asked for answer in each.answers]
    if not isinstance(last, CorrectionRaised) or any(answer.at > last.at for answer in answers):
        return None
    return last


def _after_asking(
    state: State, asked: AskedQuestion, raised: CorrectionRaised, said: Utterance, request_id: str, *, at: datetime
) -> Event | None:
    """What becomes of the reply to the question which one is meant, or what would be right."""
    if raised.to_id:
        meant = next((each for each in state.asked if each.asked_id == raised.to_id), None)
        says = said.intent in {*ANSWERS, Intent.EARLIER}
        return _given(state, meant, said.text, request_id, at) if meant is not None and says else None
    if len(said.text.split()) > _LONGEST_CHOICE:
        return None
    name = said.choice
    meant = which(state, name, said.text, _earlier(state))
    present = meant is not None and meant.asked_id == asked.asked_id
    if present and name is not None and name.place is Place.PRESENT:
        follow_up = asked.follow_ups[-1].id if asked.follow_ups else None
        return AnswerGiven(
            id=request_id, at=at, asked_id=asked.asked_id, follow_up_id=follow_up, text=raised.words, choice=said.text
        )
    if meant is None or present or not meant.answers:
        return None
    return _given(state, meant, raised.words, request_id, at, choice=said.text)


def _meant(state: State, said: Utterance) -> AskedQuestion | None:
    earlier = _earlier(state)
    # What is named by its subject may be the open one.
    among = [*earlier, *([state.current] if state.current else [])]
    meant = which(state, said.reference, said.text, among)
    if meant is None and goes_back_first(said.text):
        meant = which(state, QuestionReference(place=Place.SUBJECT), said.text, among)
        begun = state.current is not None and bool(state.current.answers)
        return meant or (state.current if begun else earlier[-1])
    return meant or (earlier[0] if len(earlier) == 1 else None)


def _earlier(state: State) -> list[AskedQuestion]:
    """The questions that are behind the person and were answered."""
    return [each for each in state.asked if each.closed and each.answers]


def _given(
    state: State, meant: AskedQuestion, text: str, request_id: str, at: datetime, *, choice: str = ""
) -> AnswerGiven:
    open_now = state.segment.turns[0].id if state.segment else state.current.asked_id if state.current else ""
    told = state.plan is None or state.plan.mode is not Mode.EXAM
    return AnswerGiven(
        id=request_id,
        at=at,
        asked_id=meant.asked_id,
        text=text,
        meanwhile=open_now,
        seen=was_told(state) or (told and not answer_kept_back(meant, state)),
        choice=choice,
    )


def _nothing_there(
    state: State, asked: AskedQuestion, meant: AskedQuestion, said: Utterance, request_id: str, *, at: datetime
) -> Event:
    """A question that was left has no answer to be put right; it can be gone back to."""
    back = state.plan is not None and can_come_back(meant, state.plan)
    reply = templates.LEFT_UNANSWERED if back else templates.NO_WAY_BACK["shown"]
    return AsideTaken(id=request_id, at=at, asked_id=asked.asked_id, intent=Intent.EARLIER, words=said.text, said=reply)


def _says_what(said: Utterance) -> bool:
    """Whether more is said than that something is to be put right."""
    words = re.findall(r"[\w'()]+", said.without_reference)
    return any(word not in _FRAME for word in words)
