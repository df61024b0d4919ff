"""While a question of the person's own is looked up, the page says so."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from knowledge.ingestion.pipeline import IngestReport
from knowledge.model import Hit
from serving.llm.vllm_server import free_port
from serving.warmup import Warmup
from tests.browser.conftest import MARKS
from tests.interviewer.builders import KeywordGrader, Shelf, question

pytestmark = [*MARKS, pytest.mark.by_number("interviewer/web")]

ASKED = "What does a leaf tensor keep?"
QUESTION = question(
    "leaves", text="What is a leaf tensor?", reference="A leaf tensor keeps its gradient after backward."
)


class SlowShelf(Shelf):
    """Takes as long as it is told to."""

    def __init__(self) -> None:
        super().__init__([QUESTION])
        self.found = threading.Event()

    def search(self, text: str, k: int) -> list[Hit]:
        if text == ASKED:
            assert self.found.wait(60), "nothing let the search go on"
        return super().search(text, k)


def test_what_is_asked_stands_there_at_once_and_that_it_is_looked_up(browser: Browser, tmp_path: Path) -> None:
    shelf = SlowShelf()
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, shelf, KeywordGrader(), patience_s=30.0) as service,
    ):
        session = service.start(Plan(question_ids=("leaves",), talks=True))
        service.answer(session, "I trained a speech model.", "warm-up")
        service.skip(session, "skipped")
        page = build_page(service, shelf, Warmup([]), journal, lambda files: IngestReport(files=(), questions=()))
        context = browser.new_context(viewport={"width": 390, "height": 844})
        tab = context.new_page()
        tab.goto(f"{launch_page(page, port=free_port())}?session={session}")
        expect(tab.locator("#progress")).to_contain_text("Your questions")
        tab.get_by_label("Your answer").fill(ASKED)
        tab.get_by_role("button", name="Send").click()
        expect(tab.locator(".turn.you .said").last).to_have_text(ASKED)
        looking = tab.locator("#transcript .grading")
        expect(looking).to_have_text("Looking that up…")
        expect(looking).to_be_in_viewport()
        # Still so when the page asks once more how the interview stands.
        tab.wait_for_timeout(2_500)
        expect(looking).to_have_count(1)
        shelf.found.set()
        expect(tab.locator(".turn.they .said").last).to_contain_text("A leaf tensor keeps its gradient")
        expect(looking).to_have_count(0)
        expect(tab.get_by_label("Your answer")).to_have_value("")
        context.close()
        page.close(verbose=False)
