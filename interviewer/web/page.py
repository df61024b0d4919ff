"""The page: the three views put together, what is shown of an interview on all of them, polling, and warming up."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gradio as gr

from interviewer.session.journal import EventJournal
from interviewer.session.state import State
from interviewer.web import gradio_support, identity
from interviewer.web.assignments.candidate_assignments import CandidateAssignments
from interviewer.web.controller import PageController
from interviewer.web.gradio_support import EVENT_OPTIONS, Outputs, Updates, note_html
from interviewer.web.privacy.data_locations import ALL_HERE, DataLocations
from interviewer.web.server import Page, no_spare_applications
from interviewer.web.view_state import WarmUp, is_warm, render, warm_up_html
from interviewer.web.views import registry
from interviewer.web.views.base import ShownInterview, ViewContext
from interviewer.web.views.change_route import ChangeRoute
from interviewer.web.views.last_shown import LastShown
from interviewer.web.workspace import Documents, Ingest, Library, Workspace
from serving.errors import InterviewerError

if TYPE_CHECKING:
    from interviewer.engine.service import InterviewService
    from interviewer.web.voice.routes import VoiceRoutes

_POLL_S = 1.0
_TITLE = "Mock interview"
_MASTHEAD = """
<header><h1>{title}</h1><p>{subtitle}</p>
<nav aria-label="More">
  <button type="button" data-opens="stories" aria-haspopup="dialog">Stories</button>
  <button type="button" data-opens="history" aria-haspopup="dialog">History</button>
  <button type="button" data-opens="settings" aria-haspopup="dialog">Settings</button>
</nav></header>
<dialog id="history-dialog" aria-labelledby="history-title"></dialog>
<dialog id="stories-dialog" aria-labelledby="stories-title"></dialog>
<dialog id="settings-dialog" aria-labelledby="settings-title"></dialog>
"""
# ``dialogs.js`` fills the dialogs.


def build_page(
    service: InterviewService,
    library: Library,
    warmup: WarmUp,
    journal: EventJournal,
    ingest: Ingest,
    *,
    documents: Documents | None = None,
    voice: VoiceRoutes | None = None,
    here: Callable[[], Workspace] | None = None,
    readers: Callable[[], str] = str,
    shares: bool = False,
    locations: DataLocations = ALL_HERE,
    assignments: CandidateAssignments | None = None,
) -> Page:
    """The page, ready to be launched by ``launch_page``.

    Args:
        service: moves interviews on.
        library: what can be asked about.
        warmup: tells how far the models are.
        journal: knows which interviews there are.
        ingest: takes documents in.
        documents: the person's own that were taken in; ``None`` where they cannot be listed.
        voice: hears and speaks, its routes given to ``launch_page``; without it, everything is typed.
        here: where several people share the page, the place of the one whose request is being answered.
        readers: what they are told of others who read their interviews, as HTML.
        shares: whether other pages may change the documents of a person meanwhile.
        locations: where work is done and what people give is kept, which the page tells.
        assignments: what their mentors gave them; ``None`` where nobody gives anything.

    """
    controller = PageController(service, journal, voice.spoken) if voice else PageController(service, journal)
    place = Workspace(controller, library, ingest, documents)
    with no_spare_applications():
        shown, talks = here or (lambda: place), voice is not None
        return _Page(shown, warmup, readers, assignments, talks=talks, shares=shares, locations=locations).blocks


class _Page:
    def __init__(
        self,
        here: Callable[[], Workspace],
        warmup: WarmUp,
        readers: Callable[[], str],
        assignments: CandidateAssignments | None,
        *,
        talks: bool,
        shares: bool,
        locations: DataLocations,
    ) -> None:
        self._here, self._locations = here, locations
        self._warmup = warmup
        self._last_shown = LastShown()
        # Left alone, Gradio sums up after every event how long all those before took.
        os.environ.setdefault("GRADIO_ANALYTICS_CACHE_FREQUENCY", str(10**9))
        # Gradio serves copies of files and deletes them after a day.
        self.blocks = Page(title=_TITLE, analytics_enabled=False, delete_cache=(3600, 86400))
        self.blocks.routes = ChangeRoute(here).routes()
        with self.blocks:
            self._kept = gradio_support.build()
            gr.HTML(
                _MASTHEAD.format(title=_TITLE, subtitle=locations.subtitle),
                apply_default_css=False,
                elem_id="masthead",
            )
            # What is known while the page is built is out of date when it is opened.
            self._warm = gr.HTML("", apply_default_css=False, elem_id="warm-up")
            self._trouble = gr.HTML("", apply_default_css=False, elem_id="trouble")
            context = ViewContext(
                here, self._kept, self._show, self._open, talks, readers, shares, assignments, locations
            )
            self._views = tuple(view(context) for view in registry.VIEWS)
            self._warm_timer = gr.Timer(_POLL_S)
            self._timer = gr.Timer(_POLL_S, active=False)
            self._connect()
        self.blocks.queue(default_concurrency_limit=16)

    @property
    def _controller(self) -> PageController:
        return self._here().controller

    def _connect(self) -> None:
        kept = self._kept
        page: Outputs = [
            *(kept.session, kept.turn, kept.seen, kept.draft, self._timer, self._trouble),
            *(element for view in self._views for element in view.shown),
        ]
        self.blocks.load(
            self._open_first,
            kept.session,
            [*page, self._warm],
            js="() => [window.interviewer.session()]",
            **EVENT_OPTIONS,
        ).then(None, None, None, js="() => window.interviewer.opened()", **EVENT_OPTIONS)
        self._warm_timer.tick(self._show_warm_up, None, [self._warm, self._warm_timer], **EVENT_OPTIONS)
        # In two steps: Gradio makes every output anew each time, 35 ms for all of them while nothing else is served.
        self._timer.tick(
            None,
            [kept.session, kept.seen, kept.fresh],
            [kept.fresh, self._trouble],
            js="(session, seen, fresh) => window.interviewer.changed(session, seen, fresh)",
            **EVENT_OPTIONS,
        )
        kept.fresh.change(self._refresh, kept.session, page, **EVENT_OPTIONS)
        # Both, since a change of the one may be told before the other holds its new value.
        gr.on(
            [kept.seen.change, kept.session.change],
            None, None, None, js="() => window.interviewer.settle()", **EVENT_OPTIONS,
        )  # fmt: skip
        for view in self._views:
            view.connect(page)

    def _open_first(self, session: str | None) -> Updates:
        return {
            **self._open(session),
            self._warm: warm_up_html(self._warmup.steps(), elsewhere=not self._locations.all_here),
        }

    def _open(self, session: str | None) -> Updates:
        note = ""
        try:
            state = self._controller.resume(session or "")
            if state is not None:
                return self._show(session or "", state)
            if session:
                note = "There is no interview at this address. You can start a new one here."
        except InterviewerError as error:
            note = str(error)
        return {self._kept.session: "", self._timer: gr.Timer(active=False), **self._shown(None, note)}

    def _show(self, session: str, state: State, note: str | None = "") -> Updates:
        self._last_shown.note(identity.page(), session)
        return self._interview(session, state, note)

    def _interview(self, session: str, state: State, note: str | None) -> Updates:
        view = render(state)
        return {
            self._kept.session: session,
            self._kept.turn: view.turn,
            self._kept.seen: view.digest,
            self._timer: gr.Timer(active=view.panel == "interview" or view.waiting),
            **self._shown(ShownInterview(session, state, view), note),
        }

    def _shown(self, interview: ShownInterview | None, note: str | None) -> Updates:
        return {element: value for view in self._views for element, value in view.show(interview, note).items()}

    def _refresh(self, session: str) -> Updates:
        page = identity.page()
        begun = self._last_shown.of(page)
        try:
            state = self._controller.find(session)
        except InterviewerError as error:
            return {self._trouble: note_html(str(error))}
        if state is None:
            return {self._kept.session: gr.skip()}
        # A note belongs to what the person did last; it goes with the next thing they do.
        updates = self._interview(session, state, None)
        if self._last_shown.is_overtaken(page, session, begun):
            return {self._kept.session: gr.skip()}
        return updates

    def _show_warm_up(self) -> tuple[Any, Any]:
        steps = self._warmup.steps()
        return warm_up_html(steps, elsewhere=not self._locations.all_here), gr.Timer(active=not is_warm(steps))
