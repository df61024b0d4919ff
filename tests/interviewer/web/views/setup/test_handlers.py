from __future__ import annotations

from pathlib import Path

import gradio as gr
import pytest

from interviewer.engine.service import InterviewService
from interviewer.storage.sqlite_journal import Journal
from interviewer.web import gradio_support
from interviewer.web.controller import PageController
from interviewer.web.views.base import ViewContext
from interviewer.web.views.setup.handlers import SetupView
from interviewer.web.workspace import Workspace
from knowledge.ingestion.own_documents import OwnDocument
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.web.holding import SHELF


class _NoDocuments:
    def all(self) -> tuple[OwnDocument, ...]:
        return ()

    def remove(self, source: str) -> None:
        raise AssertionError(source)


@pytest.mark.parametrize("source", [None, ""])
def test_a_page_that_names_no_document_has_none_removed(source: str | None, tmp_path: Path, home: Path) -> None:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=1.0) as service,
        gr.Blocks(analytics_enabled=False) as blocks,
    ):
        place = Workspace(PageController(service, journal), SHELF, lambda files: [], _NoDocuments())  # type: ignore[arg-type]
        view = SetupView(ViewContext(lambda: place, gradio_support.build(), lambda *_: {}, lambda _: {}))
        assert view._remove(source) == (gr.skip(),) * 4
    blocks.close(verbose=False)
