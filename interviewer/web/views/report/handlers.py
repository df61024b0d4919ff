"""What happens where the report is read: downloads, settling, disputing, practicing, deleting the sound."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import gradio as gr

from interviewer.dialogue.utterances import closing, replies
from interviewer.report.analysis.findings import findings
from interviewer.report.export.audio_clips import places, sounds
from interviewer.report.render.html import render_html_fragment
from interviewer.session.state import State
from interviewer.web import safe_html
from interviewer.web.controller import PageController
from interviewer.web.downloads import ReportFolder
from interviewer.web.gradio_support import (
    CONCURRENCY,
    EVENT_OPTIONS,
    Outputs,
    Updates,
    note_html,
)
from interviewer.web.identity import present
from interviewer.web.safe_html import busy_html
from interviewer.web.view_state import render
from interviewer.web.views.base import ShownInterview, ViewContext
from interviewer.web.views.report import disputes, layout, self_assessment
from knowledge.model import Level
from rubric.grading.prompt_calibration import known_cards
from serving import paths, traces
from serving.errors import BadInputError, InterviewerError

_LOG = logging.getLogger(__name__)


class ReportView:
    """The panel on which the report is read, and what its events do; made inside a ``gr.Blocks``.

    Args:
        context: where it is, and what it shows an interview with that was started for practice.

    """

    def __init__(self, context: ViewContext) -> None:
        self._here = context.here
        self._kept = context.kept
        self._show_interview = context.show
        self._locations = context.locations
        self._reports = ReportFolder()
        self.panel = panel = layout.build()
        # What says something else once a mark does.
        self._marked = (
            *(panel.status, panel.body, panel.html, panel.pdf, panel.markdown, panel.json),
            *(panel.anki, panel.calendar),
        )

    @property
    def shown(self) -> Outputs:
        """The panel's elements."""
        return [*vars(self.panel).values()]

    def connect(self, page: Outputs) -> None:
        """Connect the panel's events; see ``PageView``."""
        panel, kept = self.panel, self._kept
        with panel.settling:
            gr.render([kept.session], [kept.seen.change], show_progress="hidden")(self._build_settling)
        panel.practice.click(self._practice, [kept.session, kept.draft, panel.practice_choice], page, **EVENT_OPTIONS)
        # Asked once more in the browser: what is deleted cannot be had back.
        panel.forget_sound.click(
            self._forget_sound, kept.session, page,
            js="(session) => [confirm('Delete the recordings of your answers? Only the text stays.') ? session : '']",
            # Whoever thinks better of having said no is not to be overheard while that is still under way.
            trigger_mode="multiple", **EVENT_OPTIONS,
        )  # fmt: skip
        panel.again.click(None, None, None, js="() => window.interviewer.leave()", **EVENT_OPTIONS)

    def show(self, interview: ShownInterview | None, note: str | None) -> Updates:
        """The report on an interview that is over, hidden before; see ``PageView``."""
        if interview is None or interview.view.panel != "report":
            return {self.panel.panel: gr.update(visible=False)}
        session, state, view = interview
        return {self.panel.panel: gr.update(visible=True), **self._report(session, state, waiting=view.waiting)}

    def _report(self, session: str, state: State, *, waiting: bool) -> Updates:
        with traces.about(session), traces.span("report.make", {"report.pdf": not waiting}):
            return self._made(session, state, waiting=waiting)

    def _made(self, session: str, state: State, *, waiting: bool) -> Updates:
        panel = self.panel
        earlier = self._controller.earlier_scores(session)
        library = self._here().library.questions()
        found = findings(session, state, known_cards(paths.judges()), library, earlier, replies=replies(state))
        playable = self._here().recordings.playable(session, places(state))
        heard = sounds(state, found, playable.folder)
        updates: Updates = {
            panel.status: layout.status_html(closing(state.ended) if state.ended else "", waiting),
            panel.body: safe_html.inert(render_html_fragment(found, heard)),
            panel.practice_choice: gr.update(choices=layout.practice(found)),
            panel.practice_note: "",
            panel.forget_sound: gr.update(value=layout.forget_words(playable.known), visible=playable.known > 0),
            panel.sound_note: note_html(playable.note) if playable.note else "",
            # Practicing begins an interview of its own; a second click on it must not begin another.
            self._kept.draft: self._controller.new_session(),
        }
        try:
            # While marks are still to come it would be set again with each.
            files = self._reports.write(found, name=present(), sounds=heard, pdf=not waiting)
        except InterviewerError as error:
            _LOG.warning("%s", error)
            return {**updates, panel.status: note_html(str(error))}
        return {
            **updates,
            panel.html: str(files.html),
            panel.pdf: gr.update(value=str(files.pdf) if files.pdf else None, interactive=files.pdf is not None),
            panel.markdown: str(files.markdown),
            panel.json: str(files.json),
            panel.anki: gr.update(value=str(files.anki), visible=bool(found.study)),
            panel.calendar: gr.update(value=str(files.calendar), visible=bool(found.study)),
        }

    @property
    def _controller(self) -> PageController:
        return self._here().controller

    # Settling and disputing marks

    def _build_settling(self, session: str) -> None:
        try:
            state = self._controller.find(session)
        except InterviewerError as error:
            gr.HTML(note_html(str(error)), apply_default_css=False)
            return
        if state is None or not state.ended:
            return
        if render(state).waiting:
            # Each mark that comes in would lay it out anew under the hands of whoever reads or writes there.
            gr.HTML(layout.SETTLED_LATER_HTML, apply_default_css=False)
            return
        for choice in self_assessment.build(self_assessment.left_open(state), self._locations):
            choice.verdict.input(
                self._settle(choice.asked_id, choice.criterion_id),
                [self._kept.session, self._kept.request, choice.verdict],
                [choice.note, *self._marked],
                js="(session, _, verdict) => [session, window.interviewer.request(), verdict]",
                # A second choice made while the first is stored must not be lost.
                trigger_mode="always_last",
                **EVENT_OPTIONS,
            )

        for contest in disputes.build(disputes.disputable(state)):
            contest.button.click(
                self._dispute(contest.asked_id, contest.criterion_id),
                [self._kept.session, self._kept.request, contest.reason],
                [contest.note, self._kept.seen, *self._marked],
                js="(session, _, reason) => [session, window.interviewer.request(), reason]",
                show_progress="minimal",
                api_visibility="private",
                **CONCURRENCY["disputes"],
            )

    def _settle(self, asked_id: str, criterion_id: str) -> Callable[[str, str, str], tuple[Any, ...]]:
        def settle(session: str, request: str, choice: str) -> tuple[Any, ...]:
            try:
                verdict = self_assessment.CHOICES[choice]
                state = self._controller.self_assess(session, asked_id, criterion_id, verdict, request)
            except InterviewerError as error:
                return note_html(str(error)), *(gr.skip() for _ in self._marked)
            shown = self._report(session, state, waiting=render(state).waiting)
            return self_assessment.KEPT_HTML, *(shown.get(part, gr.skip()) for part in self._marked)

        return settle

    def _dispute(self, asked_id: str, criterion_id: str) -> Callable[[str, str, str], Iterator[tuple[Any, ...]]]:
        def dispute(session: str, request: str, reason: str) -> Iterator[tuple[Any, ...]]:
            unchanged = (gr.skip(), *(gr.skip() for _ in self._marked))
            yield busy_html(disputes.READING_AGAIN), *unchanged
            try:
                state = self._controller.dispute(session, asked_id, criterion_id, reason or "", request or "")
            except InterviewerError as error:
                yield note_html(str(error)), *unchanged
                return
            view = render(state)
            shown = self._report(session, state, waiting=view.waiting)
            yield "", view.digest, *(shown.get(part, gr.skip()) for part in self._marked)

        return dispute

    # Practicing, deleting

    def _practice(self, session: str, draft: str, choice: Any) -> Updates:
        note = self.panel.practice_note
        try:
            # A page's script may send a list, which Gradio lets through where all of it can be chosen.
            if not choice or not isinstance(choice, str):
                raise BadInputError("Choose a question first.")
            held = self._controller.find(session)
            level = held.plan.level if held and held.plan else Level.MID
            state = self._controller.practice(draft, choice, level)
            shown = self._show_interview(draft, state)
            return {**shown, self.panel.practice_choice: gr.update(value=""), note: ""}
        except InterviewerError as error:
            return {note: note_html(str(error))}

    def _forget_sound(self, session: str) -> Updates:
        note = self.panel.sound_note
        if not session:
            return {note: gr.skip()}
        try:
            # Nobody deletes what is not theirs.
            state = self._controller.state(session)
            self._here().recordings.delete(session)
        except InterviewerError as error:
            return {note: note_html(str(error))}
        # Written anew, since pieces of the sound stand in it.
        shown = self._report(session, state, waiting=render(state).waiting)
        return {**shown, note: '<p class="note" role="status">The recordings are deleted.</p>'}
