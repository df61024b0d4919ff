"""What the views share: the values that the browser keeps, how events are connected, and how trouble is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import gradio as gr
from gradio.blocks import Block

from interviewer.session.state import State
from interviewer.web import safe_html

Updates = dict[Any, Any]
"""New values by Gradio component; components that are left out stay as they are."""

Outputs = list[Block]
"""The components that an event may change."""

EVENT_OPTIONS: Mapping[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
"""Options of an event that shows by itself what it did."""

STEPWISE: Mapping[str, Any] = {**EVENT_OPTIONS, "trigger_mode": "multiple"}
"""Options of an event that shows what it did in steps.

Gradio ignores a press while the last one is still at work, and it is at work for a moment after its last step was
shown. A press sent twice changes nothing, since it names the turn it belongs to.
"""

CONCURRENCY: Mapping[str, Mapping[str, Any]] = {
    name: {"concurrency_id": name, "concurrency_limit": most}
    for name, most in {"code": 8, "documents": 2, "disputes": 4}.items()
}
"""Options of the events that take long, by what they do.

They get few of the forty threads that Gradio has, so that nobody's turn waits for somebody else's.
"""

FOR_SCRIPTS = "for-scripts"
"""CSS class of the controls that only the page's scripts press or fill, which are never seen."""


class ShowSession(Protocol):
    """Shows an interview on whichever panel it is at, with a note on what the person did last."""

    def __call__(self, session: str, state: State, note: str | None = "") -> Updates:
        """The new values of the whole page; a note of ``None`` leaves the one that stands."""
        ...


class BrowserState(NamedTuple):
    """The values that the browser keeps, not the server: a page that was open survives a restart of the server.

    Attributes:
        session: id of the interview that is shown; empty where there is none.
        turn: what the person is being asked (``View.turn``).
        seen: digest of what is shown (``View.digest``).
        fresh: changes when something else is to be shown than ``seen``.
        draft: id that the next interview to be started here gets.
        task: names the question that the editor is for.
        sketched: names the question that the whiteboard is for.
        request: id of a request, made in the browser.
        unmarked: the answer of which the person can still say how sure they are.
        silence: seconds of silence after which the server is to be told (``View.silence_s``); empty where it is not.
        drafts: not empty where the server is to be told of what was typed so far (``View.drafts``).

    """

    session: gr.Textbox
    turn: gr.Textbox
    seen: gr.Textbox
    fresh: gr.Textbox
    draft: gr.Textbox
    task: gr.Textbox
    sketched: gr.Textbox
    request: gr.Textbox
    unmarked: gr.Textbox
    silence: gr.Textbox
    drafts: gr.Textbox


def build() -> BrowserState:
    """Lay them out, hidden, each with its name as the element's id; call inside a ``gr.Blocks``."""
    return BrowserState(
        *(gr.Textbox("", visible="hidden", elem_id=name, elem_classes=FOR_SCRIPTS) for name in BrowserState._fields)
    )


def note_html(note: str) -> str:
    """What went wrong, as the person is told; nothing where nothing did."""
    return f'<p class="note trouble" role="alert">{safe_html.text(note)}</p>' if note else ""
