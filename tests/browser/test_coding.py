"""A coding question in a real browser: the real editor, the real sandbox."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from interviewer.session.plan import Plan
from interviewer.web.controller import PageController
from knowledge.bank.parser import load_bank
from rubric.coding.task import CodingTask
from tests.browser.conftest import MARKS, RunningPage
from tests.browser.test_interview import GRADED_MS, send

pytestmark = MARKS

QUESTION = "training-focal-loss"
RAN_MS = 90_000


def task() -> CodingTask:
    found = next(question for question in load_bank() if question.id == QUESTION).task
    assert found is not None
    return found


def write(tab: Page, source: str) -> None:
    """Replace what stands in the editor, as by pasting."""
    tab.locator("#code .cm-content").click()
    tab.keyboard.press("Control+a")
    tab.keyboard.press("Delete")
    tab.locator("#code .cm-content").fill(source)


def test_code_is_run_submitted_drilled_and_reported(running_page: RunningPage, tab: Page, tmp_path: Path) -> None:
    session = running_page.service.start(Plan(question_ids=(QUESTION,), editor=True))
    tab.goto(f"{running_page.url}?session={session}")
    expect(tab.locator("#code .cm-content")).to_contain_text("def focal_loss")
    assert "logsigmoid" in task().solution
    assert "logsigmoid" not in tab.content()

    tab.get_by_role("button", name="Run", exact=True).click()
    expect(tab.locator("#result")).to_contain_text("1 of 2 tests passed", timeout=RAN_MS)
    expect(tab.locator("#result")).to_contain_text("tensor(100)")
    expect(tab.get_by_role("button", name="Next question")).to_be_disabled()

    tab.get_by_role("button", name="Submit").click()
    expect(tab.locator("#transcript")).to_contain_text("Interviewer, follow-up", timeout=RAN_MS)
    expect(tab.locator("#transcript .turn.they").last).to_contain_text("I ran your code")
    expect(tab.get_by_role("button", name="Next question")).to_be_enabled()

    write(tab, task().solution)
    tab.get_by_role("button", name="Submit").click()
    expect(tab.locator("#result .verdict-line.passed")).to_be_visible(timeout=RAN_MS)
    expect(tab.locator("#transcript .turn.they").last).to_contain_text("Walk me through it")

    tab.reload()
    expect(tab.locator("#code .cm-content")).to_contain_text("logsigmoid")
    send(
        tab, "I take the log of the sigmoid in one function, because the log of a clamped probability has no gradient."
    )
    expect(tab.locator(".marks").first).to_be_visible(timeout=GRADED_MS)
    if tab.get_by_role("button", name="Next question").is_visible():
        tab.get_by_role("button", name="Next question").click()
    expect(tab.locator("#report-body")).to_contain_text("Interview report", timeout=GRADED_MS)
    expect(tab.locator("#report-body")).to_contain_text("Your last submission passed all tests")
    with tab.expect_download() as data:
        tab.get_by_role("button", name="JSON").click()
    data.value.save_as(tmp_path / "report.json")
    code = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["questions"][0]["code"]
    assert [attempt["status"] for attempt in code["attempts"]] == ["mismatch", "mismatch", "passed"]
    assert "-    p = torch.sigmoid(logits)" in code["attempts"][2]["diff"]
    assert code["credit"] == 1.0


@pytest.mark.by_number("interviewer/web")
def test_code_that_prints_markup_is_shown_as_text(running_page: RunningPage, tab: Page) -> None:
    session = running_page.service.start(Plan(question_ids=(QUESTION,), editor=True))
    tab.goto(f"{running_page.url}?session={session}")
    write(tab, "print('<img src=x onerror=alert(1)> ${alert(2)} {{x}}')\nraise ValueError('<b>bold</b>')\n")
    tab.get_by_role("button", name="Submit").click()
    expect(tab.locator("#result")).to_contain_text("ValueError: <b>bold</b>", timeout=RAN_MS)
    expect(tab.locator("#result")).to_contain_text("<img src=x onerror=alert(1)> ${alert(2)} {{x}}")
    assert tab.locator("#result img, #result b").count() == 0


@pytest.mark.by_number("interviewer/web")
def test_nothing_can_be_typed_before_the_editor_is_filled_in(
    running_page: RunningPage, tab: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, come = PageController.code_of, threading.Event()

    def late(controller: PageController, session: str) -> str:
        assert come.wait(60)
        return plain(controller, session)

    monkeypatch.setattr(PageController, "code_of", late)
    session = running_page.service.start(Plan(question_ids=(QUESTION,), editor=True))
    tab.goto(f"{running_page.url}?session={session}")
    expect(tab.locator("#transcript .turn.they").last).to_be_visible()
    expect(tab.locator("#code")).to_be_hidden()
    come.set()
    expect(tab.locator("#code .cm-content")).to_contain_text("def focal_loss")
