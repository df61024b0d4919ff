"""Talking on the page: Chromium's microphone is a recording, everything else is real."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from interviewer.session.events import AnswerGiven
from interviewer.speech.pronunciation import spoken
from interviewer.storage import recordings
from serving import paths
from serving.speech import audio
from tests.browser.conftest import MARKS, RunningPage, speaking
from tests.browser.test_interview import GRADED_MS, begin, session_of, state_of
from tests.serving.speech.saying import say

pytestmark = MARKS

SPOKEN = "The optimizer takes a step in the direction of the negative gradient, and then the loss goes down."
SPOKEN_ENOUGH = re.compile("negative gradient|goes down", re.IGNORECASE)
HEARD_MS = 120_000
HAND_SLOW_MS = 700
"""After it, a press means what the button says."""
RECORD_SAID = (
    "window.said = []; window.while = [];"
    "document.addEventListener('interviewer:says', (event) => {"
    "  window.said.push(event.detail); window.while.push(document.getElementById('voice').dataset.phase); });"
)


KEPT_PIECES = """new Promise((done) => {
  indexedDB.open("interviewer", 1).onsuccess = (opened) => {
    const store = opened.target.result.transaction("recorded").objectStore("recorded");
    store.count().onsuccess = (counted) => done(counted.target.result);
  };
})"""
"""How many pieces of recordings the browser keeps."""


@pytest.fixture
def microphone(tmp_path: Path) -> Path:
    return say(SPOKEN, tmp_path)


@pytest.fixture
def talking(chromium: Callable[..., Browser], microphone: Path) -> Iterator[BrowserContext]:
    browser = chromium(*speaking(microphone))
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context
    browser.close()


def in_phase(tab: Page, *phases: str) -> None:
    selector = ", ".join(f"#voice[data-phase='{phase}']" for phase in phases)
    expect(tab.locator(selector)).to_have_count(1, timeout=HEARD_MS)


def talk(tab: Page, seconds: float) -> None:
    """Say what the microphone holds, once the interviewer is silent."""
    in_phase(tab, "idle")
    tab.get_by_role("button", name="Talk").click()
    in_phase(tab, "listening")
    tab.wait_for_timeout(1000 * seconds + 700)
    tab.get_by_role("button", name="Stop").click()
    in_phase(tab, "idle", "speaking")


def start_talking(tab: Page) -> None:
    """Turn the voice on and have the interviewer interrupted as it begins."""
    tab.get_by_label("Talk instead of typing").check()
    interrupt(tab)
    tab.get_by_role("button", name="Talk").click()
    in_phase(tab, "listening")


def interrupt(tab: Page) -> None:
    """Wait until the interviewer speaks: before that the phase is idle as well, and the button is another soon."""
    in_phase(tab, "speaking")
    tab.wait_for_timeout(HAND_SLOW_MS)
    tab.get_by_role("button", name="Interrupt").click()
    in_phase(tab, "idle")


def said(tab: Page, sentences: int) -> None:
    tab.wait_for_function(f"window.said.length >= {sentences}", timeout=HEARD_MS)


def test_two_turns_are_spoken(running_page: RunningPage, talking: BrowserContext, microphone: Path) -> None:
    seconds = len(audio.read(microphone)) / audio.RATE
    tab = talking.new_page()
    tab.add_init_script(RECORD_SAID)
    begin(running_page, tab)
    expect(tab.locator("#voice .controls")).to_be_hidden()
    tab.get_by_label("Talk instead of typing").check()
    in_phase(tab, "speaking")
    expect(tab.locator("#voice-status")).to_contain_text("your microphone is off")
    said(tab, 1)
    tab.wait_for_timeout(HAND_SLOW_MS)
    tab.get_by_role("button", name="Interrupt").click()

    talk(tab, seconds)
    box = tab.get_by_label("Your answer")
    expect(box).to_have_value(SPOKEN_ENOUGH, timeout=HEARD_MS)
    heard = box.input_value()
    box.fill(f"{heard} That is all.")
    tab.get_by_role("button", name="Send", exact=True).click()
    # Acknowledged aloud as it is sent, before the interviewer has the word.
    tab.wait_for_function("window.while.includes('idle')", timeout=HEARD_MS)
    expect(tab.locator(".turn.you")).to_contain_text("That is all.")
    expect(tab.locator("#transcript")).to_contain_text("Interviewer, follow-up", timeout=GRADED_MS)

    said(tab, 2)
    talk(tab, seconds)
    expect(box).to_have_value(SPOKEN_ENOUGH, timeout=HEARD_MS)
    tab.get_by_role("button", name="Send", exact=True).click()
    expect(tab.locator(".turn.you")).to_have_count(2)
    # Interrupted after the first sentence, it still was what stands there.
    assert tab.evaluate("window.said[0]") in tab.locator(".turn.they").first.inner_text()

    answers = [event for event in state_of(running_page, tab).asked[0].turns if isinstance(event, AnswerGiven)]
    assert len(answers) == 2
    spoken = answers[0].spoken
    assert spoken is not None
    assert spoken.written == heard
    assert answers[0].text == f"{heard} That is all."
    assert spoken.delivery.words > 8


def test_who_presses_talk_as_the_interviewer_begins_is_listened_to(
    running_page: RunningPage, talking: BrowserContext
) -> None:
    tab = talking.new_page()
    tab.add_init_script(
        "addEventListener('DOMContentLoaded', () => new MutationObserver(() => {"
        "  const voice = document.getElementById('voice');"
        "  if (voice?.dataset.phase !== 'speaking' || window.pressed) return;"
        "  window.pressed = true; document.getElementById('talk').click();"
        "}).observe(document.body, {subtree: true, attributes: true, attributeFilter: ['data-phase']}))"
    )
    begin(running_page, tab)
    tab.get_by_label("Talk instead of typing").check()
    in_phase(tab, "listening")


@pytest.mark.by_number("interviewer/web/voice")
def test_what_is_said_is_written_down_meanwhile_and_outlives_a_lost_connection(
    running_page: RunningPage, talking: BrowserContext
) -> None:
    tab = talking.new_page()
    begin(running_page, tab)
    start_talking(tab)
    so_far = tab.locator("#voice-so-far")
    expect(so_far).to_have_text("")
    place = tab.get_by_role("button", name="Stop").bounding_box()
    expect(so_far).to_contain_text(SPOKEN_ENOUGH, timeout=HEARD_MS)
    assert tab.get_by_role("button", name="Stop").bounding_box() == place

    talking.set_offline(True)
    tab.get_by_role("button", name="Stop").click()
    expect(tab.locator("#voice-status")).to_contain_text("The connection was lost. Your recording is kept here")
    expect(so_far).to_contain_text(SPOKEN_ENOUGH)
    tab.get_by_role("button", name="Send again").click()
    expect(tab.locator("#voice-status")).to_contain_text("The connection was lost")
    talking.set_offline(False)
    # As Gradio does when it notices that the connection is back, unless somebody was faster.
    tab.reload()
    expect(tab.locator("#voice-status")).to_contain_text("Your recording is kept here")
    assert tab.evaluate(KEPT_PIECES) > 0
    tab.get_by_role("button", name="Send again").click()
    box = tab.get_by_label("Your answer")
    expect(box).to_have_value(SPOKEN_ENOUGH, timeout=HEARD_MS)
    expect(so_far).to_have_text("")
    expect(tab.get_by_role("button", name="Talk")).to_be_visible()
    tab.wait_for_function(f"{KEPT_PIECES}.then((count) => count === 0)")


@pytest.mark.by_number("interviewer/web/voice", "interviewer/speech")
def test_hands_free_the_turn_ends_by_itself(running_page: RunningPage, talking: BrowserContext) -> None:
    tab = talking.new_page()
    tab.add_init_script(RECORD_SAID)
    begin(running_page, tab)
    tab.get_by_label("Talk instead of typing").check()
    in_phase(tab, "speaking")
    tab.get_by_label("Hands-free").check()
    # The first sentence may still be in the making.
    said(tab, 1)
    tab.wait_for_timeout(HAND_SLOW_MS)
    tab.get_by_role("button", name="Interrupt").click()
    in_phase(tab, "listening")
    expect(tab.locator(".turn.you")).to_contain_text(SPOKEN_ENOUGH, timeout=HEARD_MS)
    # The answer is acknowledged aloud, before it is graded; the first words of that before it is even written down.
    said(tab, 3)
    at_once, then = tab.evaluate("window.said.slice(1, 3)")
    assert tab.evaluate("window.while[1]") in {"listening", "thinking"}
    assert tab.evaluate("window.while[2]") == "speaking"
    written = " ".join(tab.locator("#transcript").inner_text().split())
    assert at_once in written
    # What follows is the rest of the acknowledgment or the next question, in the form in which it is said.
    assert then in spoken(written)
    assert tab.evaluate("window.said").count(at_once) == 1
    (answer,) = state_of(running_page, tab).asked[0].answers
    assert answer.spoken is not None
    assert answer.text == answer.spoken.written


@pytest.mark.by_number("interviewer/web")
def test_kept_recordings_are_deleted_from_the_report(running_page: RunningPage, browser: Browser) -> None:
    tab = browser.new_page()
    begin(running_page, tab)
    session = session_of(tab)
    for sound in (b"first", b"second"):
        recordings.keep(paths.home(), session, sound)
    tab.once("dialog", lambda dialog: dialog.accept())
    tab.get_by_role("button", name="End", exact=True).click()
    delete = tab.get_by_role("button", name="Delete the 2 recordings of your answers")
    tab.once("dialog", lambda dialog: dialog.dismiss())
    delete.click()
    expect(delete).to_be_visible()
    assert len(recordings.kept(paths.home(), session)) == 2
    tab.once("dialog", lambda dialog: dialog.accept())
    delete.click()
    expect(tab.locator("#sound-note")).to_contain_text("The recordings are deleted.")
    expect(delete).to_be_hidden()
    assert recordings.kept(paths.home(), session) == ()
    tab.context.close()


@pytest.mark.by_number("interviewer/web")
def test_what_stands_in_the_way_is_said_plainly(running_page: RunningPage, tab: Page) -> None:
    tab.add_init_script(
        "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', window.refusal));"
        "localStorage.setItem('voice', 'on');"
    )
    begin(running_page, tab)
    expect(tab.get_by_label("Talk instead of typing")).to_be_checked()
    interrupt(tab)
    for name, told in (("NotAllowedError", "Allow it"), ("NotFoundError", "No microphone was found")):
        tab.evaluate(f"window.refusal = '{name}'")
        tab.get_by_role("button", name="Talk").click()
        expect(tab.locator("#voice-status")).to_contain_text(told)
        expect(tab.locator("#voice-status")).to_contain_text("You can also type")
    tab.get_by_label("Talk instead of typing").uncheck()
    expect(tab.locator("#voice .controls")).to_be_hidden()
