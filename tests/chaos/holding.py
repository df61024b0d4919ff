"""Holds the interview of ``tests.chaos.script`` as a patient person does: after trouble the page is opened again."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import httpx
from playwright.sync_api import Browser, Error, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from interviewer.session.events import InterviewStarted
from tests.chaos.script import ANSWERS, ON_PAGE, solution
from tests.chaos.stage import PATIENCE_S, Stage
from tests.http_page import HttpPage, PageError

NUMBER = re.compile(r"Question (\d+) of")


def begin(stage: Stage, session: str) -> None:
    """Store the beginning of an interview; opening its address goes on from there."""
    with stage.journal() as journal:
        journal.append(session, InterviewStarted(id="interview:started", at=datetime.now(UTC), plan=ON_PAGE))


def on_page(stage: Stage, session: str, coding: Callable[[], None]) -> None:
    """Hold it through the page's own HTTP interface.

    Args:
        stage: where; its app is started again whenever it has ended.
        session: the interview, which has begun.
        coding: called right before code is submitted.

    Raises:
        TimeoutError: it did not come to its end.

    """
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            # On a thread of its own: Playwright keeps an event loop running in this one.
            with ThreadPoolExecutor(1) as own:
                own.submit(lambda: asyncio.run(_through(stage, session, coding, end))).result()
        except (PageError, httpx.HTTPError):
            stage.restart()
        else:
            return
    raise TimeoutError(f"interview {session} did not come to its end")


async def _through(stage: Stage, session: str, coding: Callable[[], None], end: float) -> None:
    async with httpx.AsyncClient(base_url=stage.url, timeout=60.0, trust_env=False) as http:
        page = HttpPage(http)
        await page.open(session)
        while not page.is_shown("report"):
            if time.monotonic() > end:
                raise TimeoutError(f"interview {session} stands still at {page.value('progress')}")
            number = NUMBER.search(str(page.value("progress")))
            if page.value("task"):
                await _write_code(page, coding)
            elif page.is_usable("send") and number and int(number[1]) in ANSWERS:
                page.put("answer", ANSWERS[int(number[1])])
                await page.click("send")
            else:
                await asyncio.sleep(0.05)
                await page.poll()


async def _write_code(page: HttpPage, coding: Callable[[], None]) -> None:
    if page.is_usable("finish") and 'class="verdict-line passed' in str(page.value("result")):
        await page.click("finish")
        return
    page.put("code", solution())
    page.put("request", f"code{time.monotonic_ns()}")
    coding()
    await page.click("submit")


def in_browser(stage: Stage, session: str, launch: Callable[[], Browser]) -> None:
    """Hold it in a real browser; one that is gone is started again.

    Raises:
        TimeoutError: it did not come to its end.

    """
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        browser = launch()
        try:
            _clicked_through(stage, session, browser.new_page(), end)
        except Error:
            stage.restart()
        else:
            browser.close()
            return
        if browser.is_connected():
            browser.close()
    raise TimeoutError(f"interview {session} did not come to its end")


def _clicked_through(stage: Stage, session: str, page: Page, end: float) -> None:
    page.set_default_timeout(90_000)
    page.goto(f"{stage.url}/?session={session}")
    # An interview that came to its end before the browser was gone opens with its report.
    page.locator("#progress:visible, #report-body:visible").first.wait_for()
    while not page.locator("#report-body").is_visible():
        if time.monotonic() > end:
            raise TimeoutError(f"interview {session} stands still")
        if not stage.is_running():
            raise Error("The app is gone, which a person sees at the command that started it.")
        number = _open_question(page)
        if _shown(page, "#submit"):
            _type_code(page)
        elif number in ANSWERS:
            page.locator("#answer textarea").fill(ANSWERS[number])
            shown = _send(page, number)
            # Until the next question is shown, so that no answer is given twice.
            page.wait_for_function(
                "shown => document.querySelector('#progress').textContent !== shown || "
                "document.querySelector('#report-body')?.offsetParent",
                arg=shown,
            )
        else:
            page.wait_for_timeout(100)


def _open_question(page: Page) -> int:
    """Returns the number of the question that may be answered now, 0 where there is none: both from one look."""
    shown = page.evaluate(
        """() => {
            const [progress, send] = ["progress", "send"].map((id) => document.getElementById(id));
            return progress?.offsetParent && send?.offsetParent && !send.disabled ? progress.textContent : "";
        }"""
    )
    number = NUMBER.search(shown)
    return int(number[1]) if number else 0


def _send(page: Page, number: int) -> str:
    """Press Send if the question is still open, in one look: while a page catches up, the next one may have come.

    Returns:
        The progress that was shown; nothing where the question was not open any more.

    """
    shown: str = page.evaluate(
        """number => {
            const [progress, send] = ["progress", "send"].map((id) => document.getElementById(id));
            const shown = progress?.textContent ?? "";
            if (!send || send.disabled || Number(shown.match(/Question (\\d+) of/)?.[1]) !== number) return "";
            send.click();
            return shown;
        }""",
        number,
    )
    if not shown:
        page.locator("#answer textarea").fill("")
    return shown


def _shown(page: Page, selector: str) -> bool:
    return page.locator(selector).is_visible()


def _type_code(page: Page) -> None:
    if page.locator("#result .verdict-line.passed").is_visible() and page.locator("#finish").is_enabled():
        # Code that passes every test closes its question by itself, which may be before the click.
        with suppress(PlaywrightTimeout):
            page.locator("#finish").click(timeout=2_000)
        page.wait_for_timeout(300)
        return
    if not page.locator("#submit").is_enabled():
        page.wait_for_timeout(100)
        return
    page.locator("#code .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.locator("#code .cm-content").fill(solution())
    page.locator("#submit").click()
    page.wait_for_function(
        "() => document.querySelector('#result .verdict-line') || !document.querySelector('#submit')?.offsetParent",
        timeout=90_000,
    )


def by_command(stage: Stage, session: str, answers: Path, started: Callable[[int], None]) -> int:
    """Hold it with prepared answers; a command that was killed is given again.

    Args:
        stage: where.
        session: the interview.
        answers: what is said.
        started: gets the process id of each command.

    Returns:
        How often the command was given.

    Raises:
        RuntimeError: it ended with another status than that of success or of being killed.

    """
    for times in range(1, 10):
        command = stage.command("interview", "--answers", answers, "--resume", session, "--follow-ups", "1")
        started(command.pid)
        status = command.wait(PATIENCE_S)
        if status == 0:
            return times
        if status != -9:
            raise RuntimeError(f"the command ended with status {status}; see {stage.folder / 'commands.log'}")
    raise RuntimeError("the command was killed again and again")
