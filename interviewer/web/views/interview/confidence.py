"""Below the answer box: how sure the person is, if they like to say."""

from __future__ import annotations

from collections.abc import Mapping

import gradio as gr

from interviewer.session.plan import Confidence

CHOICES: Mapping[str, Confidence] = {
    "A guess": Confidence.GUESS,
    "Not very sure": Confidence.RATHER_UNSURE,
    "Fairly sure": Confidence.RATHER_SURE,
    "Sure": Confidence.SURE,
}
"""What the person can choose, and the level it is."""

SENT = "sent"
"""CSS class of the choice while an answer is sent and not marked: it is shown then though nothing is being written."""

_TOLD: Mapping[Confidence, str] = {
    Confidence.GUESS: "it was a guess",
    Confidence.RATHER_UNSURE: "you were not very sure",
    Confidence.RATHER_SURE: "you were fairly sure",
    Confidence.SURE: "you were sure",
}


def build() -> gr.Radio:
    """Lay it out; call inside a ``gr.Blocks``. It is one click, before the answer is sent or right after."""
    return gr.Radio(list(CHOICES), label="How sure are you? (optional)", elem_id="sure", visible=False)


def kept_html(level: Confidence) -> str:
    """Told once a choice is stored for an answer that was sent before."""
    return f'<p class="quiet" role="status">Saved for your last answer: {_TOLD[level]}. The report uses it.</p>'
