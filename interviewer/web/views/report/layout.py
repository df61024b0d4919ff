"""The panel on which the report is read and downloaded."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from interviewer.report.phrases.common import written
from interviewer.report.schema.findings import Findings
from interviewer.text import shortened
from interviewer.web import safe_html

_NAME_SHOWN = 120

NOTHING_CHOSEN = ("Choose a question", "")
"""What stands in the list of questions to practice before one is chosen."""


@dataclass(frozen=True)
class ReportPanel:
    """The elements of the panel that others read or change."""

    panel: gr.Column
    status: gr.HTML
    html: gr.DownloadButton
    pdf: gr.DownloadButton
    markdown: gr.DownloadButton
    json: gr.DownloadButton
    anki: gr.DownloadButton
    calendar: gr.DownloadButton
    again: gr.Button
    practice_choice: gr.Dropdown
    practice: gr.Button
    practice_note: gr.HTML
    body: gr.HTML
    settling: gr.Column
    forget_sound: gr.Button
    sound_note: gr.HTML


def build() -> ReportPanel:
    """Lay the panel out; call inside a ``gr.Blocks``."""
    with gr.Column(visible=False, elem_id="report") as panel:
        status = gr.HTML("", apply_default_css=False, elem_id="report-status")
        with gr.Row(elem_id="downloads"):
            html = gr.DownloadButton("Download as HTML", variant="primary", elem_id="download-html")
            pdf = gr.DownloadButton("PDF", elem_id="download-pdf", min_width=110)
            markdown = gr.DownloadButton("Markdown", elem_id="download-markdown", min_width=110)
            json = gr.DownloadButton("JSON", elem_id="download-json", min_width=110)
            anki = gr.DownloadButton("Anki cards", elem_id="download-anki", min_width=110)
            calendar = gr.DownloadButton("Review dates", elem_id="download-calendar", min_width=110)
            again = gr.Button("New interview", elem_id="again", min_width=130)
        body = gr.HTML("", apply_default_css=False, elem_id="report-body")
        with gr.Row(elem_id="practice-row"):
            practice_choice = gr.Dropdown(
                [NOTHING_CHOSEN], value="", label="Practice one question", scale=4, elem_id="practice-choice"
            )
            practice = gr.Button("Practice", scale=1, elem_id="practice", min_width=110)
        practice_note = gr.HTML("", apply_default_css=False)
        settling = gr.Column(elem_id="settling")
        forget_sound = gr.Button("", visible=False, elem_id="forget-sound")
        sound_note = gr.HTML("", apply_default_css=False, elem_id="sound-note")
    return ReportPanel(
        panel=panel,
        status=status,
        html=html,
        pdf=pdf,
        markdown=markdown,
        json=json,
        anki=anki,
        calendar=calendar,
        again=again,
        practice_choice=practice_choice,
        practice=practice,
        practice_note=practice_note,
        body=body,
        settling=settling,
        forget_sound=forget_sound,
        sound_note=sound_note,
    )


SETTLED_LATER_HTML = (
    '<p class="quiet">Once every answer is graded, you can dispute marks here, and settle those the judge was unsure '
    "about.</p>"
)


def forget_words(count: int) -> str:
    """What the button says that deletes so many recordings."""
    return "Delete the recording of your answer" if count == 1 else f"Delete the {count} recordings of your answers"


def practice(findings: Findings) -> list[tuple[str, str]]:
    """What can be chosen to practice, by what it is called: questions of the interview, then those to try next."""
    asked = {question.question_id: f"{question.number}. {written(question.spoken)}" for question in findings.questions}
    fresh = {
        item.retry.question_id: f"Next: {written(item.retry.spoken)}" for item in findings.study if not item.retry.same
    }
    named = [(shortened(" ".join(name.split()), _NAME_SHOWN), known) for known, name in (asked | fresh).items()]
    return [NOTHING_CHOSEN, *named]


def status_html(closing: str, waiting: bool) -> str:
    """The interviewer's last words, and whether marks are still to come."""
    said = f'<p class="closing">{safe_html.text(closing)}</p>'
    if not waiting:
        return said
    return (
        f'{said}<p class="note grading" role="status"><span class="pulse" aria-hidden="true"><i></i><i></i><i></i>'
        "</span> Some answers are still being graded. The report updates as marks come in.</p>"
    )
