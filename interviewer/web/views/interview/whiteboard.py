"""The whiteboard of a design question: an outline in text, sent along with the answer and graded like it. Pure."""

from __future__ import annotations

from interviewer.session.state import AskedQuestion, State
from interviewer.understanding.intent import ANSWERS, Intent
from interviewer.understanding.intent_classifier import intent_of
from knowledge.model import Kind

HEADING = "Outline:"
"""Stands above the outline in an answer."""

_TAKES_ALONG = ANSWERS | {Intent.DONT_KNOW, Intent.THINKING}


def is_wanted(asked: AskedQuestion) -> bool:
    """Whether a question is one to be answered on a whiteboard."""
    return asked.question.kind is Kind.SYSTEM_DESIGN


def drawn(state: State | None) -> str:
    """The outline of the open question as it was sent last; empty where none was."""
    current = state.current if state else None
    return _sent(current) if current and is_wanted(current) else ""


def with_outline(text: str, outline: str, state: State | None, request: str) -> str:
    """An answer with the whiteboard below it, where that changed since it was sent last.

    Nothing is added where the open question has no whiteboard, or where the text is a request, such as one for a hint.

    Args:
        text: what the person says; may be empty.
        outline: the whiteboard as it stands.
        state: the interview; ``None`` where there is none.
        request: id of the request; sent again, it makes the same answer.

    """
    current = state.current if state else None
    if current is None or not is_wanted(current) or (text.strip() and intent_of(text) not in _TAKES_ALONG):
        return text
    now = _tidy(outline)
    if not now or now == _sent(current, request):
        return text
    return "\n\n".join(part for part in (text.rstrip(), f"{HEADING}\n{now}") if part)


def _sent(asked: AskedQuestion, but: str = "") -> str:
    """The outline that was sent last, that of one request left out."""
    for answer in reversed(asked.answers):
        _, heading, outline = f"\n{answer.text}".rpartition(f"\n{HEADING}\n")
        if heading and answer.id != but:
            return outline
    return ""


def _tidy(outline: str) -> str:
    """The outline without blank lines, its indentation in spaces."""
    return "\n".join(line.expandtabs(2).rstrip() for line in outline.splitlines() if line.strip())
