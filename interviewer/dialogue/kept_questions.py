"""What the person asked about the subject while a question was open, kept for the end. Pure."""

from __future__ import annotations

import re

from interviewer.dialogue import templates
from interviewer.session.events import AnswerGiven, ClarificationGiven, Event
from interviewer.session.state import State
from interviewer.speech.speakable_text import speakable
from interviewer.text import capitalized
from interviewer.understanding.closing_request import Closing, closing_request
from interviewer.understanding.segment_cues import asks_about
from interviewer.understanding.stop_words import EMPTY, stems
from knowledge.model import Kind, Question

MOST_KEPT = 2
"""Questions that are come back to: more would be a lecture."""

_LONGEST = 40


def kept_questions(state: State) -> tuple[tuple[str, Question], ...]:
    """The latest questions that were put off until the end, each with the one it was asked on, the earlier one first.

    Args:
        state: the interview's.

    """
    # Of a story nobody but the person knows anything.
    on_facts = [asked for asked in state.asked if asked.question.kind is not Kind.BEHAVIORAL]
    pairs = [(event, asked.question) for asked in on_facts for event in asked.turns]
    put = {
        words: question
        for event, question in sorted(pairs, key=lambda pair: pair[0].at)
        if (words := _put(event, in_design=question.kind is Kind.SYSTEM_DESIGN)) and len(words.split()) <= _LONGEST
    }
    return tuple(put.items())[-MOST_KEPT:]


def taken_up(question: str, answer: str) -> str:
    """What is said on a question that was kept.

    Args:
        question: in the person's words.
        answer: what the documents say to it.

    """
    said = speakable(question).strip().rstrip("?.! ")
    return f"Earlier you asked: “{capitalized(said)}?” {answer if _NAMES_CODE.match(answer) else capitalized(answer)}"


_NAMES_CODE = re.compile(r"[a-z][\w.]*(?:\(|_|\.\w)")
"""Begins with a name of code, which is written as it is."""


def _put(event: Event, *, in_design: bool) -> str:
    """The question that was put off with an event; empty where none was.

    What is asked in a design is about its requirements, unless it asks what a term means.
    """
    words = ""
    kinds = {Closing.TERM} if in_design else {Closing.TERM, Closing.SUBJECT}
    if isinstance(event, AnswerGiven) and not event.meanwhile:
        closing = closing_request(event.text, event.closing)
        words = asks_about(closing.words) if closing is not None and closing.kind in kinds else ""
    if in_design:
        return words if _stands_alone(words) else ""
    if isinstance(event, ClarificationGiven) and event.said in templates.ASKS_BACK_OPEN:
        words = asks_about(event.words)
    return words if _stands_alone(words) else ""


def _stands_alone(words: str) -> bool:
    """Whether a question can be understood when its occasion is past."""
    return bool(stems(words, EMPTY | _OF_THE_OCCASION)) and not _OF_WHAT_WAS_MEANT.search(words)


_OF_THE_OCCASION = frozenset(("specific", "specifically", "exactly", "question", "answer", "add", "missing", "point"))
_OF_WHAT_WAS_MEANT = re.compile(
    r"\byou(?:'re|r| are| were)? (?:after|getting at|looking for|asking|mean|meant|want|wanted|have in mind)\b",
    re.IGNORECASE,
)
