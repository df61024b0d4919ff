"""Takes the pictures of the page that docs/ shows: ``make screenshots``. The page is real, and so is the browser.

The interviews in them are told with the bank's questions and example statements (``tests.interviewer.report.hour``),
so no model server is needed and the pictures change only when the page does.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from interviewer.engine.service import InterviewService
from interviewer.report.analysis.findings import findings
from interviewer.report.render.pdf.document import render_pdf
from interviewer.session.drawing import Arrow, Box, Drawing
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.controller import PageController
from interviewer.web.dialogs.routes import DialogRoutes
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from interviewer.web.voice.routes import VoiceRoutes
from interviewer.web.workspace import Workspace
from knowledge.bank.parser import load_bank
from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion.own_documents import OwnDocuments
from knowledge.ingestion.pipeline import ingest, sync_bank
from knowledge.model import Question
from rubric.coding.result import CodeResult, CodeStatus, CodeTest, FailingCase
from rubric.coding.task import CodeTestKind
from rubric.coding.verifier import Verifier
from rubric.model import Verdict
from serving import paths
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.llm.vllm_server import free_port
from serving.models.catalogue import ensure_embedder
from serving.sandbox.worker_pool import WorkerPool
from serving.speech.stt.whisper import WhisperRecognizer
from serving.speech.tts.speech_cache import SpeechCache
from serving.warmup import Warmup
from tests.browser.conftest import ARGUMENTS, CHROMIUM, FAKE_MICROPHONE
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.report.hour import QUESTIONS, Hour, hour

DOCS = Path(__file__).parent.parent.parent / "docs"
LARGEST = 250_000
"""Bytes a picture may have: it stands in a repository."""

WIDE, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
TALL = {"width": 1280, "height": 1060}
DESIGN = "design-video-recommendation"
CODING = "training-focal-loss"
BOARD = """Candidates: 500 million items
  two towers, nearest neighbors by FAISS
  refreshed every hour
Ranking: 500 of them
  one model, many goals
Feedback
  clicks are logged with the model's version"""
DRAWN = Drawing(
    boxes=(
        Box(id="b1", x=20, y=40, label="Event log"),
        Box(id="b2", x=290, y=40, label="Two-tower retrieval"),
        Box(id="b3", x=560, y=40, label="Ranker"),
        Box(id="b4", x=290, y=200, label="Index, 500 M items"),
        Box(id="b5", x=560, y=200, label="Feed service"),
    ),
    arrows=(
        Arrow(source="b1", target="b2", label="hourly"),
        Arrow(source="b2", target="b4"),
        Arrow(source="b4", target="b5", label="500 candidates"),
        Arrow(source="b5", target="b3"),
        Arrow(source="b3", target="b5", label="top 20"),
    ),
).model_dump_json()
DOCUMENT = """# Notes on training

## What is gradient clipping for?

It bounds the norm of the gradient, so that one bad batch cannot throw the weights far away.

## Why is the learning rate warmed up?

Adam's second moments are estimated from few steps at first.
"""


def bank() -> dict[str, Question]:
    """The bank's questions by their ids."""
    return {question.id: question for question in load_bank()}


def begun(*questions: str, minutes: int = 30, ago: float = 0.0) -> Hour:
    """An interview that began some minutes ago."""
    plan = Plan(question_ids=questions, minutes=minutes, length=len(questions), follow_ups=2, editor=True, role="")
    return Hour(plan, datetime.now(UTC) - timedelta(minutes=ago))


def typed() -> Hour:
    """In the middle of a question: answered, marked so far, drilled."""
    tell = begun("autograd-leaf-grad", "training-mixed-precision", "ddp-gradient-sync", "kv-cache-memory", ago=2.5)
    question = bank()["autograd-leaf-grad"]
    asked = tell.ask(question)
    criteria = question.rubric.criteria  # type: ignore[union-attr]
    said = [criteria[0].examples.met[0], criteria[1].examples.met[0]]
    tell.wait(70)
    answer = tell.answer(asked, " ".join(said))
    marks = [(Verdict.MET, 0.93, words) for words in said]
    marks += [(Verdict.MISSING, 0.06, "")] * (len(criteria) - 2)
    tell.grade(asked, answer, marks)
    tell.follow_up(asked, FollowUpKind.MISSING, criteria[2].id, f"Good so far. {criteria[2].probe}")
    return tell


def coded() -> Hour:
    """A coding question whose code was run once."""
    tell = begun(CODING, ago=6)
    asked = tell.ask(bank()[CODING])
    tell.wait(140)
    right = CodeTest(name="example", kind=CodeTestKind.EXAMPLE, title="easy and hard pixels", status=CodeStatus.PASSED)
    case = FailingCase(
        put_in="logits = tensor([120.]), target = tensor([0.])", expected="tensor(120.)", got="tensor(inf)"
    )
    wrong = CodeTest(
        name="far",
        kind=CodeTestKind.EXAMPLE,
        title="a logit far from zero",
        status=CodeStatus.MISMATCH,
        message="A number is infinite where a finite one was expected.",
        cases=1,
        failing=(case,),
    )
    result = CodeResult(status=CodeStatus.MISMATCH, tests=(right, wrong), isolation="bubblewrap")
    tell.ran(asked, bank()[CODING].task.starter, result, submitted=False)  # type: ignore[union-attr]
    return tell


def asked(question_id: str) -> Hour:
    """A question that was just put."""
    tell = begun(question_id, "autograd-leaf-grad", "kv-cache-memory", ago=1)
    tell.ask(bank()[question_id])
    return tell


def fill(journal: Journal) -> None:
    """Interviews of the last weeks, and those that the pictures show."""
    now = datetime.now(UTC)
    names = list(QUESTIONS)
    for number, days in enumerate((16, 9, 2)):
        part = {name: QUESTIONS[name] for name in names[2 * number : 2 * number + 6]}
        keep(journal, f"before-{days}", hour(part, now - timedelta(days=days)))
    keep(journal, "hour", hour(start=now - timedelta(days=1)))
    for name, tell in (("typed", typed()), ("coded", coded()), ("design", asked(DESIGN)), ("voice", typed())):
        keep(journal, name, tell)


def keep(journal: Journal, name: str, tell: Hour) -> None:
    """Put a told interview into the journal."""
    for event in tell.events:
        journal.append(name, event)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The page, with interviews in its journal."""
    index = QuestionIndex.open(folder / "index", SentenceTransformerEmbedder(ensure_embedder()))
    sync_bank(index)
    with (
        Journal(folder / "journal.db") as journal,
        WorkerPool() as workers,
        InterviewService(journal, index, KeywordGrader(), patience_s=30.0, verifier=Verifier(workers)) as service,
    ):
        fill(journal)
        voice = VoiceRoutes(WhisperRecognizer(), SpeechCache(), service.state)
        documents = OwnDocuments(index, folder / "home" / "documents")
        own = Workspace(
            PageController(service, journal, voice.spoken), index, lambda files: ingest(files, index), documents
        )
        page = build_page(
            service, index, Warmup([]), journal, own.ingest, documents=documents, voice=voice, here=lambda: own
        )
        try:
            routes = [*voice.routes(), *DialogRoutes(lambda: own, voice).routes()]
            yield launch_page(page, port=free_port(), routes=routes)
        finally:
            page.close(verbose=False)


class Camera:
    """Takes pictures of a page and keeps them small.

    Args:
        browser: shows it.
        url: its address.

    """

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser, self._url = browser, url

    @contextmanager
    def tab(self, session: str = "", *, dark: bool = False, phone: bool = False) -> Iterator[Page]:
        """A page at an interview, or at the set-up."""
        looks: dict[str, Any] = {"viewport": PHONE if phone else WIDE, "device_scale_factor": 2 if phone else 1.5}
        looks |= {"has_touch": phone, "is_mobile": phone}
        context = self._browser.new_context(
            **looks, color_scheme="dark" if dark else "light", reduced_motion="reduce", permissions=["microphone"]
        )
        tab = context.new_page()
        tab.goto(f"{self._url}?session={session}" if session else self._url)
        yield tab
        context.close()

    def take(self, tab: Page, name: str, element: str = "") -> None:
        """A picture of what is in view, or of one element."""
        tab.wait_for_timeout(1_200)
        shot = tab.locator(element).screenshot() if element else tab.screenshot()
        save(Image.open(io.BytesIO(shot)), name)


def save(picture: Image.Image, name: str) -> None:
    """Keep a picture in docs/, with as many colors as it can have and still be small."""
    for colors in (256, 128, 64, 32):
        written = io.BytesIO()
        picture.convert("RGB").quantize(colors, dither=Image.Dither.NONE).save(written, "PNG", optimize=True)
        if len(written.getvalue()) <= LARGEST:
            break
    (DOCS / f"{name}.png").write_bytes(written.getvalue())
    print(f"docs/{name}.png, {len(written.getvalue()) / 1000:.0f} kB, {colors} colors", flush=True)


def set_up(camera: Camera, folder: Path) -> None:
    """The set-up page, wide and on a phone, and what stands on it of the past and of documents."""
    with camera.tab() as tab:
        expect(tab.locator(".standing tbody tr").first).to_be_visible(timeout=60_000)
        camera.take(tab, "set-up")
        (folder / "notes.md").write_text(DOCUMENT)
        tab.locator("#documents input[type=file]").set_input_files(folder / "notes.md")
        expect(tab.locator("#found")).to_contain_text("2 questions were added", timeout=120_000)
        camera.take(tab, "documents", ".card:has(#documents)")
    with camera.tab(phone=True, dark=True) as tab:
        expect(tab.get_by_role("button", name="Start the interview")).to_be_attached()
        camera.take(tab, "set-up-phone")


def dialogs(camera: Camera, _: Path) -> None:
    """The settings and the history, wide, dark, and on a phone."""
    for name, shown in (("settings", "Display"), ("history", "Scores by topic")):
        for phone in (False, True):
            with camera.tab(dark=phone, phone=phone) as tab:
                tab.get_by_role("button", name=name.capitalize()).click()
                expect(tab.get_by_role("dialog", name=name.capitalize())).to_contain_text(shown, timeout=60_000)
                camera.take(tab, f"{name}-phone" if phone else name)


def interviews(camera: Camera, _: Path) -> None:
    """Interviews as they go on."""
    for name, dark in (("interview", False), ("interview-dark", True)):
        with camera.tab("typed", dark=dark) as tab:
            expect(tab.locator(".marks")).to_be_visible()
            tab.get_by_label("Your answer").fill("I would call retain_grad on it before the backward pass, or")
            camera.take(tab, name)
    for phone in (False, True):
        with camera.tab("coded", phone=phone) as tab:
            tab.set_viewport_size(PHONE if phone else TALL)
            expect(tab.locator("#code .cm-content")).to_contain_text("def focal_loss")
            camera.take(tab, "coding-phone" if phone else "coding")
        with camera.tab("design", phone=phone, dark=phone) as tab:
            tab.set_viewport_size(PHONE if phone else TALL)
            expect(tab.locator("#board svg")).to_be_visible()
            name = tab.locator("#sketched :is(textarea, input)").input_value()
            tab.evaluate("([name, drawn]) => sessionStorage.setItem(`drawing:design:${name}`, drawn)", [name, DRAWN])
            tab.reload()
            expect(tab.locator("#board [data-box]")).to_have_count(5)
            if not phone:
                tab.locator("#outline textarea").fill(BOARD)
                tab.get_by_label("Your answer").fill("In two stages, since no model can rank so many items in time.")
            camera.take(tab, "whiteboard-phone" if phone else "whiteboard")
    with camera.tab("typed", phone=True) as tab:
        expect(tab.locator(".marks")).to_be_visible()
        camera.take(tab, "interview-phone")


def talk(camera: Camera, _: Path) -> None:
    """An interview in which the person talks."""
    with camera.tab("voice") as tab:
        tab.get_by_label("Talk instead of typing").check()
        expect(tab.locator("#voice[data-phase='idle']")).to_be_attached(timeout=90_000)
        tab.wait_for_timeout(1_000)
        tab.get_by_role("button", name="Talk").click()
        expect(tab.locator("#voice[data-phase='listening']")).to_be_attached(timeout=30_000)
        camera.take(tab, "voice")


def report(camera: Camera, _: Path) -> None:
    """The first screen of a report, wide, dark, and on a phone, and its first three pages as printed."""
    for name, looks in (("report", {}), ("report-dark", {"dark": True}), ("report-phone", {"phone": True})):
        with camera.tab("hour", **looks) as tab:
            expect(tab.locator("#report-body")).to_contain_text("Interview report", timeout=60_000)
            camera.take(tab, name)
    told = hour(start=datetime.now(UTC) - timedelta(days=1))
    printed = pypdfium2.PdfDocument(render_pdf(findings("hour", told.state)))
    for page in range(3):
        save(printed[page].render(scale=1.4).to_pil(), f"report-page-{page + 1}")


GROUPS: dict[str, Callable[[Camera, Path], None]] = {
    "set-up": set_up,
    "dialogs": dialogs,
    "interviews": interviews,
    "report": report,
    "voice": talk,
}


def main() -> None:
    """Take all pictures, or those of the groups that are named."""
    groups = sys.argv[1:] or list(GROUPS)
    # Five seconds, its default, are too few on a machine that does other work beside this.
    expect.set_options(timeout=90_000)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        models = paths.models()
        home, paths.home = paths.home, lambda: paths.made(folder / "home")
        paths_models, paths.models = paths.models, lambda: models
        try:
            with served(folder) as url:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *FAKE_MICROPHONE])
                camera = Camera(browser, url)
                for group in groups:
                    GROUPS[group](camera, folder)
                browser.close()
        finally:
            paths.home, paths.models = home, paths_models
            shutil.rmtree(folder / "home", ignore_errors=True)


if __name__ == "__main__":
    main()
