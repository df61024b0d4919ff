"""The settings and the history by keyboard: what is chosen applies at once, and is there after a restart."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from interviewer.session.plan import Plan
from tests.browser.conftest import MARKS, RunningPage

pytestmark = MARKS


@pytest.mark.by_number("interviewer/web/dialogs")
def test_settings_apply_at_once_and_outlive_a_restart(running_page: RunningPage, tab: Page) -> None:
    tab.goto(running_page.url)
    opener = tab.get_by_role("button", name="Settings")
    opener.focus()
    tab.keyboard.press("Enter")
    dialog = tab.get_by_role("dialog", name="Settings")
    dialog.get_by_label("Dark", exact=True).check()
    expect(tab.locator("body")).to_have_class("dark")
    size = "() => getComputedStyle(document.querySelector('#start')).fontSize"
    before = tab.evaluate(size)
    dialog.get_by_label("Largest", exact=True).check()
    assert float(tab.evaluate(size)[:-2]) > 1.2 * float(before[:-2])
    dialog.get_by_label("Speed").select_option(label="Fast")
    dialog.get_by_label("Keep recordings of my spoken answers").check()
    expect(dialog.get_by_role("status")).to_have_text("Saved.")
    tab.wait_for_function("() => window.interviewer.settings.speed === 1.3")
    tab.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(opener).to_be_focused()

    running_page.restart()
    tab.goto(running_page.url)
    expect(tab.locator("body")).to_have_class("dark")
    tab.get_by_role("button", name="Settings").click()
    expect(dialog.get_by_label("Dark", exact=True)).to_be_checked()
    expect(dialog.get_by_label("Speed")).to_have_value("1.3")
    expect(dialog.get_by_label("Keep recordings of my spoken answers")).to_be_checked()
    tab.set_viewport_size({"width": 390, "height": 844})
    assert tab.evaluate("() => document.querySelector('#settings-dialog').scrollWidth") <= 390


def test_the_history_leads_back_to_an_interview(running_page: RunningPage, tab: Page) -> None:
    session = running_page.service.start(Plan(question_ids=("autograd-leaf-grad",)))
    tab.goto(running_page.url)
    tab.get_by_role("button", name="History").click()
    history = tab.get_by_role("dialog", name="History")
    history.get_by_role("link", name="Resume").focus()
    tab.keyboard.press("Enter")
    expect(tab.locator("#interview")).to_be_visible()
    assert f"session={session}" in tab.url
