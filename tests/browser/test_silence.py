"""Silence at the keyboard, by the browser's own clock, which the test moves on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from interviewer.dialogue import templates
from interviewer.engine.service import InterviewService
from interviewer.policy.silence import AFTER_S, SilenceStep
from interviewer.session.events import AsideTaken
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from knowledge.ingestion.pipeline import IngestReport
from serving.llm.vllm_server import free_port
from serving.warmup import Warmup
from tests.browser.conftest import MARKS
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.web.holding import SHELF

pytestmark = [*MARKS, pytest.mark.by_number("interviewer/web")]

# Two of them are longer than the first step takes.
PART_MS = int(1000 * AFTER_S[SilenceStep.LONG] * 0.7)

COUNT = """() => {
  window.told = 0;
  document.querySelector("#tell-silence").addEventListener("click", () => { window.told += 1; });
}"""
"""Counts how often the server is told of a silence."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Journal, str]]:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=60.0) as service,
    ):
        session = service.start(Plan(question_ids=("leaves", "strides"), follow_ups=0))
        page = build_page(service, SHELF, Warmup([]), journal, lambda files: IngestReport(files=(), questions=()))
        yield f"{launch_page(page, port=free_port())}?session={session}", journal, session
        page.close(verbose=False)


@pytest.fixture
def tab(browser: Browser, served: tuple[str, Journal, str]) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    page.clock.install()
    yield page
    context.close()


def test_nothing_is_said_to_whoever_types_and_whoever_stops_may_take_their_time(
    tab: Page, served: tuple[str, Journal, str]
) -> None:
    url, journal, session = served
    tab.goto(url)
    box = tab.get_by_label("Your answer")
    expect(box).to_be_visible()
    expect(tab.locator("#silence textarea, #silence input")).to_have_value(f"{AFTER_S[SilenceStep.LONG]:g}")
    tab.evaluate(COUNT)
    # However slow the machine, no time passes but what the test lets pass.
    tab.clock.pause_at(tab.evaluate("Date.now()") / 1000 + 1)
    for _ in range(4):
        box.press("a")
        tab.clock.fast_forward(PART_MS)
    assert tab.evaluate("window.told") == 0
    tab.clock.fast_forward(PART_MS)
    tab.clock.resume()
    expect(tab.locator("#transcript")).to_contain_text(re.compile("|".join(map(re.escape, templates.NO_HURRY))))
    assert len([event for event in journal.events(session) if isinstance(event, AsideTaken)]) == 1
    # What was being written is still there.
    expect(box).to_have_value("aaaa")
