"""A whole interview without a browser, for the tests of the page."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import gradio as gr

from interviewer.cli.container import quota_of
from interviewer.engine.service import InterviewService
from interviewer.planning.agenda import InterviewOptions
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.web import gradio_support
from interviewer.web.controller import PageController
from interviewer.web.gradio_support import Updates
from interviewer.web.view_state import render
from interviewer.web.views.base import ShownInterview, ViewContext
from interviewer.web.views.interview.handlers import InterviewView
from interviewer.web.workspace import Workspace
from rubric.grading.grader import GradeRequest
from tests.interviewer.builders import KeywordGrader, Shelf, question


class Gate:
    """Holds gradings back until it is opened."""

    def __init__(self) -> None:
        self.open = threading.Event()

    def __call__(self, request: GradeRequest) -> None:
        assert self.open.wait(30), "the gate was never opened"


SHELF = Shelf(
    [
        question("leaves", keywords=("leaf", "graph", "hook"), hint="Think of the graph."),
        question("strides", topic="tensors", keywords=("stride", "copy")),
        question("loss", topic="training", keywords=("mean", "sum")),
    ]
)


@contextmanager
def controller(
    folder: Path,
    *,
    before: Callable[[GradeRequest], None] = lambda request: None,
    patience_s: float = 30.0,
    most_a_day: int | None = None,
) -> Iterator[PageController]:
    """A assigned with a real service and journal; the same folder again is the same journal."""
    with (
        Journal(folder / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(before), patience_s=patience_s) as service,
    ):
        yield PageController(service, journal, quota=quota_of(journal, most_a_day))


def until(ready: Callable[[], bool], *, seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def begin(at: PageController, *, length: int = 2) -> tuple[str, State]:
    session = at.new_session()
    return session, at.start(session, InterviewOptions(length=length, talks=False, follow_ups=1), SHELF.questions())


class HeldPanel:
    """The interview's panel without a browser, at one interview."""

    def __init__(self, at: PageController, session: str) -> None:
        self.at = at
        self.session = session
        place = Workspace(at, SHELF, lambda files: [])  # type: ignore[arg-type]
        with gr.Blocks(analytics_enabled=False) as blocks:
            self.kept = gradio_support.build()
            self.view = InterviewView(ViewContext(lambda: place, self.kept, self.show, lambda _: {}))
        blocks.close(verbose=False)

    def show(self, session: str, state: State, note: str | None = "") -> Updates:
        return self.view.show(ShownInterview(session, state, render(state)), note)

    @property
    def state(self) -> State:
        return self.at.state(self.session)
