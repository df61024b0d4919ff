"""The panel on which an interview is chosen, resumed, or fed with documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gradio as gr

from interviewer.web import markup
from knowledge.model import Kind, Level, Question
from knowledge.readers import SUFFIXES

LONGEST = 15
"""Most questions the page offers; an interview of an hour and a half."""


@dataclass(frozen=True)
class SetupPanel:
    """The elements of the panel that others read or change."""

    panel: gr.Column
    topics: gr.Dropdown
    level: gr.Radio
    length: gr.Slider
    kinds: gr.CheckboxGroup
    start: gr.Button
    earlier_group: gr.Group
    earlier: gr.Radio
    resume: gr.Button
    files: gr.File
    found: gr.HTML
    note: gr.HTML


def build() -> SetupPanel:
    """Lay the panel out; call inside a ``gr.Blocks``."""
    with gr.Column(visible="hidden", elem_id="setup") as panel, gr.Row(elem_classes="columns"):
        with gr.Column(scale=3, min_width=300, elem_classes="card"):
            gr.HTML("<h2>New interview</h2>", apply_default_css=False)
            topics = gr.Dropdown(
                choices=[],
                multiselect=True,
                allow_custom_value=True,
                label="Topics",
                info="Choose some, or type your own words and press Enter. Empty means all.",
                elem_id="topics",
            )
            level = gr.Radio(
                choices=[(level.value.capitalize(), level.value) for level in Level],
                value=Level.MID.value,
                label="Level",
                elem_id="level",
            )
            length = gr.Slider(1, LONGEST, value=5, step=1, label="Number of questions", elem_id="length")
            kinds = gr.CheckboxGroup(
                choices=[(kind.value.capitalize(), kind.value) for kind in Kind],
                label="Kinds of question",
                info="None chosen means all.",
                elem_id="kinds",
            )
            start = gr.Button("Start the interview", variant="primary", elem_id="start")
            note = gr.HTML("", apply_default_css=False, elem_id="setup-note")
        with gr.Column(scale=2, min_width=300):
            with gr.Column(visible=False, elem_classes="card") as earlier_group:
                gr.HTML("<h2>Earlier interviews</h2>", apply_default_css=False)
                earlier = gr.Radio(choices=[], label="Interview", elem_id="earlier")
                resume = gr.Button("Resume", elem_id="resume", interactive=False)
            with gr.Column(elem_classes="card"):
                gr.HTML(
                    "<h2>Your own documents</h2><p class='quiet'>Questions are found in PDF, Word, web pages,"
                    " notebooks, Markdown, text and tables, and asked along with ours. The files stay here.</p>",
                    apply_default_css=False,
                )
                files = gr.File(
                    label="Add documents",
                    file_count="multiple",
                    file_types=sorted(SUFFIXES),
                    height=130,
                    elem_id="documents",
                )
                found = gr.HTML("", apply_default_css=False, elem_id="found")
    return SetupPanel(panel, topics, level, length, kinds, start, earlier_group, earlier, resume, files, found, note)


def topics_of(questions: Sequence[Question]) -> list[str]:
    """Every topic there is a question on, in the order of the alphabet."""
    return sorted({question.topic for question in questions}, key=str.casefold)


def added_html(questions: Sequence[Question], refused: Sequence[str]) -> str:
    """What was found in the documents that were just added, and what is wrong with those that cannot be used."""
    notes = "".join(f'<p class="note" role="status">{markup.text(said)}</p>' for said in refused)
    return notes + (found_html(questions) if questions or not refused else "")


def found_html(questions: Sequence[Question]) -> str:
    """What was found in the documents that were just added."""
    if not questions:
        said = "No questions were found in there. Headings or lines that end with a question mark are looked for."
        return f'<p class="note" role="status">{said}</p>'
    count = len(questions)
    listed = "".join(f"<li>{markup.text(_short(question.text))}</li>" for question in questions[:5])
    more = f"<li>and {count - 5} more</li>" if count > 5 else ""
    noun = "question was" if count == 1 else "questions were"
    return f'<div class="note good" role="status">{count} {noun} added.<ul>{listed}{more}</ul></div>'


def _short(text: str, most: int = 90) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
