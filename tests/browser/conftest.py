"""The real page in a real browser, with the real judge behind it."""

from __future__ import annotations

import gc
import os
import shutil
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect, sync_playwright

from interviewer.engine.service import InterviewService
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.controller import PageController
from interviewer.web.dialogs.routes import DialogRoutes
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from interviewer.web.views.interview.handlers import END_ASKED
from interviewer.web.voice.routes import VoiceRoutes
from interviewer.web.workspace import Workspace
from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion.pipeline import ingest, sync_bank
from rubric.coding.verifier import Verifier
from rubric.grading.grader import Grader
from serving.encoders.sentence_encoder import Embedder
from serving.speech.stt.whisper import WhisperRecognizer
from serving.speech.tts.speech_cache import SpeechCache
from serving.warmup import Warmup

CHROMIUM = os.environ.get("CHROMIUM", shutil.which("chromium") or "/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

FAKE_MICROPHONE = [
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    "--autoplay-policy=no-user-gesture-required",
]
"""For a browser that talks: nobody is asked for the microphone, which beeps."""


def speaking(recording: Path) -> list[str]:
    """For a browser whose microphone holds a recording, played once each time that it is opened."""
    return [*FAKE_MICROPHONE, f"--use-file-for-fake-audio-capture={recording}%noloop"]


MARKS = [
    pytest.mark.browser,
    # The first one starts the model server too.
    pytest.mark.timeout(600),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    # Gradio's queue asks pandas for options of older versions.
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
"""What every test in the browser is marked with."""


# Not for the whole session: Playwright keeps an event loop running, which other tests must not meet.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Callable[..., Browser]]:
    """Starts the browser, with more arguments where a test wants them."""
    if not Path(CHROMIUM).exists():
        pytest.fail(
            f"There is no browser at {CHROMIUM}. Install Debian's package: apt-get install chromium "
            "(or name another one in the environment variable CHROMIUM).",
            pytrace=False,
        )
    # Five seconds, its default, are too few on a machine that runs other tests beside this one.
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        yield lambda *more: playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *more])


@pytest.fixture(scope="package")
def browser(chromium: Callable[..., Browser]) -> Iterator[Browser]:
    browser = chromium()
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> QuestionIndex:
    index = QuestionIndex.open(tmp_path_factory.mktemp("index"), embedder)
    sync_bank(index)
    return index


@pytest.fixture(scope="session")
def voice(tmp_path_factory: pytest.TempPathFactory) -> tuple[WhisperRecognizer, SpeechCache]:
    """Hears and speaks; loaded when somebody talks, not before."""
    return WhisperRecognizer(), SpeechCache(tmp_path_factory.mktemp("speech"))


@dataclass
class RunningPage:
    """The page as it runs, and what stands behind it."""

    url: str
    service: InterviewService
    journal: Journal
    restart: Callable[[], None]


@pytest.fixture
def running_page(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    library: QuestionIndex,
    grader: Grader,
    verifier: Verifier,
    voice: tuple[WhisperRecognizer, SpeechCache],
) -> Iterator[RunningPage]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with Journal(tmp_path / "journal.db") as journal:
        stops: list[Callable[[], None]] = []

        def start() -> tuple[str, InterviewService]:
            service = InterviewService(journal, library, grader, patience_s=30.0, verifier=verifier)
            room = VoiceRoutes(*voice, service.state)
            own = Workspace(
                PageController(service, journal, room.spoken), library, lambda files: ingest(files, library)
            )
            page = build_page(service, library, Warmup([]), journal, own.ingest, voice=room, here=lambda: own)
            stops[:] = [partial(page.close, verbose=False), service.close]
            routes = [*room.routes(), *DialogRoutes(lambda: own, room).routes()]
            return launch_page(page, port=port, routes=routes), service

        def stop() -> None:
            for each in stops:
                each()

        def restart() -> None:
            stop()
            running.url, running.service = start()

        # The same questions every time: a test that fails by chance says nothing.
        monkeypatch.setattr("interviewer.web.controller.new_seed", lambda: 20)
        # Documents given through the page are kept under the home folder; the models stay where they are.
        monkeypatch.setattr("serving.paths.home", lambda: _made(tmp_path / "home"))
        url, service = start()
        running = RunningPage(url, service, journal, restart)
        yield running
        stop()
    gc.collect()


@pytest.fixture
def tab(browser: Browser, running_page: RunningPage) -> Iterator[Page]:
    """A fresh tab; a request to any other machine, or an error in the page's scripts, fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    page = context.new_page()
    outside: list[str] = []
    errors: list[str] = []
    page.on(
        "request",
        lambda request: (
            None if request.url.startswith((running_page.url, "data:", "blob:")) else outside.append(request.url)
        ),
    )
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", lambda dialog: answer_dialog(dialog, errors))
    yield page
    context.close()
    assert outside == []
    assert errors == []


def _made(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder


def answer_dialog(dialog: Dialog, errors: list[str]) -> None:
    """Whoever presses End means it; the page asks nothing else in this way."""
    if dialog.message == END_ASKED:
        dialog.accept()
    else:
        errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()
