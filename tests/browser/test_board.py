"""The whiteboard of a design question, and notes for oneself, by keyboard alone where one can."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from interviewer.session.plan import Plan
from tests.browser.conftest import MARKS, RunningPage
from tests.browser.test_interview import ATTACK, send, state_of
from tests.browser.test_views import held

pytestmark = [*MARKS, pytest.mark.by_number("interviewer/web")]

DESIGN = "design-video-recommendation"
BOARD = "Data\n  clicks\n    hourly\nModel"


@pytest.mark.by_number("interviewer/web/views")
def test_a_design_is_drawn_by_keyboard_and_sent_with_the_answer(running_page: RunningPage, tab: Page) -> None:
    session = running_page.service.start(Plan(question_ids=(DESIGN,), follow_ups=1))
    tab.goto(f"{running_page.url}?session={session}")
    board = tab.get_by_label("Outline")
    board.focus()
    for keys in (
        "Data",
        "Enter",
        "Tab",
        "clicks",
        "Enter",
        "Tab",
        "hourly",
        "Enter",
        "Shift+Tab",
        "Shift+Tab",
        "Model",
    ):
        tab.keyboard.press(keys) if keys in {"Enter", "Tab", "Shift+Tab"} else tab.keyboard.type(keys)
    expect(board).to_have_value(BOARD)
    tab.keyboard.press("Control+a")
    tab.keyboard.press("Tab")
    expect(board).to_have_value("  Data\n    clicks\n      hourly\n  Model")
    tab.keyboard.press("Shift+Tab")
    expect(board).to_have_value(BOARD)
    tab.keyboard.press("Escape")
    expect(tab.get_by_label("Your answer")).to_be_focused()

    tab.reload()
    expect(board).to_have_value(BOARD)
    send(tab, f"In two stages. {ATTACK}")
    expect(tab.locator(".turn.you .said")).to_have_text(f"In two stages. {ATTACK}\n\nOutline:\n{BOARD}")
    assert state_of(running_page, tab).asked[0].answers[0].text.endswith(f"\n\nOutline:\n{BOARD}")
    expect(board).to_have_value(BOARD)


def filling(running_page: RunningPage, tab: Page, element: str) -> list[Route]:
    """Returns the requests that fill an element in, each held back as soon as it is made."""
    config = tab.request.get(f"{running_page.url}config").json()
    filled = next(each["id"] for each in config["components"] if each["props"].get("elem_id") == element)
    fill = next(each["id"] for each in config["dependencies"] if each["outputs"][:1] == [filled])
    back: list[Route] = []

    def keep(route: Route) -> None:
        if route.request.post_data_json["fn_index"] == fill:
            back.append(route)
        else:
            route.continue_()

    tab.route("**/queue/join**", keep)
    return back


def not_filled_in(running_page: RunningPage, tab: Page) -> tuple[Locator, list[Route]]:
    """Returns the whiteboard of a new interview, focused, and the requests that fill it in, held back."""
    session = running_page.service.start(Plan(question_ids=(DESIGN,), follow_ups=1))
    back = filling(running_page, tab, "outline")
    tab.goto(f"{running_page.url}?session={session}")
    board = tab.get_by_label("Outline")
    board.focus()
    return board, back


def test_what_is_typed_while_the_whiteboard_is_filled_in_stays(running_page: RunningPage, tab: Page) -> None:
    board, back = not_filled_in(running_page, tab)
    tab.keyboard.type("Data ")
    for route in held(tab, back):
        route.continue_()
    words = " ".join(f"part {number}" for number in range(20))
    tab.keyboard.type(words, delay=15)
    expect(board).to_have_value(f"Data {words}")


def test_what_was_selected_before_the_whiteboard_was_filled_in_stays_selected(
    running_page: RunningPage, tab: Page
) -> None:
    board, back = not_filled_in(running_page, tab)
    tab.keyboard.type("Data")
    tab.keyboard.press("Enter")
    tab.keyboard.type("Model")
    tab.keyboard.press("Control+a")
    tab.keyboard.press("Tab")
    expect(board).to_have_value("  Data\n  Model")
    board.evaluate("area => area.addEventListener('input', () => { area.dataset.filled = 'yes' })")
    for route in held(tab, back):
        route.continue_()
    expect(board).to_have_attribute("data-filled", "yes")
    expect(board).to_have_value("  Data\n  Model")
    tab.keyboard.press("Shift+Tab")
    expect(board).to_have_value("Data\nModel")


def test_nothing_can_be_noted_before_the_notes_are_there(running_page: RunningPage, tab: Page) -> None:
    session = running_page.service.start(Plan(question_ids=("autograd-leaf-grad",)))
    running_page.service.reviews.write_notes(session, "look up hooks", "n1")
    back = filling(running_page, tab, "notes")
    tab.goto(f"{running_page.url}?session={session}")
    tab.get_by_role("button", name="My notes").click()
    notes = tab.get_by_label("Notes for yourself")
    expect(notes).not_to_be_editable()
    for route in held(tab, back):
        route.continue_()
    expect(notes).to_be_editable()
    expect(notes).to_have_value("look up hooks")


def test_notes_are_kept_and_stand_at_the_end_of_the_report(running_page: RunningPage, tab: Page) -> None:
    session = running_page.service.start(Plan(question_ids=("autograd-leaf-grad",)))
    tab.goto(f"{running_page.url}?session={session}")
    expect(tab.get_by_label("Outline")).to_be_hidden()
    tab.get_by_role("button", name="My notes").click()
    notes = tab.get_by_label("Notes for yourself")
    expect(notes).to_be_editable()
    # Gradio fills in once more what it unfolds, a frame later: sooner than a person types, not than a script does.
    tab.evaluate("new Promise((wake) => requestAnimationFrame(() => requestAnimationFrame(wake)))")
    notes.fill("look up hooks")
    notes.press_sequentially(f" {ATTACK}")
    expect(tab.locator("#notes-state").get_by_text("Saved.")).to_be_visible()
    expect(tab.locator("#transcript")).not_to_contain_text("look up hooks")
    tab.reload()
    tab.get_by_role("button", name="My notes").click()
    expect(notes).to_have_value(f"look up hooks {ATTACK}")
    tab.get_by_role("button", name="End", exact=True).click()
    expect(tab.locator("#report-notes")).to_contain_text(f"look up hooks {ATTACK}")
    assert tab.locator("#report-notes img, #report-notes script").count() == 0
