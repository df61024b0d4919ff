"""Settings, history, and the drawing on the whiteboard, by keyboard alone. None of it needs the model server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from interviewer.engine.service import InterviewService
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.controller import PageController
from interviewer.web.dialogs.routes import DialogRoutes
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from interviewer.web.voice.routes import VoiceRoutes
from interviewer.web.workspace import Workspace
from knowledge.model import Kind
from serving import paths
from serving.llm.vllm_server import free_port
from serving.speech.stt.whisper import WhisperRecognizer
from serving.speech.tts.speech_cache import SpeechCache
from serving.warmup import Warmup
from tests.browser.conftest import MARKS
from tests.browser.seeing import accessible, untouched
from tests.browser.test_interview import ATTACK
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.interviewer.report.hour import QUESTIONS, hour
from tests.interviewer.report.sample_session import Telling
from tests.interviewer.report.sample_session import question as told
from tests.interviewer.stories.test_bank import FIRST, LEAK

pytestmark = [*MARKS, pytest.mark.by_number("interviewer/web")]

DESIGN = told("feed", [("one", "Clicks are logged.", 1)], text="Design a feed.", spoken="Design a feed.").model_copy(
    update={"kind": Kind.SYSTEM_DESIGN}
)
SHELF = Shelf([question("leaves", keywords=("leaf",)), LEAK])
Find = Callable[[str], State]


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory, voice: tuple[WhisperRecognizer, SpeechCache]
) -> Iterator[tuple[str, Find]]:
    """The page with an interview that is over and one at a design question; and how to look at one."""
    folder = tmp_path_factory.mktemp("dialogs")
    home = paths.made(folder / "home")
    design = Telling()
    design.ask(DESIGN)
    with (
        Journal(folder / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=5.0) as service,
    ):
        for name, tell in (("design", design), ("over", hour({key: QUESTIONS[key] for key in list(QUESTIONS)[:2]}))):
            for event in tell.events:
                journal.append(name, event)
        place = Workspace(PageController(service, journal), SHELF, lambda files: [], home=lambda: home)  # type: ignore[arg-type]
        room = VoiceRoutes(*voice, service.state, home=lambda: home)
        page = build_page(service, SHELF, Warmup([]), journal, place.ingest, voice=room, here=lambda: place)
        routes = [*room.routes(), *DialogRoutes(lambda: place, room).routes()]
        yield launch_page(page, port=free_port(), routes=routes), service.state
        page.close(verbose=False)


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
    yield page
    context.close()
    assert wrong == []


def test_settings_apply_at_once_and_are_there_the_next_time(served: tuple[str, Find], tab: Page) -> None:
    url, _ = served
    tab.goto(url)
    opener = tab.get_by_role("button", name="Settings")
    opener.focus()
    tab.keyboard.press("Enter")
    dialog = tab.get_by_role("dialog", name="Settings")
    expect(dialog).to_be_visible()
    accessible(tab)
    dialog.get_by_label("Dark", exact=True).check()
    expect(tab.locator("body.dark")).to_be_attached()
    size = "() => parseFloat(getComputedStyle(document.querySelector('#start')).fontSize)"
    before = tab.evaluate(size)
    dialog.get_by_label("Largest", exact=True).check()
    # It grows over a moment.
    tab.wait_for_function(f"before => ({size})() > 1.2 * before", arg=before)
    dialog.get_by_label("Speed").select_option(label="Fast")
    tab.wait_for_function("() => window.interviewer.settings.speed === 1.3")
    dialog.get_by_label("Keep recordings of my spoken answers").check()
    expect(dialog.locator(".saved")).to_have_text("Saved.")
    tab.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(opener).to_be_focused()

    tab.reload()
    expect(tab.locator("body.dark")).to_be_attached()
    tab.get_by_role("button", name="Settings").click()
    expect(dialog.get_by_label("Dark", exact=True)).to_be_checked()
    expect(dialog.get_by_label("Speed")).to_have_value("1.3")
    expect(dialog.get_by_label("Keep recordings of my spoken answers")).to_be_checked()
    tab.set_viewport_size({"width": 390, "height": 844})
    assert tab.evaluate("() => document.querySelector('#settings-dialog').scrollWidth") <= 390


def test_the_history_opens_reports_and_resumes(served: tuple[str, Find], tab: Page) -> None:
    url, _ = served
    tab.goto(url)
    tab.get_by_role("button", name="History").click()
    history = tab.get_by_role("dialog", name="History")
    expect(history.locator(".over-time tbody tr").first).to_be_visible()
    accessible(tab)
    expect(history.get_by_role("link", name="Open the report")).to_have_attribute("href", "?session=over")
    history.get_by_role("link", name="Resume").focus()
    tab.keyboard.press("Enter")
    expect(tab.locator("#interview")).to_be_visible()
    assert "session=design" in tab.url


def test_boxes_and_arrows_are_drawn_by_keyboard_and_kept(served: tuple[str, Find], tab: Page) -> None:
    url, find = served
    tab.goto(f"{url}?session=design")
    label = tab.get_by_label("Label", exact=True)
    for name in ("Click log", "Ranker", "A mistake"):
        tab.get_by_role("button", name="Add box").press("Enter")
        expect(label).to_be_focused()
        tab.keyboard.type(name)
        tab.keyboard.press("Enter")
    expect(tab.get_by_label("Outline")).to_be_visible()
    board = tab.locator("#board svg")
    expect(board.get_by_role("button", name="A mistake")).to_be_focused()
    tab.keyboard.press("Delete")
    ranker = board.get_by_role("button", name="Ranker")
    expect(ranker).to_be_focused()
    before = ranker.bounding_box()
    tab.keyboard.press("Shift+ArrowDown")
    after = ranker.bounding_box()
    assert before is not None
    assert after is not None
    assert after["y"] > before["y"]
    tab.keyboard.press("Shift+Tab")
    tab.keyboard.press("c")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    arrow = board.get_by_role("button", name="Arrow from Click log to Ranker")
    expect(arrow).to_be_focused()
    tab.keyboard.press("Enter")
    tab.keyboard.type(f"hourly {ATTACK}"[:40])
    tab.reload()
    expect(board.get_by_role("button", name="Click log, arrows to Ranker")).to_be_visible()
    accessible(tab)
    tab.get_by_label("Your answer").fill("In two stages.")
    tab.get_by_role("button", name="Send", exact=True).click()
    expect(tab.locator(".turn.you .said")).to_contain_text("Click log → Ranker: hourly")
    drawing = find("design").asked[0].drawing
    assert drawing is not None
    assert [box.label for box in drawing.boxes] == ["Click log", "Ranker"]
    tab.set_viewport_size({"width": 390, "height": 844})
    expect(tab.get_by_role("button", name="Add box")).to_be_visible()
    assert tab.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert tab.locator("#board script, #board img").count() == 0


ROOM = """() => {
    const [box, canvas, column] = ["[data-box=b1] rect", "#board .canvas", ".aside"].map(
        (each) => document.querySelector(each).getBoundingClientRect());
    return Math.min(box.left - canvas.left, canvas.right - box.right,
        box.top - Math.max(canvas.top, column.top), Math.min(canvas.bottom, column.bottom) - box.bottom);
}"""


def mouse(tab: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drags with it."""
    tab.mouse.move(*start)
    tab.mouse.down()
    tab.mouse.move(*end, steps=8)
    tab.mouse.up()


def finger(tab: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drags with one."""
    touch = tab.context.new_cdp_session(tab)
    ways = [tuple(one + (other - one) * step / 8 for one, other in zip(start, end, strict=True)) for step in range(9)]
    for kind, way in zip(("touchStart", *["touchMove"] * 8), ways, strict=True):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": way[0], "y": way[1]}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize(("width", "drag"), [(1280, mouse), (390, finger)])
def test_a_box_is_dragged_to_every_edge_and_stays_whole(
    served: tuple[str, Find], browser: Browser, width: int, drag: Callable[..., None]
) -> None:
    url, _ = served
    phone = width < 500
    context = browser.new_context(viewport={"width": width, "height": 844}, has_touch=phone, is_mobile=phone)
    tab = context.new_page()
    tab.goto(f"{url}?session=design")
    tab.get_by_role("button", name="Add box").click()
    expect(tab.get_by_label("Label", exact=True)).to_be_focused()
    tab.get_by_label("Label", exact=True).fill("Internationalizations")
    assert tab.evaluate(ROOM) >= 4
    box = tab.locator("#board [data-box=b1] rect")
    seen = set()
    for end in ((width - 2, 838), (2, 838), (2, 4), (width - 2, 4)):
        at = box.bounding_box()
        assert at is not None
        drag(tab, (at["x"] + at["width"] / 2, at["y"] + at["height"] / 2), end)
        assert tab.evaluate(ROOM) >= 4, end
        seen.add(tab.locator("#board [data-box=b1]").get_attribute("transform"))
    assert len(seen) == 4
    wide = tab.evaluate("document.querySelector('#board [data-box=b1] text').getBoundingClientRect().width")
    at = box.bounding_box()
    assert at is not None
    assert wide <= at["width"]
    context.close()


def test_a_story_is_told_graded_and_removed(served: tuple[str, Find], browser: Browser) -> None:
    url, _ = served
    tab = browser.new_page(reduced_motion="reduce", viewport={"width": 1280, "height": 900})
    tab.goto(url)
    opener = tab.get_by_role("button", name="Stories")
    opener.press("Enter")
    stories = tab.get_by_role("dialog", name="Stories")
    expect(stories).to_contain_text("No stories yet")
    accessible(tab)
    stories.get_by_label("Story", exact=True).fill("Too short.")
    stories.get_by_role("button", name="Add story").press("Enter")
    expect(stories.get_by_role("status")).to_contain_text("at least 25 words")
    stories.get_by_label("Story", exact=True).fill(f"{ATTACK} {FIRST}")
    stories.get_by_role("button", name="Add story").press("Enter")
    expect(stories.get_by_label("Story", exact=True)).to_have_value("")
    # The marks come by themselves.
    expect(stories.locator(".stories dd")).to_have_text(["The answer names profiler.", "The answer names alarm."])
    untouched(tab)
    stories.get_by_text("Read it", exact=True).click()
    expect(stories.locator("blockquote")).to_contain_text("Last spring our ranking service")
    accessible(tab)
    tab.set_viewport_size({"width": 390, "height": 844})
    assert tab.evaluate("() => document.querySelector('#stories-dialog').scrollWidth") <= 390
    stories.get_by_role("button", name="Tell it again").click()
    expect(stories.get_by_label("Story", exact=True)).to_be_focused()
    tab.once("dialog", lambda dialog: dialog.accept())
    stories.get_by_role("button", name="Remove").click()
    expect(stories).to_contain_text("No stories yet")
    tab.keyboard.press("Escape")
    expect(opener).to_be_focused()
    tab.context.close()
