from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import gradio as gr
import pytest

from interviewer.engine.service import InterviewService
from interviewer.storage.sqlite_journal import Journal
from interviewer.web import gradio_support
from interviewer.web.controller import PageController
from interviewer.web.view_state import turn_of
from interviewer.web.views.base import ViewContext
from interviewer.web.views.setup.handlers import SetupView
from interviewer.web.workspace import Workspace
from knowledge.ingestion.own_documents import OwnDocument
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.web.holding import SHELF, begin, controller


class _Documents:
    def __init__(self, *names: str) -> None:
        self.names = names

    def all(self) -> tuple[OwnDocument, ...]:
        return tuple(OwnDocument(source=f"/{name}", path=name, questions=()) for name in self.names)

    def remove(self, source: str) -> None:
        raise AssertionError(source)


@pytest.fixture
def view(tmp_path: Path, home: Path) -> Iterator[SetupView]:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=1.0) as service,
        gr.Blocks(analytics_enabled=False) as blocks,
    ):
        documents = _Documents("a.md", "b.md")
        place = Workspace(PageController(service, journal), SHELF, lambda files: [], documents, home=lambda: home)  # type: ignore[arg-type]
        yield SetupView(ViewContext(lambda: place, gradio_support.build(), lambda *_: {}, lambda _: {}))
    blocks.close(verbose=False)


@pytest.mark.parametrize("source", [None, ""])
def test_a_page_that_names_no_document_has_none_removed(source: str | None, view: SetupView) -> None:
    assert view._remove(source) == (gr.skip(),) * 4


def test_ticks_of_documents_are_kept_for_the_next_page(view: SetupView) -> None:
    boxes, _, only_own = view._show_documents()
    assert (boxes["value"], only_own) == (["a.md", "b.md"], False)
    assert view._leave_out(["b.md"]) == ""
    assert view._ask_only_own(True) == ""
    boxes, _, only_own = view._show_documents()
    assert (boxes["value"], only_own) == (["b.md"], True)
    assert [value for _, value in boxes["choices"]] == ["a.md", "b.md"]
    assert "cannot be set" in view._ask_only_own("perhaps so")


def test_only_interviews_that_can_be_resumed_are_offered_for_it(view: SetupView) -> None:
    at = view._controller
    over, open_still = (begin(at)[0] for _ in range(2))
    at.act(over, turn_of(at.state(over)), "end")
    shown = view.show(None, None)
    assert [session for _, session in shown[view.panel.earlier]["choices"]] == [open_still]
    at.act(open_still, turn_of(at.state(open_still)), "end")
    assert view.show(None, None)[view.panel.earlier_group]["visible"] is False


def test_who_may_begin_no_more_is_told_and_keeps_what_they_chose(tmp_path: Path, home: Path) -> None:
    with (
        controller(tmp_path, most_a_day=1) as at,
        gr.Blocks(analytics_enabled=False) as blocks,
    ):
        place = Workspace(at, SHELF, lambda files: [], home=lambda: home)  # type: ignore[arg-type]
        view = SetupView(ViewContext(lambda: place, gradio_support.build(), lambda *_: {}, lambda _: {}))
        begin(at)
        before = at.past.all()
        told = view._start_drill(at.new_session())
        # Nothing but a note: choices and the name of the draft stay as they are.
        assert list(told) == [view.panel.note]
        assert "You have begun 1 interview within 24 hours; everybody may begin 1" in told[view.panel.note]
        assert "goes on as before" in told[view.panel.note]
        assert at.past.all() == before
    blocks.close(verbose=False)
