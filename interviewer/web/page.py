"""The page: three panels, and what connects them to the interview."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gradio as gr

from interviewer import background, recordings
from interviewer.agenda import Wish, draw_up
from interviewer.events import Confidence
from interviewer.journal import Journal
from interviewer.phrasing import closing
from interviewer.report.findings import findings
from interviewer.report.html import render_html_fragment
from interviewer.report.sounds import sounds
from interviewer.roles import ROLES
from interviewer.state import State
from interviewer.web import disputing, interview_panel, markup, report_panel, settling, setup_panel, sureness
from interviewer.web.code_view import code_html
from interviewer.web.desk import Desk, name_of
from interviewer.web.files import ReportFolder
from interviewer.web.history_panel import history_html
from interviewer.web.outline import drawn, with_outline
from interviewer.web.place import Ingest, Library, Place
from interviewer.web.transcript import busy_html
from interviewer.web.uploads import kept
from interviewer.web.view import Action, WarmUp, is_warm, render, request_id, warm_up_html
from knowledge.model import Level, Question
from rubric.calibration import known_cards
from serving import paths
from serving.errors import BadInputError, InterviewerError

if TYPE_CHECKING:
    from interviewer.conductor import Conductor
    from interviewer.web.voice_room import VoiceRoom

Updates = dict[Any, Any]
"""New values by Gradio component; components that are left out stay as they are."""

_POLL_S = 1.0
_EARLIER_SHOWN = 8
_TITLE = "Mock interview"
# What takes long gets few of the forty threads that Gradio has, so that nobody's turn waits for somebody else's.
_SLOW = {
    name: {"concurrency_id": name, "concurrency_limit": most}
    for name, most in {"code": 8, "documents": 2, "disputes": 4}.items()
}
_PAUSE, _GO_ON = "Pause", "Go on"
_LOG = logging.getLogger(__name__)


def build_page(
    conductor: Conductor,
    library: Library,
    warmup: WarmUp,
    journal: Journal,
    ingest: Ingest,
    *,
    voice: VoiceRoom | None = None,
    here: Callable[[], Place] | None = None,
) -> gr.Blocks:
    """The page, ready to be launched by ``launch_page``.

    Args:
        conductor: moves interviews on.
        library: what can be asked about.
        warmup: tells how far the models are.
        journal: knows which interviews there are.
        ingest: takes documents in.
        voice: hears and speaks, its routes given to ``launch_page``; without it, everything is typed.
        here: where several people share the page, the place of the one whose request is being answered.

    """
    desk = Desk(conductor, journal, voice.spoken) if voice else Desk(conductor, journal)
    place = Place(desk, library, ingest)
    return _Page(here or (lambda: place), warmup, talks=voice is not None).blocks


class _Page:
    def __init__(self, here: Callable[[], Place], warmup: WarmUp, *, talks: bool = False) -> None:
        self._here = here
        self._warmup = warmup
        self._reports = ReportFolder()
        # Left alone, Gradio sums up after every event how long all those before took.
        os.environ.setdefault("GRADIO_ANALYTICS_CACHE_FREQUENCY", str(10**9))
        # Gradio serves copies of files and deletes them after a day.
        with gr.Blocks(title=_TITLE, analytics_enabled=False, delete_cache=(3600, 86400)) as self.blocks:
            # The browser keeps these, not the server: a page that was open survives a restart of the server.
            self._session = gr.Textbox("", visible="hidden", elem_id="session")
            self._turn = gr.Textbox("", visible="hidden", elem_id="turn")
            self._seen = gr.Textbox("", visible="hidden", elem_id="seen")
            self._fresh = gr.Textbox("", visible="hidden", elem_id="fresh")
            self._draft = gr.Textbox("", visible="hidden", elem_id="draft")
            self._task = gr.Textbox("", visible="hidden", elem_id="task")
            self._sketched = gr.Textbox("", visible="hidden", elem_id="sketched")
            self._request = gr.Textbox("", visible="hidden", elem_id="request")
            self._unmarked = gr.Textbox("", visible="hidden", elem_id="unmarked")
            gr.HTML(
                f"<header><h1>{_TITLE}</h1><p>PyTorch and deep learning, on your own machine.</p></header>",
                apply_default_css=False,
                elem_id="masthead",
            )
            self._warm = gr.HTML(warm_up_html(warmup.steps()), apply_default_css=False, elem_id="warm-up")
            self._setup = setup_panel.build()
            self._interview = interview_panel.build(talks=talks)
            self._report = report_panel.build()
            report = self._report
            self._settled = (
                *(report.status, report.body, report.html, report.pdf, report.markdown, report.json),
                *(report.anki, report.calendar),
            )
            self._warm_timer = gr.Timer(_POLL_S)
            self._timer = gr.Timer(_POLL_S, active=False)
            self._connect()
        self.blocks.queue(default_concurrency_limit=16)

    @property
    def _desk(self) -> Desk:
        return self._here().desk

    @property
    def _library(self) -> Library:
        return self._here().library

    def _connect(self) -> None:
        setup, interview = self._setup, self._interview
        shown = [
            self._session, self._turn, self._seen, self._draft, self._timer,
            setup.panel, setup.topics, setup.earlier_group, setup.earlier, setup.known, setup.note,
            *(interview.panel, interview.progress, interview.question, interview.transcript, interview.answer),
            *(self._sketched, interview.sketch),
            *(interview.sure, self._unmarked),
            *(self._task, interview.editor, interview.run, interview.submit, interview.finish, interview.result),
            *(interview.note, interview.send, interview.hint, interview.repeat, interview.skip, interview.back),
            *(interview.pause, interview.end),
            *vars(self._report).values(),
        ]  # fmt: skip
        quiet = {"show_progress": "hidden", "api_visibility": "private"}
        self.blocks.load(self._open, self._session, shown, js="() => [window.interviewer.session()]", **quiet).then(
            None, None, None, js="() => window.interviewer.opened()", **quiet
        )
        self._warm_timer.tick(self._show_warm_up, None, [self._warm, self._warm_timer], **quiet)
        # In two steps: Gradio makes every output anew each time, 35 ms for all of them while nothing else is served.
        self._timer.tick(self._poll, [self._session, self._seen], [self._fresh, interview.note], **quiet)
        self._fresh.change(self._refresh, self._session, shown, **quiet)
        # Both, since a change of the one may be told before the other holds its new value.
        gr.on(
            [self._seen.change, self._session.change],
            None, self._session, None, js="(session) => window.interviewer.settle(session)", **quiet,
        )  # fmt: skip
        # Apart from the rest, since the first time it takes seconds, and nobody has to wait for it.
        self._draft.change(self._show_history, None, [setup.history, setup.daily], **quiet)
        setup.start.click(self._start, [self._draft, *setup.choices], shown, **quiet)
        setup.daily.click(self._start_drill, self._draft, shown, **quiet)
        setup.draw_up.click(self._draw_up, setup.choices, [setup.agenda, setup.note], **quiet)
        setup.role.change(self._preset, setup.role, [setup.topics, setup.level, setup.kinds], **quiet)
        setup.span.change(setup_panel.length_shown, setup.span, setup.length, **quiet)
        # An agenda that was drawn up for other choices says something else than what is going to happen.
        gr.on(
            [
                *(setup.role.input, setup.topics.input, setup.level.input, setup.span.input, setup.length.input),
                *(setup.kinds.input, setup.talks.input, setup.own_documents.input),
            ],
            lambda: gr.update(value="", visible=False), None, setup.agenda, **quiet,
        )  # fmt: skip
        setup.earlier.change(self._chosen, setup.earlier, setup.resume, **quiet)
        setup.resume.click(self._open, setup.earlier, shown, **quiet)
        setup.background.upload(self._read_background, setup.background, [setup.known, setup.background], **quiet)
        setup.forget.click(self._forget, None, setup.known, **quiet)
        setup.files.upload(
            self._add, setup.files, [setup.found, setup.topics, setup.files], **quiet, **_SLOW["documents"]
        )
        place = [self._session, self._turn]
        gr.on(
            [interview.send.click, interview.answer.submit],
            self._answer, [*place, interview.answer, interview.outline, interview.sure], shown, **quiet,
        )  # fmt: skip
        interview.sure.input(
            self._state_confidence, [self._session, self._unmarked, self._request, interview.answer, interview.sure],
            [interview.sure, interview.note],
            js="(session, sent, _, text, sure) => [session, sent, window.interviewer.request(), text, sure]", **quiet,
        )  # fmt: skip
        self._sketched.change(self._load_outline, self._session, interview.outline, **quiet).then(
            None, None, None, js="() => window.interviewer.sketched()", **quiet
        )
        self._session.change(self._load_notes, self._session, [interview.notes, interview.notes_state], **quiet)
        interview.notes.input(
            self._keep_notes, [self._session, self._request, interview.notes], interview.notes_state,
            js="(session) => window.interviewer.notes(session)", trigger_mode="always_last", **quiet,
        )  # fmt: skip
        self._task.change(self._load_code, self._session, interview.code, **quiet)
        for button, submit in ((interview.run, False), (interview.submit, True)):
            button.click(
                self._run(submit=submit), [self._session, self._task, self._request, interview.code], shown,
                js="(session, task, _, code) => [session, task, window.interviewer.request(), code]",
                **quiet, **_SLOW["code"],
            )  # fmt: skip
        interview.finish.click(self._wish("finish"), place, shown, **quiet)
        interview.hint.click(self._wish("hint"), place, shown, **quiet)
        interview.repeat.click(self._wish("repeat"), place, shown, **quiet)
        interview.skip.click(self._wish("skip"), place, shown, **quiet)
        interview.back.click(self._wish("back"), place, shown, **quiet)
        interview.pause.click(self._pause, [*place, interview.pause], shown, **quiet)
        interview.end.click(self._wish("end"), place, shown, **quiet)
        with self._report.settling:
            gr.render([self._session], [self._seen.change], show_progress="hidden")(self._show_settling)
        self._report.practise.click(
            self._practise, [self._session, self._draft, self._report.practise_choice], shown, **quiet
        )
        # Asked once more in the browser: what is deleted cannot be had back.
        self._report.forget_sound.click(
            self._forget_sound, self._session, shown,
            js="(session) => [confirm('Delete the sound of your answers for good? The text stays.') ? session : '']",
            # Whoever thinks better of having said no is not to be overheard while that is still under way.
            trigger_mode="multiple", **quiet,
        )  # fmt: skip
        self._report.again.click(None, None, None, js="() => window.interviewer.leave()", **quiet)

    # What each event does

    def _open(self, session: str | None) -> Updates:
        note = ""
        try:
            state = self._desk.resume(session or "")
            if state is not None:
                return self._show(session or "", state)
            if session:
                note = "There is no interview at this address. You can start a new one here."
        except InterviewerError as error:
            note = str(error)
        return self._show_setup(note)

    def _start(self, draft: str, *choices: Any) -> Updates:
        try:
            wish = self._leaning(setup_panel.wish_of(choices))
            return self._show(draft, self._desk.start(draft, wish, self._library.questions()))
        except InterviewerError as error:
            return {self._setup.note: _note_html(str(error))}

    def _start_drill(self, draft: str) -> Updates:
        try:
            return self._show(draft, self._desk.start_drill(draft, self._library.questions()))
        except InterviewerError as error:
            return {self._setup.note: _note_html(str(error))}

    def _draw_up(self, *choices: Any) -> tuple[Any, str]:
        try:
            wish = self._leaning(setup_panel.wish_of(choices, edited=False))
            text = setup_panel.agenda_text(draw_up(wish, self._library.questions()))
        except InterviewerError as error:
            return gr.skip(), _note_html(str(error))
        if not text:
            return gr.update(value="", visible=False), _note_html("There are no questions on what you chose.")
        return gr.update(value=text, visible=True, lines=text.count("\n") + 2), ""

    def _preset(self, role: str) -> tuple[Any, Any, Any]:
        preset = ROLES.get(role)
        if preset is None:
            return gr.update(value=[]), gr.skip(), gr.update(value=[])
        return gr.update(value=list(preset.topics)), preset.level.value, gr.update(value=[])

    def _pause(self, session: str, turn: str, label: str) -> Updates:
        return self._act(session, turn, "go on" if label == _GO_ON else "pause")[0]

    def _answer(self, session: str, turn: str, text: str, outline: str, sure: str | None) -> Updates:
        try:
            state = self._desk.find(session)
            whole = with_outline(text or "", outline or "", state, request_id("answer", turn))
        except InterviewerError as error:
            return {self._interview.note: _note_html(str(error))}
        updates, accepted = self._act(session, turn, "answer", whole, sureness.CHOICES.get(sure or ""))
        if not accepted:
            return updates
        # Merged, since whether the choice is shown at all is among the updates.
        emptied = {**updates.get(self._interview.sure, gr.update()), "value": None}
        return {**updates, self._interview.answer: gr.update(value=""), self._interview.sure: emptied}

    def _state_confidence(
        self, session: str, sent: str, request: str, text: str, choice: str | None
    ) -> tuple[Any, Any]:
        level = sureness.CHOICES.get(choice or "")
        # While something is being written the choice is about that, and goes with it.
        if level is None or (text or "").strip() or not sent:
            return gr.skip(), gr.skip()
        try:
            self._desk.state_confidence(session, sent, level, request)
        except InterviewerError as error:
            return gr.skip(), _note_html(str(error))
        return gr.update(value=None), sureness.kept_html(level)

    def _run(self, *, submit: bool) -> Callable[[str, str, str, str], Iterator[Updates]]:
        def run(session: str, task: str, request: str, source: str) -> Iterator[Updates]:
            interview = self._interview
            buttons = (interview.run, interview.submit, interview.finish)
            yield {
                interview.result: busy_html("Your code is running."),
                interview.note: "",
                **dict.fromkeys(buttons, gr.update(interactive=False)),
            }
            try:
                state, note = self._desk.run_code(session, task, source or "", request, submit=submit)
                yield self._show(session, state, note)
            except InterviewerError as error:
                yield {interview.note: _note_html(str(error)), **dict.fromkeys(buttons, gr.update(interactive=True))}

        return run

    def _load_outline(self, session: str) -> Any:
        try:
            return drawn(self._desk.find(session))
        except InterviewerError as error:
            _LOG.warning("%s", error)
            return gr.skip()

    def _load_notes(self, session: str) -> tuple[Any, str]:
        try:
            return self._desk.notes_of(session), ""
        except InterviewerError as error:
            return gr.skip(), _note_html(str(error))

    def _keep_notes(self, session: str, request: str, text: str) -> str:
        try:
            self._desk.write_notes(session, text or "", request)
        except InterviewerError as error:
            return _note_html(str(error))
        return '<p class="quiet" role="status">Kept.</p>'

    def _load_code(self, session: str) -> Any:
        try:
            return self._desk.code_of(session)
        except InterviewerError as error:
            _LOG.warning("%s", error)
            return gr.skip()

    def _wish(self, action: Action) -> Callable[[str, str], Updates]:
        def wish(session: str, turn: str) -> Updates:
            return self._act(session, turn, action)[0]

        return wish

    def _act(
        self, session: str, turn: str, action: Action, text: str = "", sure: Confidence | None = None
    ) -> tuple[Updates, bool]:
        try:
            state, note = self._desk.act(session, turn, action, text, sure)
        except InterviewerError as error:
            return {self._interview.note: _note_html(str(error))}, False
        return self._show(session, state, note), not note

    def _settle(self, asked_id: str, criterion_id: str) -> Callable[[str, str, str], tuple[Any, ...]]:
        def settle(session: str, request: str, choice: str) -> tuple[Any, ...]:
            try:
                verdict = settling.CHOICES[choice]
                state = self._desk.self_assess(session, asked_id, criterion_id, verdict, request)
            except InterviewerError as error:
                return _note_html(str(error)), *(gr.skip() for _ in self._settled)
            shown = self._show_report(session, state, waiting=render(state).waiting)
            return settling.KEPT_HTML, *(shown.get(part, gr.skip()) for part in self._settled)

        return settle

    def _dispute(self, asked_id: str, criterion_id: str) -> Callable[[str, str, str], tuple[Any, ...]]:
        def dispute(session: str, request: str, reason: str) -> tuple[Any, ...]:
            try:
                state = self._desk.dispute(session, asked_id, criterion_id, reason or "", request)
            except InterviewerError as error:
                return _note_html(str(error)), gr.skip(), *(gr.skip() for _ in self._settled)
            view = render(state)
            shown = self._show_report(session, state, waiting=view.waiting)
            return "", view.digest, *(shown.get(part, gr.skip()) for part in self._settled)

        return dispute

    def _practise(self, session: str, draft: str, choice: str | None) -> Updates:
        note = self._report.practise_note
        try:
            if not choice:
                raise BadInputError("Choose a question first.")
            held = self._desk.find(session)
            level = held.plan.level if held and held.plan else Level.MID
            state = self._desk.practise(draft, choice, level)
            return {**self._show(draft, state), self._report.practise_choice: gr.update(value=None), note: ""}
        except InterviewerError as error:
            return {note: _note_html(str(error))}

    def _forget_sound(self, session: str) -> Updates:
        note = self._report.sound_note
        if not session:
            return {note: gr.skip()}
        try:
            # Nobody deletes what is not theirs.
            state = self._desk.state(session)
            recordings.delete(self._here().home(), session)
        except InterviewerError as error:
            return {note: _note_html(str(error))}
        # Written anew, since pieces of the sound stand in it.
        shown = self._show_report(session, state, waiting=render(state).waiting)
        return {**shown, note: '<p class="note" role="status">The recordings are deleted.</p>'}

    def _poll(self, session: str, seen: str) -> tuple[Any, Any]:
        try:
            changed = self._desk.look(session, seen)
        except InterviewerError as error:
            return gr.skip(), _note_html(str(error))
        # Another value each time, so that a page whose refresh failed is told again.
        return f"{seen}:{time.monotonic_ns()}" if changed else gr.skip(), gr.skip()

    def _refresh(self, session: str) -> Updates:
        try:
            state = self._desk.find(session)
        except InterviewerError as error:
            return {self._interview.note: _note_html(str(error))}
        if state is None:
            return {self._session: gr.skip()}
        updates = self._show(session, state)
        # A note belongs to what the person did last; it goes with the next thing they do.
        del updates[self._interview.note]
        return updates

    def _show_warm_up(self) -> tuple[Any, Any]:
        steps = self._warmup.steps()
        return warm_up_html(steps), gr.Timer(active=not is_warm(steps))

    def _chosen(self, session: str | None) -> Any:
        known = {summary.id: summary for summary in self._desk.earlier()}
        ended = session in known and known[session].ended
        return gr.update(value="Open the report" if ended else "Resume", interactive=session in known)

    def _leaning(self, wish: Wish) -> Wish:
        known = background.kept(self._here().home())
        return wish.model_copy(update={"opening": known.opening, "leaning": known.topics})

    def _read_background(self, files: list[str] | None) -> tuple[Any, Any]:
        try:
            lines = [line for path in files or () for line in background.lines_of(Path(path))]
            found = background.background(lines, self._library)
            background.keep(found, self._here().home())
        except InterviewerError as error:
            return _note_html(str(error)), gr.update(value=None)
        return setup_panel.background_html(found), gr.update(value=None)

    def _forget(self) -> str:
        try:
            background.forget(self._here().home())
        except InterviewerError as error:
            return _note_html(str(error))
        return setup_panel.background_html(background.Background())

    def _add(self, given: list[str] | None) -> tuple[Any, Any, Any]:
        found: list[Question] = []
        refused: list[str] = []
        here = self._here()
        # One at a time, so that a document that cannot be used leaves the one kept under its name before.
        for path in map(Path, given or []):
            try:
                with kept([path], paths.made(here.home() / "documents")) as files:
                    done = here.ingest(files)
                    for file in done.failed:
                        raise BadInputError(file.why.replace(file.path, path.name), hint=file.hint)
                found += done.questions
            except InterviewerError as error:
                refused.append(str(error))
        topics = setup_panel.topics_of(self._library.questions())
        return setup_panel.added_html(found, refused), gr.update(choices=topics), gr.update(value=None)

    # What is shown

    def _show_history(self) -> tuple[Any, Any]:
        try:
            past = self._desk.history(self._library.questions())
        except InterviewerError as error:
            return _note_html(str(error)), gr.update(visible=False)
        return history_html(past), gr.update(visible=past.drill is not None)

    def _show_setup(self, note: str) -> Updates:
        setup = self._setup
        now = datetime.now().astimezone()
        earlier: list[tuple[str, str]] = []
        try:
            summaries = sorted(self._desk.earlier(), key=lambda one: one.ended)[:_EARLIER_SHOWN]
            earlier = [(name_of(one, now), one.id) for one in summaries]
        except InterviewerError as error:
            note = note or str(error)
        return {
            self._session: "",
            self._draft: self._desk.new_session(),
            self._timer: gr.Timer(active=False),
            setup.panel: gr.update(visible=True),
            setup.topics: gr.update(choices=setup_panel.topics_of(self._library.questions())),
            setup.earlier_group: gr.update(visible=bool(earlier)),
            setup.earlier: gr.update(choices=earlier, value=None),
            setup.known: setup_panel.background_html(background.kept(self._here().home())),
            setup.note: _note_html(note),
        }

    def _show(self, session: str, state: State, note: str = "") -> Updates:
        view = render(state)
        interview = self._interview
        not_executed = self._desk.not_executed(state) if view.task else ""
        told = code_html(state.current, not_executed) if not_executed and state.current else view.code_html
        updates: Updates = {
            self._session: session,
            self._turn: view.turn,
            self._seen: view.digest,
            self._timer: gr.Timer(active=view.panel == "interview" or view.waiting),
            self._setup.panel: gr.update(visible=False),
            interview.panel: gr.update(visible=view.panel == "interview"),
            interview.progress: view.progress_html,
            interview.question: view.question_html,
            interview.transcript: view.transcript_html,
            self._task: view.task,
            interview.editor: gr.update(visible=bool(view.task)),
            self._sketched: view.sketched,
            interview.sketch: gr.update(visible=bool(view.sketched)),
            interview.result: told,
            interview.run: gr.update(interactive=bool(view.task) and not not_executed),
            interview.submit: gr.update(interactive=bool(view.task)),
            interview.finish: gr.update(interactive=view.handed_in),
            interview.note: _note_html(note),
            self._report.panel: gr.update(visible=view.panel == "report"),
        }
        for button in (interview.send, interview.skip):
            updates[button] = gr.update(interactive=view.listening)
        updates[interview.repeat] = gr.update(interactive=view.drilling)
        updates[interview.sure] = gr.update(visible=view.drilling or bool(view.unmarked))
        updates[self._unmarked] = view.unmarked
        updates[interview.hint] = gr.update(interactive=view.hints)
        updates[interview.back] = gr.update(interactive=view.returnable)
        updates[interview.pause] = gr.update(value=_GO_ON if view.paused else _PAUSE)
        if view.panel == "report":
            updates |= self._show_report(session, state, waiting=view.waiting)
        return updates

    def _show_settling(self, session: str) -> None:
        try:
            state = self._desk.find(session)
        except InterviewerError as error:
            gr.HTML(_note_html(str(error)), apply_default_css=False)
            return
        for choice in settling.build(settling.left_open(state)) if state and state.ended else ():
            choice.verdict.input(
                self._settle(choice.asked_id, choice.criterion_id),
                [self._session, self._request, choice.verdict],
                [choice.note, *self._settled],
                js="(session, _, verdict) => [session, window.interviewer.request(), verdict]",
                # A second choice made while the first is stored must not be lost.
                trigger_mode="always_last",
                show_progress="hidden",
                api_visibility="private",
            )

        for contest in disputing.build(disputing.disputable(state)) if state and state.ended else ():
            contest.button.click(
                self._dispute(contest.asked_id, contest.criterion_id),
                [self._session, self._request, contest.reason],
                [contest.note, self._seen, *self._settled],
                js="(session, _, reason) => [session, window.interviewer.request(), reason]",
                show_progress="minimal",
                api_visibility="private",
                **_SLOW["disputes"],
            )

    def _show_report(self, session: str, state: State, *, waiting: bool) -> Updates:
        report = self._report
        earlier = self._desk.earlier_scores(session)
        home = self._here().home()
        count = len(recordings.kept(home, session))
        found = findings(session, state, known_cards(paths.judges()), self._library.questions(), earlier)
        heard = sounds(state, found, recordings.folder_of(home, session))
        updates: Updates = {
            report.status: report_panel.status_html(closing(state.ended) if state.ended else "", waiting),
            report.body: markup.inert(render_html_fragment(found, heard)),
            report.practise_choice: gr.update(choices=report_panel.practice(found)),
            report.practise_note: "",
            report.forget_sound: gr.update(value=report_panel.forget_words(count), visible=count > 0),
            report.sound_note: "",
            # Practising begins an interview of its own; a second click on it must not begin another.
            self._draft: self._desk.new_session(),
        }
        try:
            # While marks are still to come it would be set again with each.
            files = self._reports.write(found, sounds=heard, pdf=not waiting)
        except InterviewerError as error:
            _LOG.warning("%s", error)
            return {**updates, report.status: _note_html(str(error))}
        return {
            **updates,
            report.html: str(files.html),
            report.pdf: gr.update(value=str(files.pdf) if files.pdf else None, interactive=files.pdf is not None),
            report.markdown: str(files.markdown),
            report.json: str(files.json),
            report.anki: gr.update(value=str(files.anki), visible=bool(found.study)),
            report.calendar: gr.update(value=str(files.calendar), visible=bool(found.study)),
        }


def _note_html(note: str) -> str:
    return f'<p class="note trouble" role="alert">{markup.text(note)}</p>' if note else ""
