"""The panel on which the report is read and downloaded."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from interviewer.web import markup


@dataclass(frozen=True)
class ReportPanel:
    """The elements of the panel that others read or change."""

    panel: gr.Column
    status: gr.HTML
    html: gr.DownloadButton
    markdown: gr.DownloadButton
    json: gr.DownloadButton
    again: gr.Button
    body: gr.HTML
    settling: gr.Column


def build() -> ReportPanel:
    """Lay the panel out; call inside a ``gr.Blocks``."""
    with gr.Column(visible=False, elem_id="report") as panel:
        status = gr.HTML("", apply_default_css=False, elem_id="report-status")
        with gr.Row(elem_id="downloads"):
            html = gr.DownloadButton("Download as HTML", variant="primary", elem_id="download-html")
            markdown = gr.DownloadButton("Markdown", elem_id="download-markdown", min_width=110)
            json = gr.DownloadButton("JSON", elem_id="download-json", min_width=110)
            again = gr.Button("New interview", elem_id="again", min_width=130)
        body = gr.HTML("", apply_default_css=False, elem_id="report-body")
        settling = gr.Column(elem_id="settling")
    return ReportPanel(panel, status, html, markdown, json, again, body, settling)


def status_html(closing: str, waiting: bool) -> str:
    """The interviewer's last words, and whether marks are still to come."""
    said = f'<p class="closing">{markup.text(closing)}</p>'
    if not waiting:
        return said
    return (
        f'{said}<p class="note grading" role="status"><span class="pulse" aria-hidden="true"><i></i><i></i><i></i>'
        "</span> Some answers are still being graded. The report fills in by itself as the marks come.</p>"
    )
