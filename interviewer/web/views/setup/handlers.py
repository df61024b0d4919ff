"""What happens where an interview is chosen: starting, resuming, drills, what is known of the person, documents."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import gradio as gr

from interviewer.planning import candidate_background
from interviewer.planning.agenda import InterviewOptions, draw_up
from interviewer.planning.agenda_text import agenda_text
from interviewer.planning.known_names import topics_of
from interviewer.planning.roles import ROLES
from interviewer.session.style import Style
from interviewer.storage import settings
from interviewer.web.controller import PageController
from interviewer.web.gradio_support import (
    CONCURRENCY,
    EVENT_OPTIONS,
    Outputs,
    Updates,
    note_html,
)
from interviewer.web.safe_html import busy_html
from interviewer.web.uploads import kept as kept_uploads
from interviewer.web.uploads import read_once
from interviewer.web.view_state import name_of
from interviewer.web.views.base import ShownInterview, ViewContext
from interviewer.web.views.setup import layout, own_documents
from interviewer.web.views.setup.assigned import AssignedEvents
from interviewer.web.views.setup.form import length_shown, wish_of
from interviewer.web.views.setup.history import history_html
from interviewer.web.views.setup.loop import LoopEvents
from interviewer.web.workspace import Library
from knowledge.ingestion.own_documents import OwnDocument
from knowledge.model import Question
from serving import paths
from serving.errors import BadInputError, InterviewerError

_EARLIER_SHOWN = 8
_NO_AGENDA = ("", gr.update(value="", visible=False), "")


class SetupView:
    """The panel on which an interview is chosen, and what its events do; made inside a ``gr.Blocks``.

    Args:
        context: where it is, and what it shows an interview with that was started or resumed.

    """

    def __init__(self, context: ViewContext) -> None:
        self._here = context.here
        self._kept = context.kept
        self._show_interview = context.show
        self._resume = context.resume
        self._readers = context.readers
        self._shares = context.shares
        self.panel = layout.build(context.locations)
        self._loop = LoopEvents(self.panel.loop, context, self.panel.note)
        self._assigned = AssignedEvents(self.panel.assigned, context)

    @property
    def shown(self) -> Outputs:
        """The panel's elements that ``show`` changes."""
        panel = self.panel
        return [
            panel.panel,
            panel.readers,
            panel.topics,
            panel.earlier_group,
            panel.earlier,
            panel.known,
            panel.forget,
            panel.note,
            *panel.loop.shown,
            *panel.assigned.shown,
        ]

    def connect(self, page: Outputs) -> None:
        """Connect the panel's events; see ``PageView``."""
        panel, draft = self.panel, self._kept.draft
        # Apart from the rest, since the first time it takes seconds, and nobody has to wait for it.
        draft.change(self._show_history, None, [panel.history, panel.daily], **EVENT_OPTIONS)
        listed = [panel.documents, panel.listed]
        shown = draft.change(self._show_documents, None, [*listed, panel.own_documents], **EVENT_OPTIONS)
        if self._shares:
            changed = [panel.found, panel.topics, *listed]
            shown.then(self._catch_up, None, changed, **EVENT_OPTIONS, **CONCURRENCY["documents"])
        panel.documents.input(self._leave_out, panel.documents, panel.found, **EVENT_OPTIONS)
        panel.own_documents.input(self._ask_only_own, panel.own_documents, panel.note, **EVENT_OPTIONS)
        panel.removal.click(
            self._remove, self._kept.request, [panel.found, panel.topics, *listed],
            js="() => [window.interviewer.removed]", trigger_mode="multiple",
            **EVENT_OPTIONS, **CONCURRENCY["documents"],
        )  # fmt: skip
        panel.start.click(self._start, [draft, *panel.choices], page, **EVENT_OPTIONS)
        self._loop.connect(page)
        self._assigned.connect(page)
        panel.daily.click(self._start_drill, draft, page, **EVENT_OPTIONS)
        agenda = [panel.agenda, panel.agenda_list, panel.agenda_edited]
        fill = "() => window.interviewer.listAgenda()"
        panel.draw_up.click(self._draw_up, panel.choices, [*agenda, panel.note], **EVENT_OPTIONS).then(
            None, None, None, js=fill, **EVENT_OPTIONS
        )
        # What the person changed stays when only the length does; what they left as it was is drawn up anew.
        gr.on(
            [panel.span.input, panel.length.input],
            self._resize, [panel.agenda_edited, *panel.choices], [*agenda, panel.note], **EVENT_OPTIONS,
        ).then(None, None, None, js=fill, **EVENT_OPTIONS)  # fmt: skip
        panel.role.change(self._preset, panel.role, [panel.topics, panel.level, panel.kinds], **EVENT_OPTIONS)
        panel.style.input(lambda style: style == Style.DEMANDING, panel.style, panel.cut_short, **EVENT_OPTIONS)
        panel.span.change(length_shown, panel.span, panel.length, **EVENT_OPTIONS)
        # An agenda that was drawn up for other choices says something else than what is going to happen.
        gr.on(
            [
                *(panel.role.input, panel.topics.input, panel.level.input),
                *(panel.kinds.input, panel.own_documents.input),
            ],
            lambda: _NO_AGENDA, None, agenda, **EVENT_OPTIONS,
        )  # fmt: skip
        panel.earlier.change(self._chosen, panel.earlier, panel.resume, **EVENT_OPTIONS)
        panel.resume.click(self._resume, panel.earlier, page, **EVENT_OPTIONS)
        panel.background.upload(
            self._read_background, panel.background, [panel.known, panel.forget, panel.background], **EVENT_OPTIONS
        )
        panel.forget.click(self._forget, None, [panel.known, panel.forget], **EVENT_OPTIONS)
        panel.files.upload(
            self._add,
            panel.files,
            [panel.found, panel.topics, panel.files, *listed],
            **EVENT_OPTIONS,
            **CONCURRENCY["documents"],
        )

    def show(self, interview: ShownInterview | None, note: str | None) -> Updates:
        """The panel as one comes to it, hidden while there is an interview; see ``PageView``."""
        panel = self.panel
        if interview is not None:
            return {panel.panel: gr.update(visible=False)}
        now = datetime.now().astimezone()
        known, forget = _background_shown(candidate_background.kept(self._here().home()))
        earlier: list[tuple[str, str]] = []
        parts: Updates = {}
        try:
            parts = self._loop.show() | self._assigned.show()
            # Those that are over have a report and nothing to resume; they stand in the history.
            begun = [one for one in self._controller.past.all() if not one.ended][:_EARLIER_SHOWN]
            earlier = [(name_of(one, now), one.id) for one in begun]
        except InterviewerError as error:
            note = note or str(error)
        return {
            self._kept.draft: self._controller.new_session(),
            panel.panel: gr.update(visible=True),
            panel.readers: self._readers(),
            panel.topics: gr.update(choices=topics_of(self._library.questions())),
            panel.earlier_group: gr.update(visible=bool(earlier)),
            panel.earlier: gr.update(choices=earlier, value=None),
            panel.known: known,
            panel.forget: forget,
            panel.note: note_html(note or ""),
            **parts,
        }

    @property
    def _controller(self) -> PageController:
        return self._here().controller

    @property
    def _library(self) -> Library:
        return self._here().library

    # Choosing and starting

    def _start(self, draft: str, *choices: Any) -> Updates:
        try:
            wish = self._leaning(wish_of(choices))
            return self._show_interview(draft, self._controller.start(draft or "", wish, self._library.questions()))
        except InterviewerError as error:
            return {self.panel.note: note_html(str(error))}

    def _start_drill(self, draft: str) -> Updates:
        try:
            return self._show_interview(draft, self._controller.start_drill(draft or "", self._library.questions()))
        except InterviewerError as error:
            return {self.panel.note: note_html(str(error))}

    def _resize(self, edited: str, *choices: Any) -> tuple[Any, ...]:
        *_, agenda = choices
        return self._draw_up(*choices) if agenda and not edited else (gr.skip(),) * 4

    def _draw_up(self, *choices: Any) -> tuple[Any, ...]:
        try:
            wish = self._leaning(wish_of(choices, edited=False))
            questions = self._library.questions()
            text = agenda_text(draw_up(wish, questions))
        except InterviewerError as error:
            return *(gr.skip(),) * 3, note_html(str(error))
        if not text:
            return *_NO_AGENDA, note_html("No questions match your choices.")
        rows = gr.update(value=layout.agenda_list_html(topics_of(questions)), visible=True)
        return text, rows, "", ""

    def _preset(self, role: Any) -> tuple[Any, Any, Any]:
        # A page's script may send a list, which Gradio lets through where it holds nothing that cannot be chosen.
        preset = ROLES.get(role) if isinstance(role, str) else None
        if preset is None:
            return gr.update(value=[]), gr.skip(), gr.update(value=[])
        return gr.update(value=list(preset.topics)), preset.level.value, gr.update(value=[])

    def _leaning(self, wish: InterviewOptions) -> InterviewOptions:
        known = candidate_background.kept(self._here().home())
        wish = own_documents.asked_from(wish, self._documents())
        return wish.model_copy(update={"opening": known.opening, "leaning": known.topics})

    # Earlier interviews

    def _chosen(self, session: str | None) -> Any:
        known = {summary.id: summary for summary in self._controller.past.all()}
        ended = session in known and known[session].ended
        return gr.update(value="Open the report" if ended else "Resume", interactive=session in known)

    def _show_history(self) -> tuple[Any, Any]:
        try:
            past = self._controller.past.history(self._library.questions())
        except InterviewerError as error:
            return note_html(str(error)), gr.update(visible=False)
        return history_html(past), gr.update(visible=past.drill is not None)

    # What the person brings along

    def _read_background(self, files: list[str] | None) -> tuple[Any, Any, Any]:
        given = [Path(path) for path in files or ()]
        try:
            with read_once(given):
                lines = [line for path in given for line in candidate_background.lines_of(path)]
            found = candidate_background.background(lines, self._library)
            candidate_background.keep(found, self._here().home())
        except InterviewerError as error:
            return note_html(str(error)), gr.skip(), gr.update(value=None)
        return *_background_shown(found), gr.update(value=None)

    def _forget(self) -> tuple[Any, Any]:
        try:
            candidate_background.forget(self._here().home())
        except InterviewerError as error:
            return note_html(str(error)), gr.skip()
        return _background_shown(candidate_background.Background())

    def _documents(self) -> tuple[OwnDocument, ...]:
        shelf = self._here().documents
        return shelf.all() if shelf else ()

    def _list_documents(self) -> tuple[Any, Any]:
        try:
            documents = self._documents()
        except InterviewerError as error:
            return gr.skip(), note_html(str(error))
        left_out = settings.kept(self._here().home()).left_out
        return own_documents.choices_of(documents, left_out), own_documents.listed_html(documents)

    def _show_documents(self) -> tuple[Any, ...]:
        return *self._list_documents(), settings.kept(self._here().home()).own_documents

    def _catch_up(self) -> Iterator[tuple[Any, ...]]:
        """Brings the documents to what other pages made of them, and says which it is at and which cannot be used."""
        refused: list[str] = []
        changed = 0
        try:
            for told in self._here().catch_up():
                changed += not told.refused
                if told.refused:
                    refused.append(told.said)
                yield busy_html(told.said), *(gr.skip(),) * 3
        except InterviewerError as error:
            refused.append(own_documents.not_caught_up(error.message))
        if changed or refused:
            topics = gr.update(choices=topics_of(self._library.questions()))
            yield own_documents.caught_up_html(changed, refused), topics, *self._list_documents()

    def _leave_out(self, chosen: Any) -> str:
        try:
            left_out = own_documents.left_out_by(chosen or (), self._documents())
            settings.change(self._here().home(), {"left_out": left_out})
        except InterviewerError as error:
            return note_html(str(error))
        return ""

    def _ask_only_own(self, chosen: Any) -> str:
        try:
            settings.change(self._here().home(), {"own_documents": chosen})
        except InterviewerError as error:
            return note_html(str(error))
        return ""

    def _remove(self, source: str | None) -> tuple[Any, ...]:
        shelf = self._here().documents
        # A page's script may send nothing.
        if shelf is None or not source:
            return (gr.skip(),) * 4
        try:
            shelf.remove(source)
        except InterviewerError as error:
            return note_html(str(error)), *(gr.skip(),) * 3
        topics = gr.update(choices=topics_of(self._library.questions()))
        return layout.removed_html(Path(source).name), topics, *self._list_documents()

    def _add(self, given: list[str] | None) -> tuple[Any, ...]:
        found: list[Question] = []
        refused: list[str] = []
        here = self._here()
        # One at a time, so that a document that cannot be used leaves the one kept under its name before.
        for path in map(Path, given or []):
            try:
                with kept_uploads([path], paths.made(here.home() / "documents")) as files:
                    done = here.ingest(files)
                    for file in done.failed:
                        raise BadInputError(file.why.replace(file.path, path.name), hint=file.hint)
                found += done.questions
                refused += [file.left_out.replace(file.path, path.name) for file in done.files if file.left_out]
            except InterviewerError as error:
                refused.append(str(error))
        topics = topics_of(self._library.questions())
        return (
            layout.added_html(found, refused),
            gr.update(choices=topics),
            gr.update(value=None),
            *self._list_documents(),
        )


def _background_shown(known: candidate_background.Background) -> tuple[str, Any]:
    """What was read from a résumé or a job description, and the button that deletes it."""
    return layout.background_html(known), gr.update(visible=known != candidate_background.Background())
