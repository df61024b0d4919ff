"""How sure one is, said on the page: with an answer, right after it, by keyboard, and in nobody's way."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from interviewer.engine.service import InterviewService
from interviewer.session.events import ConfidenceStated
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from knowledge.ingestion.pipeline import IngestReport
from serving.warmup import Warmup
from tests.browser.conftest import MARKS
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.web.holding import SHELF, Gate, until

pytestmark = [*MARKS, pytest.mark.by_number("interviewer/web")]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def tab(browser: Browser, journal: Journal, gate: Gate) -> Iterator[Page]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with InterviewService(journal, SHELF, KeywordGrader(gate), patience_s=60.0) as service:
        session = service.start(Plan(question_ids=("leaves", "strides", "loss"), follow_ups=0))
        page = build_page(service, SHELF, Warmup([]), journal, lambda files: IngestReport(files=(), questions=()))
        url = launch_page(page, port=port)
        context = browser.new_context(viewport={"width": 400, "height": 860})
        tab = context.new_page()
        tab.goto(f"{url}?session={session}")
        yield tab
        context.close()
        gate.open.set()
        page.close(verbose=False)


def stated(journal: Journal) -> list[tuple[str, str]]:
    events = journal.events(journal.sessions()[0].id)
    answers = {event.id: event.text for event in events if event.type == "answer_given"}
    return [(answers[event.answer_id], event.level) for event in events if isinstance(event, ConfidenceStated)]


def test_it_goes_with_the_answer_or_comes_right_after_it(tab: Page, journal: Journal, gate: Gate) -> None:
    box = tab.get_by_label("Your answer")
    sure = tab.locator("#sure")
    expect(sure).to_contain_text("optional")
    # There is nothing to be sure of until something is written.
    expect(sure).to_be_hidden()
    box.fill("A leaf of the graph.")
    sure.get_by_label("Fairly sure", exact=True).check()
    assert stated(journal) == []
    tab.get_by_role("button", name="Send").click()
    until(lambda: stated(journal) == [("A leaf of the graph.", "rather sure")])
    expect(sure.locator("input:checked")).to_have_count(0)

    # The mark is held back: what was sent can still be called a guess, and by keyboard.
    sure.get_by_label("A guess").focus()
    tab.keyboard.press("Space")
    expect(tab.locator("#note")).to_contain_text("Saved for your last answer: it was a guess")
    assert stated(journal)[-1] == ("A leaf of the graph.", "guess")
    assert len(stated(journal)) == 2

    # What is above the conversation comes once the question is no longer what was said last.
    expect(tab.locator("#question")).to_be_visible()

    gate.open.set()
    expect(tab.locator("#progress")).to_contain_text("Question 2 of 3")
    expect(tab.locator("#question")).to_be_hidden()
    expect(sure).to_be_hidden()
    box.fill("The stride tells it.")
    sure.get_by_label("Sure", exact=True).check()
    box.press("Control+Enter")
    until(lambda: ("The stride tells it.", "sure") in stated(journal))
