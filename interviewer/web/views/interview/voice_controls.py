"""Below the answer box: a switch for talking, the button to talk with, and what goes on. ``voice.js`` makes it work."""

from __future__ import annotations

import gradio as gr

_HTML = """
<div id="voice" data-phase="off">
  <label class="switch"><input type="checkbox" id="voice-on"> Talk instead of typing</label>
  <div class="controls" hidden>
    <button type="button" id="talk" aria-pressed="false">Talk</button>
    <span class="level" aria-hidden="true"><i></i></span>
    <label class="switch"><input type="checkbox" id="hands-free"> Hands-free</label>
    <p id="voice-status" role="status"></p>
    <p id="voice-so-far" aria-live="off"></p>
  </div>
  <div id="voice-suggestions" hidden></div>
</div>
"""


def build() -> None:
    """Lay the panel out; call inside a ``gr.Blocks``. Off until the person turns it on."""
    gr.HTML(_HTML, apply_default_css=False, elem_id="voice-panel")
