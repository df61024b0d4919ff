"""The report's own file as a browser shows it: accessible, within a telephone's width, and fit to print."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from interviewer.report.analysis.findings import findings
from interviewer.report.render.html import render_html
from interviewer.report.schema.findings import Findings
from tests.browser.conftest import MARKS
from tests.interviewer.report.hostile import HOSTILE, hostile_report
from tests.interviewer.report.hour import hour

pytestmark = [*MARKS, pytest.mark.by_number("interviewer/web")]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def opened(browser: Browser, folder: Path, report: Findings, *, width: int, scheme: str) -> Page:
    """The report in a tab of its own; a request to anything but the file fails the test."""
    file = folder / "report.html"
    file.write_text(render_html(report), encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.route("**/*", lambda route: route.continue_() if route.request.url == file.as_uri() else route.abort())
    page.on("request", lambda request: pytest.fail(request.url) if request.url != file.as_uri() else None)
    page.goto(file.as_uri())
    return page


@pytest.fixture(scope="module")
def report() -> Findings:
    return findings("s1", hour().state)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_whoever_uses_a_screen_reader_or_a_keyboard_can_read_it(
    browser: Browser, tmp_path: Path, report: Findings, scheme: str
) -> None:
    page = opened(browser, tmp_path, report, width=1100, scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    results = Axe().run(page, options=RULES)
    assert results.violations_count == 0, results.generate_report()
    assert page.get_by_role("img", name="Score by topic").count() == 1
    page.close()


def test_on_a_telephone_nothing_is_wider_than_the_screen(browser: Browser, tmp_path: Path, report: Findings) -> None:
    page = opened(browser, tmp_path, report, width=360, scheme="light")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert Axe().run(page, options=RULES).violations_count == 0
    page.close()


def test_hostile_text_neither_runs_nor_breaks_the_layout(browser: Browser, tmp_path: Path) -> None:
    for name in ("script", "closing", "right to left", "one word"):
        page = opened(browser, tmp_path, hostile_report(HOSTILE[name]), width=360, scheme="dark")
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert page.evaluate("document.querySelectorAll('script, img, iframe').length") == 0
        page.close()


def test_on_paper_everything_is_unfolded_and_its_first_page_ends_in_the_fix(
    browser: Browser, tmp_path: Path, report: Findings
) -> None:
    page = opened(browser, tmp_path, report, width=794, scheme="dark")
    page.emulate_media(media="print")
    ground = page.evaluate("getComputedStyle(document.querySelector('.interview-report')).backgroundColor")
    ink = page.evaluate("getComputedStyle(document.querySelector('.interview-report')).color")
    assert (ground, ink) == ("rgba(0, 0, 0, 0)", "rgb(33, 31, 27)")
    folded = page.locator("details .document").first
    assert folded.evaluate("(each) => each.getBoundingClientRect().height") > 50
    page.close()
