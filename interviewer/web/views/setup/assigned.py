"""The part of the panel that shows a candidate what their mentors assigned, and begins it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import gradio as gr

from interviewer.web.assignments.candidate_assignments import CandidateAssignments
from interviewer.web.assignments.candidate_card import card_html
from interviewer.web.gradio_support import EVENT_OPTIONS, FOR_SCRIPTS, Outputs, Updates, note_html
from interviewer.web.identity import present
from interviewer.web.views.base import ViewContext
from serving.errors import InterviewerError


@dataclass(frozen=True)
class AssignedPanel:
    """Its elements."""

    group: gr.Column
    listed: gr.HTML
    start: gr.Button
    note: gr.HTML

    @property
    def shown(self) -> Outputs:
        """The elements that ``AssignedEvents.show`` changes."""
        return [self.group, self.listed, self.note]


def build() -> AssignedPanel:
    """Lay it out; call inside a ``gr.Blocks``."""
    with gr.Column(visible=False, elem_classes="card", elem_id="assigned") as group:
        listed = gr.HTML("", apply_default_css=False, elem_id="assigned-list")
        note = gr.HTML("", apply_default_css=False, elem_id="assigned-note")
        # Pressed by the page's script for the buttons of the list.
        start = gr.Button("Start", visible="hidden", elem_id="start-assignment", elem_classes=FOR_SCRIPTS)
    return AssignedPanel(group, listed, start, note)


class AssignedEvents:
    """What its events do.

    Args:
        panel: its elements.
        context: where it is, and what it shows an interview with that was begun.

    """

    def __init__(self, panel: AssignedPanel, context: ViewContext) -> None:
        self._panel = panel
        self._here = context.here
        self._kept = context.kept
        self._show_interview = context.show
        self._assigned: CandidateAssignments | None = context.assignments

    def connect(self, page: Outputs) -> None:
        """Connect the events; see ``PageView``."""
        self._panel.start.click(
            self._start, [self._kept.draft, self._kept.request], page,
            js="(draft) => [draft, window.interviewer.assigned]", **EVENT_OPTIONS,
        )  # fmt: skip

    def show(self) -> Updates:
        """What was given to the candidate.

        Raises:
            InterviewerError: it cannot be read.

        """
        panel, now = self._panel, datetime.now().astimezone()
        name = present()
        card = ""
        if self._assigned is not None and name:
            given = self._assigned.given(name, self._here().controller.journal, now)
            card = card_html(given, self._assigned.readers(name), now)
        return {panel.group: gr.update(visible=bool(card)), panel.listed: card, panel.note: ""}

    def _start(self, draft: str | None, assignment: str | None) -> Updates:
        try:
            # A page's script may send nothing.
            if self._assigned is None or not assignment:
                return {self._panel.note: gr.skip()}
            here = self._here()
            questions = here.library.questions()
            state = self._assigned.begin(present(), str(assignment), draft or "", here.controller, questions)
            return self._show_interview(draft or "", state)
        except InterviewerError as error:
            return {self._panel.note: note_html(str(error))}
