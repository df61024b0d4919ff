"""The panel on which the interview is held."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from interviewer.web.gradio_support import FOR_SCRIPTS
from interviewer.web.views.interview import confidence, voice_controls, whiteboard

_PANES = """
<div class="tabs" role="group" aria-label="What is shown">
  <button type="button" data-pane-to="work" aria-pressed="false">Question and work</button>
  <button type="button" data-pane-to="talk" aria-pressed="true">Conversation</button>
</div>
<p id="last-said" role="status"></p>
"""
# Only a narrow screen shows them; ``frame.js`` makes them work.


@dataclass(frozen=True)
class InterviewPanel:
    """The elements of the panel that others read or change."""

    panel: gr.Column
    progress: gr.HTML
    question: gr.HTML
    editor: gr.Column
    code: gr.Code
    run: gr.Button
    submit: gr.Button
    finish: gr.Button
    result: gr.HTML
    sketch: gr.Column
    drawing: gr.Textbox
    outline: gr.Textbox
    notes: gr.Textbox
    notes_state: gr.HTML
    transcript: gr.HTML
    claim: gr.Button
    answer: gr.Textbox
    sure: gr.Radio
    note: gr.HTML
    send: gr.Button
    hint: gr.Button
    repeat: gr.Button
    skip: gr.Button
    back: gr.Button
    pause: gr.Button
    end: gr.Button
    quiet: gr.Button
    drafted: gr.Button


def build(*, talks: bool = False) -> InterviewPanel:
    """Lay the panel out; call inside a ``gr.Blocks``.

    Args:
        talks: whether one can talk instead of typing.

    """
    with gr.Column(visible=False, elem_id="interview") as panel:
        progress = gr.HTML("", apply_default_css=False, elem_id="progress")
        gr.HTML(_PANES, apply_default_css=False, elem_id="panes")
        columns = gr.Row(elem_classes="columns")
    with columns:
        with gr.Column(scale=2, min_width=300, elem_classes="aside"):
            question = gr.HTML("", apply_default_css=False, elem_id="question")
            with gr.Column(visible=False, elem_id="editor") as editor:
                code = gr.Code(
                    label="Your code (press Escape, then Tab, to leave the editor)",
                    language="python",
                    interactive=True,
                    lines=12,
                    wrap_lines=True,
                    max_lines=40,
                    buttons=["copy"],
                    elem_id="code",
                )
                with gr.Row(elem_id="code-actions"):
                    run = gr.Button("Run", elem_id="run", min_width=60)
                    submit = gr.Button("Submit", variant="primary", elem_id="submit", min_width=80)
                    finish = gr.Button("Next question", elem_id="finish", min_width=100, interactive=False)
                result = gr.HTML("", apply_default_css=False, elem_id="result")
            with gr.Column(visible=False, elem_id="sketch") as sketch:
                gr.HTML(whiteboard.BOARD_HTML, apply_default_css=False, elem_id="board-panel")
                drawing = gr.Textbox("", visible="hidden", elem_id="drawing", elem_classes=FOR_SCRIPTS)
                outline = gr.Textbox(
                    label="Outline",
                    info="One part per line, with its details indented below. Tab indents, Shift+Tab unindents, Escape"
                    " leaves. The drawing and the outline are sent and graded with what you say.",
                    placeholder="A part of your design\n  what it does, and how large it is\nAnother part",
                    lines=9,
                    max_lines=24,
                    elem_id="outline",
                )
            with gr.Accordion("My notes", open=False, elem_id="notes-fold"):
                notes = gr.Textbox(
                    label="Notes for yourself",
                    info="Saved with the interview and shown at the end of the report. Never graded.",
                    lines=4,
                    max_lines=14,
                    # Until what was noted before is there: it would take the place of what is typed meanwhile.
                    interactive=False,
                    elem_id="notes",
                )
                notes_state = gr.HTML("", apply_default_css=False, elem_id="notes-state")
        with gr.Column(scale=3, min_width=300):
            transcript = gr.HTML("", apply_default_css=False, elem_id="transcript")
            # Pressed by the page's scripts: for the buttons beside the marks, after a silence, and while one types.
            claim = gr.Button("I did say this", visible="hidden", elem_id="claim-mark", elem_classes=FOR_SCRIPTS)
            quiet = gr.Button("Silent for a while", visible="hidden", elem_id="tell-silence", elem_classes=FOR_SCRIPTS)
            drafted = gr.Button("Still typing", visible="hidden", elem_id="tell-draft", elem_classes=FOR_SCRIPTS)
            with gr.Column(elem_id="composer"):
                answer = gr.Textbox(
                    label="Your answer",
                    info="Ctrl+Enter sends. To skip, come back later, or correct an earlier answer, just say so.",
                    placeholder="Answer as you would out loud.",
                    lines=3,
                    max_lines=12,
                    elem_id="answer",
                )
                sure = confidence.build()
                note = gr.HTML("", apply_default_css=False, elem_id="note")
                if talks:
                    voice_controls.build()
                with gr.Row(elem_id="actions"):
                    send = gr.Button("Send", variant="primary", elem_id="send", min_width=90)
                    hint = gr.Button("Hint", elem_id="hint", min_width=60, size="md")
                    skip = gr.Button("Skip", elem_id="skip", min_width=60, size="md")
                    # Only a telephone shows it, and hides those after it until it is pressed; see ``frame.js``.
                    gr.Button("More", elem_id="more-actions", min_width=60, size="md")
                    repeat = gr.Button("Repeat", elem_id="repeat", min_width=60, size="md")
                    back = gr.Button("Go back", elem_id="back", min_width=60, size="md", interactive=False)
                    pause = gr.Button("Pause", elem_id="pause", min_width=60, size="md")
                    end = gr.Button("End", variant="stop", elem_id="end", min_width=60, size="md")
    return InterviewPanel(
        *(panel, progress, question, editor, code, run, submit, finish, result),
        *(sketch, drawing, outline, notes, notes_state),
        *(transcript, claim, answer, sure, note, send, hint, repeat, skip, back, pause, end, quiet, drafted),
    )
