"""The whiteboard of a design question: an outline and a drawing, sent and graded as text with the answer. Pure."""

from __future__ import annotations

from interviewer.session.design_round import is_round
from interviewer.session.drawing import HEIGHT, LONGEST_LABEL, WIDTH, Drawing, told
from interviewer.session.state import AskedQuestion, State
from interviewer.understanding.design_questions import asked_in
from interviewer.understanding.intent import ANSWERS, Intent
from interviewer.understanding.intent_classifier import intent_of
from knowledge.model import Kind

HEADING = "Outline:"
"""Stands above the outline in an answer."""

DRAWING = "Drawing:"
"""Stands above what is drawn, in words."""

BOARD_HTML = f"""
<section id="board" aria-label="Drawing" hidden>
  <p class="name" aria-hidden="true">Drawing</p>
  <div class="tools" role="toolbar" aria-label="Drawing tools">
    <button type="button" data-board="box">Add box</button>
    <button type="button" data-board="connect" disabled>Connect</button>
    <button type="button" data-board="delete" disabled>Delete</button>
    <label>Label <input id="board-label" type="text" maxlength="{LONGEST_LABEL}" autocomplete="off" disabled></label>
  </div>
  <div class="canvas">
    <p class="empty">Draw your design here: “Add box” adds a part, and “Connect” adds an arrow to another part.</p>
    <svg viewBox="0 0 {WIDTH} {HEIGHT}" role="group" aria-label="Boxes and arrows"></svg>
  </div>
  <p id="board-status" class="quiet" role="status"></p>
  <p class="quiet">With a box selected: arrow keys move it, C connects it, Enter edits its label, Delete removes it.
  Boxes and arrows are sent and graded as text; the report shows the drawing.</p>
</section>
"""
# Shown and made to work by ``board.js``; without scripts the outline is the whole whiteboard.

_TAKES_ALONG = ANSWERS | {Intent.DONT_KNOW, Intent.THINKING}


def is_wanted(asked: AskedQuestion) -> bool:
    """Whether a question is one to be answered on a whiteboard."""
    return asked.question.kind is Kind.SYSTEM_DESIGN


def goes_along(text: str, state: State | None) -> bool:
    """Whether what stands on the whiteboard goes with a text: there is one, and the text asks for nothing.

    With an outline below it, a question about the requirements would be one no more.
    """
    current = state.current if state else None
    if current is None or not is_wanted(current):
        return False
    if is_round(current.question) and asked_in(text):
        return False
    return not text.strip() or intent_of(text) in _TAKES_ALONG


def drawn(state: State | None) -> str:
    """The outline of the open question as it was sent last; empty where none was."""
    current = state.current if state else None
    sent = _sent(current) if current and is_wanted(current) else ""
    outline, _, _ = f"\n{sent}".partition(f"\n{DRAWING}\n")
    return outline.removeprefix("\n").removeprefix(HEADING).strip("\n")


def picture(state: State | None) -> str:
    """The drawing of the open question as it was sent last, as the page's script takes it; empty where none was."""
    current = state.current if state else None
    return current.drawing.model_dump_json() if current and is_wanted(current) and current.drawing else ""


def with_outline(text: str, outline: str, state: State | None, request: str, drawing: Drawing | None = None) -> str:
    """An answer with the whiteboard below it, where that changed since it was sent last.

    Nothing is added where the open question has no whiteboard, or where the text is a request, such as one for a hint.

    Args:
        text: what the person says; may be empty.
        outline: the outline as it stands.
        state: the interview; ``None`` where there is none.
        request: id of the request; sent again, it makes the same answer.
        drawing: what is drawn.

    """
    current = state.current if state else None
    if current is None or not goes_along(text, state):
        return text
    parts = ((HEADING, _tidy(outline)), (DRAWING, told(drawing) if drawing else ""))
    now = "\n".join(f"{heading}\n{lines}" for heading, lines in parts if lines)
    if not now or now == _sent(current, request):
        return text
    return "\n\n".join(part for part in (text.rstrip(), now) if part)


def _sent(asked: AskedQuestion, but: str = "") -> str:
    """The whiteboard as text as it was sent last, that of one request left out."""
    for answer in reversed(asked.answers):
        text = f"\n{answer.text}"
        # The outline stands first; one that holds the other's heading is still whole.
        start = text.rfind(f"\n{HEADING}\n")
        start = start if start >= 0 else text.rfind(f"\n{DRAWING}\n")
        if start >= 0 and answer.id != but:
            return text[start + 1 :]
    return ""


def _tidy(outline: str) -> str:
    """The outline without blank lines, its indentation in spaces."""
    return "\n".join(line.expandtabs(2).rstrip() for line in outline.splitlines() if line.strip())
