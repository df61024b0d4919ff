"""What happens while an interview is held: answers, wishes, code, the whiteboard, the person's notes."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import gradio as gr

from interviewer.session.drawing import read
from interviewer.session.plan import Confidence
from interviewer.session.state import State
from interviewer.storage import settings
from interviewer.web.controller import PageController
from interviewer.web.gradio_support import (
    CONCURRENCY,
    EVENT_OPTIONS,
    STEPWISE,
    Outputs,
    Updates,
    note_html,
)
from interviewer.web.safe_html import busy_html
from interviewer.web.view_state import Action, render, request_id
from interviewer.web.views.base import ShownInterview, ViewContext
from interviewer.web.views.interview import confidence, layout
from interviewer.web.views.interview.code_result import code_html
from interviewer.web.views.interview.lookup import looked_up
from interviewer.web.views.interview.transcript import transcript_html
from interviewer.web.views.interview.whiteboard import drawn, goes_along, picture, with_outline
from serving.errors import InterviewerError

_PAUSE, _GO_ON = "Pause", "Resume"
_LOG = logging.getLogger(__name__)


END_ASKED = "End the interview and see the report? You won’t be able to resume it."
"""Asked before an interview is ended by its button."""


class InterviewView:
    """The panel on which the interview is held, and what its events do; made inside a ``gr.Blocks``.

    Args:
        context: where it is, and what it shows the interview with after an event.

    """

    def __init__(self, context: ViewContext) -> None:
        self._here = context.here
        self._kept = context.kept
        self._show_interview = context.show
        self.panel = layout.build(talks=context.talks)

    @property
    def shown(self) -> Outputs:
        """The elements that ``show`` changes, and the answer, which is emptied once it is sent."""
        panel, kept = self.panel, self._kept
        return [
            *(panel.panel, panel.progress, panel.question, panel.transcript, panel.answer),
            *(kept.sketched, panel.sketch),
            *(panel.sure, kept.unmarked),
            *(kept.task, panel.editor, panel.run, panel.submit, panel.finish, panel.result),
            *(panel.note, panel.send, panel.hint, panel.repeat, panel.skip, panel.back),
            *(panel.pause, panel.end, kept.silence, kept.drafts),
        ]

    def connect(self, page: Outputs) -> None:
        """Connect the panel's events; see ``PageView``."""
        panel, kept = self.panel, self._kept
        session, turn = kept.session, kept.turn
        gr.on(
            [panel.send.click, panel.answer.submit],
            self._send, [session, turn, panel.answer, panel.sure, panel.outline, panel.drawing], page,
            **STEPWISE,
        )  # fmt: skip
        panel.sure.input(
            self._state_confidence, [session, kept.unmarked, kept.request, panel.answer, panel.sure],
            [panel.sure, panel.note],
            js="(session, sent, _, text, sure) => [session, sent, window.interviewer.request(), text, sure]",
            **EVENT_OPTIONS,
        )  # fmt: skip
        kept.sketched.change(self._load_board, session, [panel.outline, panel.drawing], **EVENT_OPTIONS).then(
            None, None, None, js="() => window.interviewer.sketched()", **EVENT_OPTIONS
        )
        notes_of = gr.State("")
        session.change(
            self._load_notes, [session, notes_of], [panel.notes, panel.notes_state, notes_of], **EVENT_OPTIONS
        )
        panel.notes.input(
            self._keep_notes, [session, kept.request, panel.notes], panel.notes_state,
            js="(session) => window.interviewer.notes(session)", trigger_mode="always_last", **EVENT_OPTIONS,
        ).then(None, None, None, js="() => window.interviewer.noted()", **EVENT_OPTIONS)  # fmt: skip
        filled_in = gr.State("")
        kept.task.change(
            self._load_code, [session, kept.task, filled_in], [panel.code, panel.editor, filled_in], **EVENT_OPTIONS
        )
        for button, submit in ((panel.run, False), (panel.submit, True)):
            button.click(
                self._run(submit=submit), [session, kept.task, kept.request, panel.code], page,
                js="(session, task, _, code) => [session, task, window.interviewer.request(), code]",
                **EVENT_OPTIONS, **CONCURRENCY["code"],
            )  # fmt: skip
        panel.finish.click(self._leave("finish"), [session, turn], page, **STEPWISE)
        panel.hint.click(self._wish("hint"), [session, turn], page, **EVENT_OPTIONS)
        panel.repeat.click(self._wish("repeat"), [session, turn], page, **EVENT_OPTIONS)
        panel.skip.click(self._leave("skip"), [session, turn], page, **STEPWISE)
        panel.back.click(self._wish("back"), [session, turn], page, **EVENT_OPTIONS)
        panel.pause.click(
            self._pause, [session, turn, panel.pause], page,
            # What the button says to the person counts, at once, though Gradio may still be at work on the last press.
            js="(session, turn) => [session, turn, document.querySelector('#pause').textContent.trim()]",
            trigger_mode="multiple", **EVENT_OPTIONS,
        )  # fmt: skip
        panel.end.click(
            self._leave("end"), [session, turn], page,
            # It stands beside the pause, and nothing brings an interview back that has ended.
            js=f"(session, turn) => [confirm({END_ASKED!r}) ? session : '', turn]", **EVENT_OPTIONS,
        )  # fmt: skip
        panel.quiet.click(
            self._tell_silence, [session, turn, kept.request], page,
            js="(session, turn) => [session, turn, window.interviewer.silence()]", **EVENT_OPTIONS,
        )  # fmt: skip
        panel.drafted.click(self._tell_draft, [session, panel.answer], page, **EVENT_OPTIONS)
        panel.claim.click(
            self._claim, [session, kept.request, kept.request, kept.request], page,
            js="(session) => [session, ...window.interviewer.claimed]", trigger_mode="multiple",
            **EVENT_OPTIONS, **CONCURRENCY["disputes"],
        )  # fmt: skip

    def show(self, interview: ShownInterview | None, note: str | None) -> Updates:
        """The panel for a state of the interview, hidden where there is none or it is over; see ``PageView``."""
        panel, kept = self.panel, self._kept
        if interview is None:
            return {panel.panel: gr.update(visible=False), kept.task: "", kept.silence: "", kept.drafts: ""}
        _, state, view = interview
        not_executed = self._controller.not_executed(state) if view.task else ""
        told = code_html(state.current, not_executed) if not_executed and state.current else view.code_html
        return {
            panel.panel: gr.update(visible=view.panel == "interview"),
            panel.progress: view.progress_html,
            panel.question: view.question_html,
            panel.transcript: view.transcript_html,
            kept.task: view.task,
            # Shown by what fills it in: what was typed before would be lost.
            **({} if view.task else {panel.editor: gr.update(visible=False)}),
            kept.sketched: view.sketched,
            panel.sketch: gr.update(visible=bool(view.sketched)),
            panel.result: told,
            panel.run: gr.update(interactive=bool(view.task) and not not_executed),
            panel.submit: gr.update(interactive=bool(view.task)),
            panel.finish: gr.update(interactive=view.handed_in),
            **({} if note is None else {panel.note: note_html(note)}),
            panel.send: gr.update(interactive=view.listening),
            panel.skip: gr.update(interactive=view.listening),
            panel.repeat: gr.update(interactive=view.drilling),
            panel.sure: gr.update(
                visible=view.drilling or bool(view.unmarked), elem_classes=[confidence.SENT] if view.unmarked else []
            ),
            kept.unmarked: view.unmarked,
            panel.hint: gr.update(interactive=view.hints),
            panel.back: gr.update(interactive=view.returnable),
            panel.pause: gr.update(value=_GO_ON if view.paused else _PAUSE),
            kept.silence: f"{view.silence_s:g}" if view.silence_s is not None and self._answers_silence else "",
            kept.drafts: "yes" if view.drafts else "",
        }

    @property
    def _controller(self) -> PageController:
        return self._here().controller

    # Answers and wishes

    def _send(self, session: str, turn: str, text: str, sure: str | None, *board: str | None) -> Iterator[Updates]:
        try:
            asked = looked_up(self._controller.find(session), text or "", at=datetime.now(UTC))
        except InterviewerError:
            asked = None
        if asked is not None:
            yield {self.panel.transcript: transcript_html(asked), self.panel.note: ""}
        yield from self._answer(session, turn, text, sure, *board)
        # Gradio tells the last of them once more at the end: it would empty a box in which somebody types again.
        yield {self.panel.note: gr.skip()}

    def _answer(self, session: str, turn: str, text: str, sure: str | None, *board: str | None) -> Iterator[Updates]:
        outline, sketched = board
        try:
            state = self._controller.find(session)
            drawing = read(sketched or "")
            whole = with_outline(text or "", outline or "", state, request_id("answer", turn), drawing)
            if state is not None and state.current is not None and goes_along(text or "", state):
                digest = hashlib.sha256(drawing.model_dump_json().encode()).hexdigest()[:16]
                self._controller.keep_drawing(session, state.current.asked_id, drawing, f"board-{turn}-{digest}")
        except InterviewerError as error:
            yield {self.panel.note: note_html(str(error))}
            return
        state, note = self._act(session, turn, "answer", whole, confidence.CHOICES.get(sure or ""))
        for updates in self._outcome(session, state, note):
            # Merged, since whether the choice is shown at all is among the updates.
            emptied = {**updates.get(self.panel.sure, gr.update()), "value": None}
            yield updates if note else {**updates, self.panel.answer: gr.update(value=""), self.panel.sure: emptied}

    def _state_confidence(
        self, session: str, sent: str, request: str, text: str, choice: str | None
    ) -> tuple[Any, Any]:
        level = confidence.CHOICES.get(choice or "")
        # While something is being written the choice is about that, and goes with it.
        if level is None or (text or "").strip() or not sent:
            return gr.skip(), gr.skip()
        try:
            self._controller.state_confidence(session, sent, level, request)
        except InterviewerError as error:
            return gr.skip(), note_html(str(error))
        return gr.update(value=None), confidence.kept_html(level)

    def _wish(self, action: Action) -> Callable[[str, str], Updates]:
        def wish(session: str, turn: str) -> Updates:
            return self._shown_after(session, *self._act(session, turn, action))

        return wish

    def _leave(self, action: Action) -> Callable[[str, str], Iterator[Updates]]:
        """A wish that may end the interview."""

        def leave(session: str, turn: str) -> Iterator[Updates]:
            # Whoever is asked whether to end it, and thinks better of it, sends no interview.
            if session:
                yield from self._outcome(session, *self._act(session, turn, action))
            yield {self.panel.note: gr.skip()}

        return leave

    def _pause(self, session: str, turn: str, label: str) -> Updates:
        return self._shown_after(session, *self._act(session, turn, "go on" if label == _GO_ON else "pause"))

    def _act(
        self, session: str, turn: str, action: Action, text: str = "", sure: Confidence | None = None
    ) -> tuple[State | None, str]:
        """The interview as it stands after a wish, ``None`` where that is not known, and why it was not carried out."""
        try:
            return self._controller.act(session, turn, action, text, sure)
        except InterviewerError as error:
            return None, str(error)

    def _shown_after(self, session: str, state: State | None, note: str) -> Updates:
        return {self.panel.note: note_html(note)} if state is None else self._show_interview(session, state, note)

    def _outcome(self, session: str, state: State | None, note: str) -> Iterator[Updates]:
        """What is shown after a wish; that there will be a report is told before it is made, which takes seconds."""
        if state is not None and state.ended is not None:
            panel, view = self.panel, render(state)
            buttons = (panel.send, panel.skip, panel.hint, panel.repeat, panel.back, panel.finish)
            yield {
                panel.transcript: view.transcript_html,
                panel.question: view.question_html,
                panel.note: "",
                **dict.fromkeys(buttons, gr.update(interactive=False)),
            }
        yield self._shown_after(session, state, note)

    @property
    def _answers_silence(self) -> bool:
        return settings.kept(self._here().home()).silence_steps

    def _tell_silence(self, session: str, turn: str, quiet_s: str | None) -> Updates:
        if not self._answers_silence:
            return {self._kept.silence: ""}
        nothing: Updates = {self._kept.silence: gr.skip()}
        try:
            state = self._controller.quiet(session, turn, float(quiet_s or "nan"))
        except ValueError:
            return nothing
        except InterviewerError as error:
            return {self.panel.note: note_html(str(error))}
        # A note belongs to what the person did last, which this is not.
        return nothing if state is None else self._show_interview(session, state, None)

    def _tell_draft(self, session: str, draft: str) -> Updates:
        try:
            state = self._controller.cut_short(session, draft or "")
        except InterviewerError as error:
            return {self.panel.note: note_html(str(error))}
        return {self._kept.drafts: gr.skip()} if state is None else self._show_interview(session, state, None)

    def _claim(self, session: str, asked_id: str, criterion_id: str, request: str) -> Updates:
        try:
            return self._show_interview(session, self._controller.dispute(session, asked_id, criterion_id, "", request))
        except InterviewerError as error:
            return {self.panel.note: note_html(str(error))}

    # Code, whiteboard, notes

    def _run(self, *, submit: bool) -> Callable[[str, str, str, str], Iterator[Updates]]:
        def run(session: str, task: str, request: str, source: str) -> Iterator[Updates]:
            panel = self.panel
            # Not the one that was pressed: a button that is disabled loses the focus.
            buttons = (panel.run if submit else panel.submit, panel.finish)
            yield {
                panel.result: busy_html("Your code is running."),
                panel.note: "",
                **dict.fromkeys(buttons, gr.update(interactive=False)),
            }
            try:
                state, note = self._controller.run_code(session, task, source or "", request or "", submit=submit)
                yield self._show_interview(session, state, note)
            except InterviewerError as error:
                yield {panel.note: note_html(str(error)), **dict.fromkeys(buttons, gr.update(interactive=True))}

        return run

    def _load_code(self, session: str, task: str, filled_in: str) -> tuple[Any, Any, str]:
        shown = gr.update(visible=bool(task))
        # Told twice, as in _load_notes.
        if not task or task == filled_in:
            return gr.skip(), shown, task
        try:
            return self._controller.code_of(session), shown, task
        except InterviewerError as error:
            _LOG.warning("%s", error)
            return gr.skip(), shown, filled_in

    def _load_board(self, session: str) -> tuple[Any, Any]:
        try:
            state = self._controller.find(session)
            return drawn(state), picture(state)
        except InterviewerError as error:
            _LOG.warning("%s", error)
            return gr.skip(), gr.skip()

    def _load_notes(self, session: str, loaded: str) -> tuple[Any, Any, str]:
        # Gradio may tell a change twice; the second time something may have been typed already.
        if session == loaded:
            return gr.skip(), gr.skip(), loaded
        try:
            return gr.update(value=self._controller.notes_of(session), interactive=True), "", session
        except InterviewerError as error:
            return gr.skip(), note_html(str(error)), loaded

    def _keep_notes(self, session: str, request: str, text: str) -> str:
        try:
            self._controller.write_notes(session, text or "", request or "")
        except InterviewerError as error:
            return note_html(str(error))
        return '<p class="quiet" role="status">Saved.</p>'
