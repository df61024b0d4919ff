"""Talking on the page: Chromium's microphone is a recording, everything else is real."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from interviewer.events import AnswerGiven
from serving.speech import audio
from tests.browser.conftest import MARKS, RunningPage
from tests.browser.test_interview import GRADED_MS, begin, state_of
from tests.serving.speech.saying import say

pytestmark = MARKS

SPOKEN = "The optimizer takes a step in the direction of the negative gradient, and then the loss goes down."
SPOKEN_ENOUGH = re.compile("negative gradient|goes down", re.IGNORECASE)
HEARD_MS = 60_000
HAND_SLOW_MS = 700
"""After it, a press means what the button says."""
RECORD_SAID = (
    "window.said = []; document.addEventListener('interviewer:says', (event) => window.said.push(event.detail));"
)


@pytest.fixture
def microphone(tmp_path: Path) -> Path:
    return say(SPOKEN, tmp_path)


@pytest.fixture
def talking(chromium: Callable[..., Browser], microphone: Path) -> Iterator[BrowserContext]:
    browser = chromium(
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-audio-capture={microphone}%noloop",
        "--autoplay-policy=no-user-gesture-required",
    )
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


def test_what_stands_in_the_way_is_said_plainly(running_page: RunningPage, tab: Page) -> None:
    tab.add_init_script(
        "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', window.refusal));"
        "localStorage.setItem('voice', 'on');"
    )
    begin(running_page, tab)
    expect(tab.get_by_label("Talk instead of typing")).to_be_checked()
    for name, told in (("NotAllowedError", "Allow it"), ("NotFoundError", "No microphone was found")):
        tab.evaluate(f"window.refusal = '{name}'")
        in_phase(tab, "speaking", "idle")
        if tab.locator("#voice").get_attribute("data-phase") == "speaking":
            tab.get_by_role("button", name="Interrupt").click()
        tab.get_by_role("button", name="Talk").click()
        expect(tab.locator("#voice-status")).to_contain_text(told)
        expect(tab.locator("#voice-status")).to_contain_text("You can type all the same")
    tab.get_by_label("Talk instead of typing").uncheck()
    expect(tab.locator("#voice .controls")).to_be_hidden()
