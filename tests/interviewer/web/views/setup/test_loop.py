"""A loop is begun, gone on with, and debriefed on the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gradio as gr
import pytest

from interviewer.engine.service import InterviewService
from interviewer.loop.journal import held_loops
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.web import gradio_support
from interviewer.web.controller import PageController
from interviewer.web.gradio_support import Updates
from interviewer.web.view_state import turn_of
from interviewer.web.views.base import ViewContext
from interviewer.web.views.setup.handlers import SetupView
from interviewer.web.workspace import Workspace
from knowledge.model import Kind
from tests.interviewer.builders import KeywordGrader, Shelf, question

SHELF = Shelf(
    [
        question("concept", topic="training", text="Why does momentum help?"),
        question("coding", topic="autograd", kind=Kind.CODING, text="Write a hook."),
    ]
)


class Page:
    """The set-up panel without a browser; it keeps which interviews it was to show."""

    def __init__(self, journal: Journal, service: InterviewService) -> None:
        self.at = PageController(service, journal)
        place = Workspace(self.at, SHELF, lambda files: [])  # type: ignore[arg-type]
        self.begun: list[str] = []
        self.resumed: list[str | None] = []
        with gr.Blocks(analytics_enabled=False) as blocks:
            context = ViewContext(lambda: place, gradio_support.build(), self._show, self._resume)
            self.view = SetupView(context)
        blocks.close(verbose=False)
        self.panel = self.view.panel.loop
        self.events = self.view._loop

    def _show(self, session: str, state: State, note: str | None = "") -> Updates:
        self.begun.append(session)
        return {}

    def _resume(self, session: str | None) -> Updates:
        self.resumed.append(session)
        return {}

    def shown(self) -> tuple[str, Any]:
        """The rounds, and the button for the next one."""
        updates = self.view.show(None, None)
        return updates[self.panel.rounds], updates[self.panel.go_on]

    def told(self, updates: Updates) -> str:
        return str(updates[self.view.panel.note])


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=None) as service,
    ):
        yield Page(journal, service)


def test_rounds_are_held_one_after_another_and_debriefed(page: Page) -> None:
    assert page.shown() == ("", gr.update(visible=False))
    first = page.at.new_session()
    for _ in range(2):
        page.events._start(first, "large company", "my {{tokenizer}}", False)
    assert page.begun == [first, first]
    ((loop_id, held),) = held_loops(page.at.journal).items()
    assert loop_id == first
    assert held[0].place.plan.subject == "my {{tokenizer}}"
    rounds, button = page.shown()
    assert "phone screen, Priya" in rounds
    assert button["value"] == "Resume round 1: phone screen, Priya"
    page.events._go_on(page.at.new_session())
    assert page.resumed == [first]

    page.at.act(first, turn_of(page.at.state(first)), "end")
    assert page.shown()[1]["value"] == "Start round 2: coding, Daniel"
    second = page.at.new_session()
    page.events._go_on(second)
    assert page.begun[-1] == second
    assert [each.place.number for each in held_loops(page.at.journal)[first]] == [1, 2]
    assert "Nothing is graded yet." in page.events._debrief()


@pytest.mark.parametrize(("template", "subject"), [("nothing", ""), (None, ""), ("large company", ["x"])])
def test_what_no_page_offers_is_refused_with_a_sentence(page: Page, template: object, subject: object) -> None:
    assert "There is no such loop." in page.told(page.events._start(page.at.new_session(), template, subject, False))
    assert page.begun == []


@pytest.mark.parametrize("draft", ["", "1", "x" * 100])
def test_a_loop_begins_under_no_name_but_a_page_s_own(page: Page, draft: str) -> None:
    assert "cannot be started under this name" in page.told(page.events._start(draft, "large company", "", False))
    assert page.begun == []


def test_a_loop_that_was_never_begun_is_not_gone_on_with(page: Page) -> None:
    assert "No round of this loop was started." in page.told(page.events._go_on(page.at.new_session()))
