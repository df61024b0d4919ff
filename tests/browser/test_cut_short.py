"""Whoever talks on without a new point is cut short: by the browser's own clock, which the test moves on.

How loud it is and what was written down are given by the test, since a recognizer takes as long as it takes; the page's
script, its recorder and the interview are real.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from interviewer.engine.service import InterviewService
from interviewer.session.events import AnswerGiven
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from interviewer.web.voice.routes import VoiceRoutes
from knowledge.ingestion.pipeline import IngestReport
from serving.llm.vllm_server import free_port
from serving.speech.stt.whisper import WhisperRecognizer
from serving.speech.tts.speech_cache import SpeechCache
from serving.warmup import Warmup
from tests.browser.conftest import FAKE_MICROPHONE, MARKS
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.web.holding import SHELF

pytestmark = [*MARKS, pytest.mark.by_number("interviewer/web")]

LEVEL = """
window.level = 0;
window.AudioContext = class {
  createAnalyser() { return { fftSize: 0, getFloatTimeDomainData: (samples) => samples.fill(window.level) }; }
  createMediaStreamSource() { return { connect() {} }; }
  close() { return Promise.resolve(); }
};"""
"""The loudness that the page measures."""

STEP_MS = 3_000
"""Longer than the page waits before it sends what was said so far."""


class Heard:
    """What the server writes down, reply by reply, and what it was asked."""

    def __init__(self) -> None:
        self.so_far: list[dict[str, object]] = []
        self.whole: list[str] = []
        self.asked: list[tuple[str, str]] = []

    def __call__(self, route: Route) -> None:
        asked = parse_qs(urlsplit(route.request.url).query)
        more = asked["so_far"] == ["1"]
        self.asked.append((asked["turn"][0], "so far" if more else "whole"))
        if more:
            told = self.so_far.pop(0) if len(self.so_far) > 1 else self.so_far[0]
        else:
            told = {"text": self.whole.pop(0), "problem": "", "suggestions": [], "answers": False}
        route.fulfill(json=told)


@pytest.fixture
def served(tmp_path: Path, voice: tuple[WhisperRecognizer, SpeechCache]) -> Iterator[tuple[str, Journal, str]]:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=60.0) as service,
    ):
        session = service.start(Plan(question_ids=("leaves", "strides"), follow_ups=0))
        room = VoiceRoutes(*voice, service.state, home=lambda: tmp_path)
        page = build_page(
            service, SHELF, Warmup([]), journal, lambda files: IngestReport(files=(), questions=()), voice=room
        )
        url = launch_page(page, port=free_port(), routes=room.routes())
        yield f"{url}?session={session}", journal, session
        page.close(verbose=False)


def in_phase(tab: Page, phase: str) -> None:
    expect(tab.locator(f"#voice[data-phase='{phase}']")).to_have_count(1)


def test_whoever_is_cut_short_keeps_what_they_said_and_goes_on_with_the_same_answer(
    chromium: object, served: tuple[str, Journal, str]
) -> None:
    url, journal, session = served
    heard = Heard()
    browser = chromium(*FAKE_MICROPHONE)  # type: ignore[operator]
    tab = browser.new_page()
    tab.add_init_script(LEVEL)
    tab.clock.install()
    tab.route("**/voice/hear?*", heard)
    silent = json.dumps({"heard": "", "pieces": [], "first": None})
    tab.route("**/voice/lines?*", lambda route: route.fulfill(body=silent, content_type="application/json"))
    tab.goto(url)
    tab.get_by_label("Talk instead of typing").check()
    tab.get_by_label("Hands-free").check()
    in_phase(tab, "listening")
    tab.clock.pause_at(tab.evaluate("Date.now()") / 1000 + 1)
    turn = tab.locator("#turn textarea, #turn input").input_value()
    box, so_far = tab.get_by_label("Your answer"), tab.locator("#voice-so-far")

    def speak() -> None:
        """Time passes: a moment of silence, then speech."""
        tab.evaluate("window.level = 0")
        tab.clock.run_for(200)
        tab.evaluate("window.level = 0.3")
        tab.clock.run_for(STEP_MS)

    # What is new is written down, and nobody is stopped.
    heard.so_far = [{"text": "A leaf is a leaf", "over": False, "wait": 2}]
    speak()
    expect(so_far).to_have_text("A leaf is a leaf")
    in_phase(tab, "listening")
    assert heard.asked[-1] == (turn, "so far")

    # Cut short, the recording ends by itself, is handed in for the turn that the interviewer's word made, and is kept.
    heard.so_far = [{"text": "A leaf is a leaf is a leaf", "over": False, "wait": 2, "cut": "cut:1"}]
    heard.whole = ["A leaf is a leaf is a leaf."]
    tab.clock.run_for(2 * STEP_MS)
    expect(box).to_have_value("A leaf is a leaf is a leaf.")
    assert heard.asked[-1] == ("cut:1", "whole")
    # Hands-free they are listened to again, and nothing was sent.
    in_phase(tab, "listening")
    tab.clock.run_for(1_000)
    assert [event for event in journal.events(session) if isinstance(event, AnswerGiven)] == []

    # What comes then is the rest of the same answer.
    heard.so_far = [{"text": "It has no graph", "over": True, "wait": 2, "answers": False}]
    heard.whole = ["It has no graph."]
    speak()
    tab.evaluate("window.level = 0")
    tab.clock.resume()
    expect(tab.locator(".turn.you")).to_contain_text("A leaf is a leaf is a leaf. It has no graph.")
    (answer,) = [event for event in journal.events(session) if isinstance(event, AnswerGiven)]
    assert answer.text == "A leaf is a leaf is a leaf. It has no graph."
    browser.close()
