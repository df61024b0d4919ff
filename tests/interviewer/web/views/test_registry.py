"""What every view of the page has to keep to, whichever it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import gradio as gr
import pytest

from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.web import gradio_support
from interviewer.web.controller import PageController
from interviewer.web.gradio_support import Outputs, Updates
from interviewer.web.page import _Page, build_page
from interviewer.web.privacy.data_locations import ALL_HERE
from interviewer.web.view_state import render
from interviewer.web.views import registry
from interviewer.web.views.base import PageView, ShownInterview, ViewContext
from interviewer.web.workspace import Workspace
from serving.warmup import Warmup
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.web.holding import SHELF

Make = Callable[[ViewContext], PageView]


class Held(NamedTuple):
    """A place with an interview that goes on and one that is over."""

    place: Workspace
    service: InterviewService
    journal: Journal
    running: ShownInterview
    over: ShownInterview


@pytest.fixture
def held(tmp_path: Path, home: Path) -> Iterator[Held]:
    plan = Plan(question_ids=tuple(question.id for question in SHELF.questions()[:1]), length=1)
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=1.0) as service,
    ):
        place = Workspace(PageController(service, journal), SHELF, lambda files: [])  # type: ignore[arg-type]
        sessions = [service.start(plan), service.start(plan)]
        service.end(sessions[1], "end")
        states = [service.state(session) for session in sessions]
        yield Held(
            place, service, journal, *(map(ShownInterview, sessions, states, [render(state) for state in states]))
        )


def context_of(place: Workspace) -> ViewContext:
    return ViewContext(lambda: place, gradio_support.build(), lambda *_: {}, lambda _: {}, talks=True)


@pytest.mark.parametrize("make", registry.VIEWS)
def test_a_view_changes_only_what_it_says_that_it_shows(make: Make, held: Held) -> None:
    with gr.Blocks(analytics_enabled=False) as blocks:
        context = context_of(held.place)
        view = make(context)
    offered = {*view.shown, *context.kept}
    for interview in (None, held.running, held.over):
        for note in (None, "Something went wrong."):
            assert set(view.show(interview, note)) <= offered
    blocks.close(verbose=False)


@pytest.mark.parametrize("place", ["nowhere", "running", "over"])
def test_of_ours_one_is_visible_at_a_time(held: Held, place: str) -> None:
    interview = {"nowhere": None, "running": held.running, "over": held.over}[place]
    with gr.Blocks(analytics_enabled=False) as blocks:
        context = context_of(held.place)
        views: list[Any] = [make(context) for make in registry.VIEWS]
    visible = [type(view).__name__ for view in views if view.show(interview, "")[view.panel.panel]["visible"]]
    assert visible == [{"nowhere": "SetupView", "running": "InterviewView", "over": "ReportView"}[place]]
    blocks.close(verbose=False)


def test_a_new_view_is_one_entry(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    connected: list[Outputs] = []

    class Counter:
        """A view that counts answers."""

        def __init__(self, context: ViewContext) -> None:
            self.count = gr.HTML("", elem_id="count")

        @property
        def shown(self) -> Outputs:
            return [self.count]

        def connect(self, page: Outputs) -> None:
            connected.append(page)

        def show(self, interview: ShownInterview | None, note: str | None) -> Updates:
            return {self.count: str(len(interview.state.asked)) if interview else "none"}

    monkeypatch.setattr(registry, "VIEWS", (*registry.VIEWS, Counter))
    made: list[_Page] = []
    begin = _Page.__init__

    def remember(self: _Page, *arguments: Any, **options: Any) -> None:
        begin(self, *arguments, **options)
        made.append(self)

    monkeypatch.setattr(_Page, "__init__", remember)
    blocks = build_page(held.service, SHELF, Warmup([]), held.journal, lambda files: [])  # type: ignore[arg-type]
    count = made[0]._views[-1].shown[0]
    assert count in connected[0]
    assert made[0]._open(held.running.session)[count] == "1"
    assert made[0]._open(None)[count] == "none"
    state: State = held.over.state
    assert made[0]._show(held.over.session, state)[count] == str(len(state.asked))
    blocks.close(verbose=False)


def test_a_page_that_is_opened_tells_how_far_the_models_are_then_and_not_when_it_was_built(held: Held) -> None:
    warmup = Warmup([("Embedding model", lambda progress: None)])
    page = _Page(lambda: held.place, warmup, lambda: "", None, talks=False, shares=False, locations=ALL_HERE)
    assert page._warm.value == ""
    assert "Loading, step 1 of 1" in page._open_first(None)[page._warm]
    warmup.run()
    assert "Ready." in page._open_first(held.running.session)[page._warm]
    page.blocks.close(verbose=False)
