"""What leads on from the report, in a real browser: a dispute, the plan as files, one question practiced."""

from __future__ import annotations

import socket
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from icalendar import Calendar
from playwright.sync_api import Browser, Page, expect

from interviewer.engine.service import InterviewService
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.controller import PageController
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from knowledge.ingestion.pipeline import IngestReport
from rubric.grading.grader import GradeRequest
from rubric.grading.second_reading import SecondReader
from serving.warmup import Warmup
from tests.browser.conftest import MARKS
from tests.interviewer.builders import KeywordGrader, Shelf
from tests.interviewer.report.sample_session import BUCKETS, CONFLICT, LEAF, LOADER, MIXED, telling
from tests.rubric.doubles import BagOfWords

pytestmark = [*MARKS, pytest.mark.by_number("interviewer/web")]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as opened:
        for event in telling().events:
            opened.append("told", event)
        yield opened


@pytest.fixture
def may_grade() -> threading.Event:
    """Answers are graded once this is set, as it is from the start."""
    event = threading.Event()
    event.set()
    return event


@pytest.fixture
def url(journal: Journal, may_grade: threading.Event) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    shelf = Shelf([LEAF, BUCKETS, LOADER, CONFLICT, MIXED])

    def wait(_: GradeRequest) -> None:
        assert may_grade.wait(60.0)

    grader = KeywordGrader(wait)
    reader = SecondReader(grader, BagOfWords())
    with InterviewService(journal, shelf, grader, patience_s=5.0, second_reader=reader) as service:
        page = build_page(service, shelf, Warmup([]), journal, lambda files: IngestReport(files=(), questions=()))
        yield launch_page(page, port=port)
        page.close(verbose=False)


@pytest.fixture
def tab(browser: Browser, url: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{url}?session=told")
    yield page
    context.close()
    assert errors == []


def test_from_the_report_a_mark_is_disputed_the_plan_taken_along_and_a_question_practiced(
    tab: Page, journal: Journal, tmp_path: Path
) -> None:
    expect(tab.locator("#report-study")).to_contain_text("review March 3")
    for name, ending in (("Anki cards", "apkg"), ("Review dates", "ics")):
        with tab.expect_download() as waiting:
            tab.get_by_role("button", name=name).click()
        waiting.value.save_as(tmp_path / f"study.{ending}")
    assert "collection.anki2" in zipfile.ZipFile(tmp_path / "study.apkg").namelist()
    assert Calendar.from_ical((tmp_path / "study.ics").read_bytes()).walk("VEVENT")

    tab.get_by_role("button", name="The marks of this interview").click()
    tab.get_by_label("Question 3: your reason").fill("<img src=x onerror=alert(1)> I meant it so.")
    tab.get_by_role("button", name="Dispute question 3, point 2").click()
    point = tab.locator("#report-q3-c2")
    expect(point).to_contain_text("You dispute this mark.")
    expect(point).to_contain_text("Second reading, of the one sentence nearest to the point")
    expect(point).to_contain_text("<img src=x onerror=alert(1)> I meant it so.")
    expect(tab.get_by_role("button", name="Dispute question 3, point 2")).to_have_count(0)
    expect(tab.locator("#disputes")).to_contain_text("The second reading, of the one sentence nearest to the point:")
    expect(tab.locator("#settling").get_by_text("Question 3, point 2: your own mark")).to_be_visible()
    assert [event.type for event in journal.events("told")][-2:] == ["mark_disputed", "dispute_graded"]

    choice = tab.get_by_label("Practice one question")
    expect(choice).to_have_value("Choose a question")
    choice.click()
    tab.get_by_role("option", name="2. How does DistributedDataParallel").click()
    tab.get_by_role("button", name="Practice", exact=True).click()
    expect(tab.locator(".turn.they").first).to_contain_text("How does DistributedDataParallel")
    tab.wait_for_function("!location.search.includes('session=told')")
    newest = journal.sessions()[0]
    assert newest.plan.question_ids == ("ddp-buckets",)


def test_marks_are_disputed_once_all_are_there_and_no_dispute_takes_what_is_written_on_another(
    browser: Browser, url: str, may_grade: threading.Event
) -> None:
    may_grade.clear()
    page = browser.new_page()
    try:
        page.goto(f"{url}?session=told")
        expect(page.get_by_text("Some answers are still being graded.")).to_be_visible()
        expect(page.get_by_text("Once every answer is graded, you can dispute marks here")).to_be_visible()
        expect(page.get_by_role("button", name="The marks of this interview")).to_have_count(0)
        may_grade.set()
        page.get_by_role("button", name="The marks of this interview").click()
        reason = page.get_by_label("Question 1: your reason")
        reason.fill("I meant it so.")
        page.get_by_role("button", name="Dispute question 3, point 2").click()
        expect(page.locator("#report-q3-c2")).to_contain_text("You dispute this mark.")
        expect(page.get_by_role("button", name="Dispute question 3, point 2")).to_have_count(0)
        expect(reason).to_have_value("I meant it so.")
    finally:
        may_grade.set()
        page.close()


def test_a_refresh_that_comes_too_late_does_not_take_the_page_back_to_the_report(
    tab: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    expect(tab.get_by_role("heading", name="Interview report")).to_be_visible()
    begun, go_on, ended = (threading.Event() for _ in range(3))
    find = PageController.find

    def slow(controller: PageController, session: str) -> State | None:
        found = find(controller, session)
        # What is drawn beside the report looks for the interview too, and is not held up.
        if sys._getframe(1).f_code.co_name == "_refresh" and not begun.is_set():
            begun.set()
            go_on.wait(60)
            ended.set()
        return found

    monkeypatch.setattr(PageController, "find", slow)
    try:
        tab.evaluate(
            "const told = document.querySelector('#fresh textarea, #fresh input'); told.value = 'something else';"
            "told.dispatchEvent(new Event('input', { bubbles: true }))"
        )
        assert begun.wait(60)
        tab.get_by_label("Practice one question").click()
        tab.get_by_role("option", name="2. How does DistributedDataParallel").click()
        tab.get_by_role("button", name="Practice", exact=True).click()
        expect(tab.locator(".turn.they").first).to_contain_text("How does DistributedDataParallel")
        tab.wait_for_function("!location.search.includes('session=told')")
    finally:
        go_on.set()
    assert ended.wait(60)
    # What the refresh came to is told before what the last of these finds.
    for _ in range(5):
        with tab.expect_request(lambda request: "/changed?" in request.url):
            pass
    expect(tab.locator(".turn.they").first).to_contain_text("How does DistributedDataParallel")
    assert "session=told" not in tab.url
