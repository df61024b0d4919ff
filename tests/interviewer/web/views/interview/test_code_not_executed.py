"""A machine that cannot execute code says so before anybody writes any."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gradio as gr
import pytest

from interviewer.engine.service import InterviewService
from interviewer.storage.sqlite_journal import Journal
from interviewer.web import gradio_support
from interviewer.web.controller import PageController
from interviewer.web.view_state import render
from interviewer.web.views.base import ShownInterview, ViewContext
from interviewer.web.views.interview.handlers import InterviewView
from interviewer.web.workspace import Workspace
from rubric.coding.verifier import Verifier
from serving.sandbox.backends.bubblewrap import Bubblewrap
from serving.sandbox.backends.landlock import Landlock
from serving.sandbox.worker_pool import WorkerPool
from tests.interviewer.builders import KeywordGrader, Shelf
from tests.interviewer.engine.test_coding_questions import ASKED, TASK, WITH_EDITOR

# The page's queue is made before its loop runs; the library closes neither.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
SEVERAL = ASKED.model_copy(update={"task": TASK.model_copy(update={"processes": 2})})


@pytest.fixture(autouse=True)
def _leave_nothing_to_later_tests() -> Iterator[None]:
    yield
    gc.collect()


@pytest.fixture
def verifier() -> Iterator[Verifier]:
    with WorkerPool(0) as workers:
        made = Verifier(workers)
        yield made
        made.close()


def shown(folder: Path, verifier: Verifier, asked: Any) -> tuple[str, bool]:
    """What stands below the editor when a coding question comes up, and whether Run can be pressed."""
    shelf = Shelf([asked])
    with (
        Journal(folder / "journal.db") as journal,
        InterviewService(journal, shelf, KeywordGrader(), patience_s=1.0, verifier=verifier) as service,
    ):
        session = service.start(WITH_EDITOR)
        place = Workspace(PageController(service, journal), shelf, lambda files: [])  # type: ignore[arg-type]
        with gr.Blocks(analytics_enabled=False) as blocks:
            kept = gradio_support.build()
            interview = InterviewView(ViewContext(lambda: place, kept, lambda *_: {}, lambda _: {}))
        state = service.state(session)
        updates = interview.show(ShownInterview(session, state, render(state)), "")
        blocks.close(verbose=False)
        assert updates[kept.task]
        assert updates[interview.panel.submit]["interactive"]
        return updates[interview.panel.result], updates[interview.panel.run]["interactive"]


def test_without_walls_it_says_so_in_the_doctor_s_words(
    tmp_path: Path, verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bubblewrap, "unavailable", lambda _: "Code is not executed: <bwrap> is not installed.")
    monkeypatch.setattr(Landlock, "unavailable", lambda _: "It is too old.")
    said, runs = shown(tmp_path, verifier, ASKED)
    assert "Code is not executed: &lt;bwrap&gt; is not installed. Install the package bubblewrap" in said
    assert "“Submit” saves the code" in said
    assert not runs


def test_behind_landlock_it_says_so_of_processes_only(
    tmp_path: Path, verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bubblewrap, "unavailable", lambda _: "It may not be used.")
    monkeypatch.setattr(Landlock, "unavailable", lambda _: "")
    assert "needs several processes" in shown(tmp_path / "a", verifier, SEVERAL)[0]
    said, runs = shown(tmp_path / "b", verifier, ASKED)
    assert "“Run” tries your code on the examples" in said
    assert runs


def test_with_walls_nothing_is_said(tmp_path: Path, verifier: Verifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bubblewrap, "unavailable", lambda _: "")
    said, runs = shown(tmp_path, verifier, SEVERAL)
    assert "“Run” tries your code on the examples" in said
    assert runs
