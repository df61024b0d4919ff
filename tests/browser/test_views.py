"""Every view of the page, filled with words of people, documents and models that would like to be more than words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from interviewer.engine.service import InterviewService
from interviewer.planning import candidate_background
from interviewer.session.events import NotesWritten
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan, SegmentKind
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.accounts import Accounts
from interviewer.web.controller import PageController
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from interviewer.web.voice.routes import VoiceRoutes
from interviewer.web.workspace import Workspace
from knowledge.bank.parser import load_bank
from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion.own_documents import OwnDocuments
from knowledge.ingestion.pipeline import IngestReport, ingest
from knowledge.model import Kind, Question, Source
from rubric.coding.result import CodeResult, CodeStatus, CodeTest, FailingCase
from rubric.coding.task import CodeTestKind
from rubric.model import Verdict
from serving import paths
from serving.encoders.sentence_encoder import Embedder
from serving.llm.vllm_server import free_port
from serving.speech.stt.whisper import WhisperRecognizer
from serving.speech.tts.speech_cache import SpeechCache
from serving.warmup import Warmup
from tests.browser.conftest import MARKS, answer_dialog
from tests.browser.seeing import accessible, untouched
from tests.browser.test_interview import ATTACK
from tests.browser.test_voice import in_phase
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.report.hour import Hour
from tests.interviewer.report.sample_session import question
from tests.interviewer.web.holding import SHELF

pytestmark = MARKS

CODING = "training-focal-loss"
FILE = "<img src=x onerror=alert(4)>.md"
OF_GRADIO = ("document-title", "landmark-one-main", "page-has-heading-one", "region")
"""What is wanting in the page on which one logs in, which is none of ours."""

DID = "Built <img src=x onerror=alert(5)> a recommender with 3 people in two months"
HOSTILE = question(
    "hostile",
    [("first", f"One. {ATTACK}", 1), ("second", f"Two. {ATTACK}", 1)],
    topic=f"tensors {ATTACK}",
    text=f"What is a stride? {ATTACK}",
    spoken=f"What is a stride? {ATTACK}",
    reference=f"It is a step. {ATTACK}",
    why_it_matters=ATTACK,
    misconception=ATTACK,
    hint=ATTACK,
    source=Source(path=FILE, line=1, section=(ATTACK,)),
)


def begun(*, editor: bool = False) -> Hour:
    return Hour(
        Plan(length=3, follow_ups=2, editor=editor, role="", minutes=30), datetime.now(UTC) - timedelta(minutes=3)
    )


def answered() -> Hour:
    """Answered, graded, drilled, hinted, and once not graded."""
    tell = begun()
    tell.talk(SegmentKind.WARM_UP, f"You wrote: {ATTACK}", (ATTACK, ATTACK, FILE))
    asked = tell.ask(HOSTILE)
    answer = tell.answer(asked, f"{ATTACK} It is a step.")
    tell.grade(asked, answer, [(Verdict.MET, 0.9, "It is a step."), (Verdict.PARTIAL, 0.5, ATTACK)], unsure=["second"])
    tell.hint(asked, ATTACK)
    tell.follow_up(asked, FollowUpKind.MISSING, "second", ATTACK)
    tell._add(NotesWritten, "notes", text=f"look up {ATTACK}")
    return tell


def ended() -> Hour:
    """The same to its end, with a point that was disputed."""
    tell = answered()
    tell.close("q1")
    tell.override("q1", "first", Verdict.MISSING, ATTACK, ATTACK)
    tell.second(tell.dispute("q1", "first", ATTACK), "It is a step.", Verdict.MET, 0.9, meets=ATTACK)
    tell.end()
    return tell


def designed() -> Hour:
    tell = begun()
    asked = tell.ask(HOSTILE.model_copy(update={"kind": Kind.SYSTEM_DESIGN}))
    answer = tell.answer(asked, f"In two stages.\n\nOutline:\n{ATTACK}\n  {ATTACK}")
    # The person's turn: left to the interviewer, a slow page would find the interview over.
    tell.grade(asked, answer, [(Verdict.MET, 0.9, "In two stages."), (Verdict.MISSING, 0.1, "")])
    tell.follow_up(asked, FollowUpKind.MISSING, "second", ATTACK)
    return tell


def coded() -> Hour:
    """Code that printed, failed, and was told why by whatever ran it."""
    tell = begun(editor=True)
    asked = tell.ask(coding())
    case = FailingCase(put_in=ATTACK, expected=ATTACK, got=ATTACK)
    test = CodeTest(
        name="far", kind=CodeTestKind.EXAMPLE, title=ATTACK, status=CodeStatus.MISMATCH, message=ATTACK,
        cases=1, failing=(case,),
    )  # fmt: skip
    result = CodeResult(
        status=CodeStatus.MISMATCH, tests=(test,), message=ATTACK, printed=ATTACK, errors=ATTACK, isolation="bubblewrap"
    )
    tell.ran(asked, f"# {ATTACK}", result, submitted=True)
    return tell


def coding() -> Question:
    return next(each for each in load_bank() if each.id == CODING)


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory, embedder: Embedder, voice: tuple[WhisperRecognizer, SpeechCache]
) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("views")
    home = paths.made(folder / "home")
    index = QuestionIndex.open(folder / "index", embedder)
    index.replace(FILE, [HOSTILE])
    candidate_background.keep(candidate_background.Background(topics=(ATTACK,), opening=ATTACK), home)
    with (
        Journal(folder / "journal.db") as journal,
        InterviewService(journal, index, KeywordGrader(), patience_s=5.0) as service,
    ):
        for name, tell in (("answered", answered()), ("ended", ended()), ("designed", designed()), ("coded", coded())):
            for event in tell.events:
                journal.append(name, event)
        place = Workspace(
            PageController(service, journal),
            index,
            lambda files: ingest(files, index),
            OwnDocuments(index, home / "documents"),
            home=lambda: home,
        )
        room = VoiceRoutes(*voice, service.state)
        page = build_page(service, index, Warmup([]), journal, place.ingest, voice=room, here=lambda: place)
        yield launch_page(page, port=free_port(), routes=room.routes())
        page.close(verbose=False)


@pytest.fixture
def tab(browser: Browser, served: str) -> Iterator[Page]:
    """A tab in which nothing may run, open, or be asked of another machine."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    wrong: list[str] = []
    page.on(
        "request", lambda asked: None if asked.url.startswith((served, "data:", "blob:")) else wrong.append(asked.url)
    )
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: answer_dialog(dialog, wrong))
    yield page
    untouched(page)
    context.close()
    assert wrong == []


@pytest.mark.by_number("interviewer/web")
def test_where_an_interview_is_chosen(served: str, tab: Page, tmp_path: Path) -> None:
    tab.goto(f"{served}?session=unknown")
    expect(tab.locator("#setup-note")).to_contain_text("There is no interview at this address.")
    tab.goto(served)
    expect(tab.locator("#history .standing")).to_contain_text(ATTACK)
    expect(tab.locator("#known")).to_contain_text(ATTACK)
    tab.get_by_role("button", name="More options").click()
    (tmp_path / FILE).write_text(
        f"# {ATTACK}\n\n## What is {ATTACK} a hook?\n\nA function that autograd calls. {ATTACK}\n"
    )
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / FILE).write_bytes(bytes(range(256)) * 20)
    documents = tab.locator("#documents input[type=file]")
    documents.set_input_files(tmp_path / FILE)
    expect(tab.locator("#found")).to_contain_text("1 question was added")
    expect(tab.locator("#found")).to_contain_text("<img src=x onerror=alert(2)>")
    untouched(tab)
    expect(tab.locator("#asked-documents input")).to_have_count(2)
    listed = tab.locator(".own-document").last
    listed.locator("summary").click()
    expect(listed).to_contain_text("a hook?")
    documents.set_input_files(tmp_path / "bad" / FILE)
    expect(tab.locator("#found")).to_contain_text("img src=x onerror=alert(4).md is not a text file")
    (tmp_path / "résumé.txt").write_text(f"{DID}\n\nTrained image classifiers on sixteen machines at once.\n")
    tab.locator("#background input[type=file]").set_input_files(tmp_path / "résumé.txt")
    expect(tab.locator("#known")).to_contain_text(DID)
    tab.get_by_role("button", name="Show the agenda").click()
    expect(tab.locator("#agenda textarea")).to_have_value(re.compile(r"tensors .*, concept, \d+"))
    accessible(tab)
    tab.get_by_role("button", name="Start the interview").click()
    # What is read to the ear is written as it is said.
    expect(tab.locator(".turn.they").first).to_contain_text("less than img src equals x")


@pytest.mark.by_number("interviewer/web")
def test_where_one_answers(served: str, tab: Page) -> None:
    tab.goto(f"{served}?session=answered")
    expect(tab.locator("#transcript")).to_contain_text(ATTACK)
    expect(tab.locator("#question")).to_contain_text("<img src=x onerror=alert(2)>")
    tab.get_by_role("button", name="My notes").click()
    expect(tab.get_by_label("Notes for yourself")).to_have_value(f"look up {ATTACK}")
    for each in tab.locator("#transcript summary").all():
        each.click()
    accessible(tab)


@pytest.mark.by_number("interviewer/web")
def test_where_one_talks(served: str, chromium: Callable[..., Browser]) -> None:
    """What would end a state is held back while it is looked at, so neither voice nor recognizer is needed."""
    browser = chromium("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    tab = browser.new_page(reduced_motion="reduce")
    sounds, recordings = hold_back(tab, "**/voice/sound/**"), hold_back(tab, "**/voice/hear?**")
    tab.goto(f"{served}?session=answered")
    tab.get_by_label("Talk instead of typing").check()
    in_phase(tab, "speaking")
    accessible(tab)
    tab.get_by_role("button", name="Interrupt").click()
    for sound in held(tab, sounds):
        sound.abort()
    in_phase(tab, "idle")
    tab.get_by_role("button", name="Talk").click()
    in_phase(tab, "listening")
    accessible(tab)
    tab.get_by_label("Hands-free").check()
    # The browser's own microphone beeps, which is loud enough to be followed.
    for recording in held(tab, recordings):
        recording.fulfill(json={"text": ATTACK, "over": False, "wait": 60})
    recordings.clear()
    expect(tab.locator("#voice-so-far")).to_contain_text(ATTACK)
    in_phase(tab, "listening")
    accessible(tab)
    tab.get_by_role("button", name="Stop").click()
    in_phase(tab, "thinking")
    expect(tab.get_by_role("button", name="One moment")).to_be_disabled()
    accessible(tab)
    told = {"text": ATTACK, "problem": "", "suggestions": [{"heard": ATTACK, "meant": ATTACK}]}
    tab.get_by_label("Hands-free").uncheck()
    for recording in held(tab, recordings):
        recording.fulfill(json=told)
    expect(tab.get_by_label("Your answer")).to_have_value(ATTACK)
    expect(tab.locator("#voice-suggestions")).to_contain_text(ATTACK)
    accessible(tab)
    untouched(tab)
    browser.close()


def hold_back(tab: Page, address: str, times: int | None = None) -> list[Route]:
    """Where the next so many requests of the page come, or all; they wait there."""
    requests: list[Route] = []

    def keep(route: Route) -> None:
        requests.append(route)

    tab.route(address, keep, times=times)
    return requests


def held(tab: Page, requests: list[Route]) -> list[Route]:
    """The requests that are held back, once there are any."""
    while not requests:
        tab.wait_for_timeout(50)
    return requests


@pytest.mark.by_number("interviewer/web")
def test_where_one_draws(served: str, tab: Page) -> None:
    tab.goto(f"{served}?session=designed")
    expect(tab.get_by_label("Outline")).to_have_value(f"{ATTACK}\n  {ATTACK}")
    accessible(tab)


@pytest.mark.by_number("interviewer/web")
def test_where_one_writes_code(served: str, tab: Page) -> None:
    tab.goto(f"{served}?session=coded")
    expect(tab.locator("#code .cm-content")).to_contain_text(ATTACK)
    expect(tab.locator("#result")).to_contain_text(ATTACK)
    tab.locator("#code .cm-content").focus()
    tab.keyboard.press("Escape")
    tab.keyboard.press("Tab")
    expect(tab.locator("#code :focus")).to_have_count(0)
    accessible(tab)


@pytest.mark.by_number("interviewer/web")
def test_where_the_report_is_read(served: str, tab: Page) -> None:
    waiting = hold_back(tab, "**/queue/join**", times=1)
    tab.goto(f"{served}?session=ended")
    (first,) = held(tab, waiting)
    # While it is made, nobody is shown how to begin another interview.
    expect(tab.locator("#masthead")).to_be_visible()
    expect(tab.get_by_role("button", name="Start the interview")).to_be_hidden()
    first.continue_()
    expect(tab.locator("#report-body")).to_contain_text(ATTACK)
    expect(tab.locator("#report-notes")).to_contain_text(ATTACK)
    expect(tab.locator("#settling")).to_contain_text(ATTACK)
    tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    tab.get_by_role("button", name="The marks of this interview").click()
    tab.get_by_label("Practice one question").click()
    expect(tab.get_by_role("option").nth(1)).to_contain_text("<img src=x onerror=alert(2)>")
    tab.keyboard.press("Escape")
    accessible(tab)


def reach(tab: Page, element: str) -> None:
    """Go there with the Tab key alone."""
    for _ in range(80):
        tab.keyboard.press("Tab")
        if tab.evaluate("(wanted) => document.activeElement?.matches(wanted)", element):
            return
    pytest.fail(f"The Tab key does not lead to {element}.")


def test_an_interview_is_held_by_keyboard_alone(served: str, tab: Page) -> None:
    tab.goto(served)
    expect(tab.get_by_role("button", name="Start the interview")).to_be_visible()
    reach(tab, "#start")
    tab.keyboard.press("Enter")
    expect(tab.locator("#progress")).to_contain_text("Warm-up")
    tab.wait_for_function("location.search.includes('session=')")
    reach(tab, "#answer textarea")
    tab.keyboard.type("I wrote a data loader.")
    tab.keyboard.press("Control+Enter")
    expect(tab.locator("#progress")).to_contain_text("Question 1")
    expect(tab.get_by_label("Your answer")).to_be_focused()
    reach(tab, "#hint")
    tab.keyboard.press("Enter")
    expect(tab.locator(".turn.hint")).to_have_count(1)
    reach(tab, "#pause")
    tab.keyboard.press("Enter")
    expect(tab.locator("#question")).to_contain_text("The clock is stopped")
    expect(tab.locator("#pause")).to_have_text("Resume")
    tab.keyboard.press("Enter")
    expect(tab.locator("#pause")).to_have_text("Pause")
    expect(tab.locator("#question")).not_to_contain_text("The clock is stopped")
    reach(tab, "#end")
    tab.keyboard.press("Enter")
    tab.wait_for_function("['Interview report', 'has moved on'].some(said => document.body.innerText.includes(said))")
    if tab.get_by_text("The interview has moved on").count():
        # On a busy machine End may come before the page knows that the clock runs again: one tries again, as told.
        reach(tab, "#end")
        tab.keyboard.press("Enter")
    expect(tab.locator("#report-body")).to_contain_text("Interview report")
    reach(tab, "#download-html")


@pytest.mark.by_number("interviewer/web")
def test_where_one_logs_in(browser: Browser, tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=5.0) as nobody,
    ):
        page = build_page(nobody, SHELF, Warmup([]), journal, lambda files: IngestReport(files=(), questions=()))
        url = launch_page(page, port=free_port(), accounts=Accounts(["ada:correct horse"]))
        tab = browser.new_page(reduced_motion="reduce")
        tab.on("dialog", lambda dialog: pytest.fail(dialog.message))
        tab.goto(url)
        expect(tab.get_by_label("username")).to_be_visible()
        tab.get_by_label("username").fill(ATTACK)
        tab.get_by_label("password").fill(ATTACK)
        tab.keyboard.press("Enter")
        expect(tab.get_by_text("Incorrect Credentials")).to_be_visible()
        untouched(tab)
        accessible(tab, but=OF_GRADIO)
        tab.get_by_label("username").fill("ada")
        tab.get_by_label("password").fill("correct horse")
        tab.keyboard.press("Enter")
        expect(tab.get_by_role("button", name="Start the interview")).to_be_visible()
        tab.context.close()
        page.close(verbose=False)
