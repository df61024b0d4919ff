"""A mentor's pages, and what a candidate is told of them. None of it needs the model server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from interviewer.engine.service import InterviewService
from interviewer.session.events import AnswerGiven
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.assignments import phrases as words
from interviewer.web.controller import PageController
from interviewer.web.dialogs.routes import DialogRoutes
from interviewer.web.mentor import phrases
from interviewer.web.mentor.access import MentorAccess
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from interviewer.web.voice.routes import VoiceRoutes
from interviewer.web.workspace import Workspace, WorkspaceRegistry
from knowledge.ingestion.pipeline import IngestReport
from serving import paths
from serving.llm.vllm_server import free_port
from serving.speech.stt.whisper import WhisperRecognizer
from serving.speech.tts.speech_cache import SpeechCache
from serving.warmup import Warmup
from tests.browser.conftest import MARKS, answer_dialog
from tests.browser.seeing import accessible, untouched
from tests.browser.test_interview import ATTACK
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.interviewer.report.sample_session import START
from tests.interviewer.web.mentor.group import LIVE, OVER, PASSWORD, SAID, Groups

pytestmark = [*MARKS, pytest.mark.by_number("interviewer/web")]

SHELF = Shelf([question("leaves", keywords=("leaf",))])
As = Callable[[str], Page]
_CELLS_IN_VIEW = """() => [...document.querySelectorAll('tbody td')].every((cell) => {
    const { left, right } = cell.getBoundingClientRect();
    return cell.dataset.label && left >= 0 && right <= innerWidth;
})"""


@pytest.fixture
def served(home: Path, voice: tuple[WhisperRecognizer, SpeechCache]) -> Iterator[tuple[str, Groups]]:
    """The page with accounts, whose mentors read their groups."""
    groups = Groups(paths.made(home), None)
    groups.fill()

    def place(folder: Path) -> Workspace:
        journal = Journal(folder / "journal.db")
        service = InterviewService(journal, SHELF, KeywordGrader(), patience_s=5.0)
        nothing = IngestReport(files=(), questions=())
        controller = PageController(service, journal)
        return Workspace(controller, SHELF, lambda _: nothing, home=lambda: folder, close=service.close)  # type: ignore[arg-type]

    profiles = WorkspaceRegistry(paths.profiles(), place)
    access = MentorAccess(groups.accounts, None, on=True, store=groups.store)
    with (
        Journal(home / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=5.0) as nobody,
    ):
        room = VoiceRoutes(*voice, nobody.state, home=lambda: profiles.here().home())
        page = build_page(
            *(nobody, SHELF, Warmup([]), journal, lambda files: []),  # type: ignore[arg-type]
            voice=room,
            here=profiles.here,
            readers=access.readers,
            assignments=access.assignments,
        )
        routes = [*room.routes(), *DialogRoutes(profiles.here, room).routes(), *access.routes(SHELF.questions)]
        yield launch_page(page, port=free_port(), routes=routes, accounts=groups.accounts), groups
        page.close(verbose=False)
        profiles.close()
        access.close()


@pytest.fixture
def as_(browser: Browser, served: tuple[str, Groups]) -> Iterator[As]:
    """A tab in which somebody has logged in; an error in a script, or a request to elsewhere, fails the test."""
    url, _ = served
    wrong: list[str] = []
    contexts = []

    def log_in(name: str) -> Page:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        contexts.append(context)
        assert context.request.post(f"{url}login", form={"username": name, "password": PASSWORD}).ok
        page = context.new_page()
        page.on("request", lambda asked: None if asked.url.startswith((url, "data:")) else wrong.append(asked.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: _answer(dialog, wrong))
        return page

    yield log_in
    for context in contexts:
        context.close()
    assert wrong == []


def _answer(dialog: Dialog, wrong: list[str]) -> None:
    """Whoever withdraws an assignment means it."""
    if dialog.message == words.SURELY:
        dialog.accept()
    else:
        answer_dialog(dialog, wrong)


def all_in_view_when_narrow(tab: Page) -> None:
    """Each cell stands within a window of 390 pixels, beside the name of its column, and nothing scrolls."""
    tab.set_viewport_size({"width": 390, "height": 844})
    accessible(tab)
    assert tab.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert tab.evaluate("() => [...document.querySelectorAll('.wide')].every((e) => e.scrollWidth <= e.clientWidth)")
    assert tab.evaluate(_CELLS_IN_VIEW)
    tab.set_viewport_size({"width": 1280, "height": 900})


def test_a_mentor_reads_follows_and_overrides_and_the_candidate_is_told(served: tuple[str, Groups], as_: As) -> None:
    url, groups = served
    hers = as_("ada")
    hers.goto(url)
    expect(hers.locator("#readers")).to_contain_text("The mentor of your group (grace) can read every interview")
    expect(hers.get_by_role("button", name="Start the interview")).to_be_visible()
    expect(hers.locator("#masthead .account")).to_have_text("ada · Log out")
    accessible(hers)
    hers.set_viewport_size({"width": 390, "height": 844})
    expect(hers.get_by_role("link", name="Log out")).to_be_in_viewport()
    assert hers.evaluate("() => document.documentElement.scrollWidth") <= 390
    hers.set_viewport_size({"width": 1280, "height": 900})

    tab = as_("grace")
    tab.goto(url)
    tab.get_by_role("link", name=phrases.TITLE).focus()
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("heading", level=1, name=phrases.TITLE)).to_be_visible()
    rows = tab.locator("tbody tr")
    expect(rows).to_have_count(2)
    accessible(tab)
    all_in_view_when_narrow(tab)

    # One that goes on: what is said next is there without a reload, and nothing in it is an element of the page.
    rows.filter(has_text="in progress").get_by_role("link").click()
    expect(tab.get_by_text(SAID)).to_be_visible()
    accessible(tab)
    with groups.journal("ada") as journal:
        journal.append(LIVE, AnswerGiven(id="a2", at=START.replace(hour=23), asked_id="q1", text=f"And {ATTACK}"))
    expect(tab.get_by_text("And <script>")).to_be_visible()
    untouched(tab)

    # One that is over: a mark is overridden by keyboard alone.
    tab.get_by_role("link", name=phrases.TITLE).click()
    tab.get_by_role("row").filter(has_text="finished").get_by_role("link").click()
    form = tab.locator("#override")
    point = form.get_by_role("combobox", name="Point", exact=True)
    accessible(tab)
    weak = point.locator("option").filter(has_not_text="(met)").first.get_attribute("value")
    point.select_option(weak)
    form.get_by_role("combobox", name="Mark", exact=True).select_option("met")
    form.get_by_label("Reason").focus()
    tab.keyboard.type(f"Said in other words. {ATTACK}")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("status")).to_have_text(phrases.OVERRIDDEN)
    expect(tab.get_by_role("button", name="Override the mark")).to_be_focused()
    untouched(tab)
    tab.set_viewport_size({"width": 390, "height": 844})
    assert tab.evaluate("() => document.documentElement.scrollWidth") <= 390

    hers.goto(f"{url}?session={OVER}")
    number = str(weak).partition(":")[0]
    hers.locator(f"#report-q{number} > summary").click()
    expect(hers.locator(f"#report-q{number}").get_by_text("Overridden by grace")).to_be_visible()
    expect(hers.locator(f"#report-q{number}").get_by_text("Said in other words.")).to_be_visible()
    untouched(hers)

    # Another group's mentor finds nothing at the same address.
    other = as_("alan")
    answer = other.goto(f"{url}group/interview?candidate=ada&session={OVER}")
    assert answer is not None
    assert answer.status == 404
    expect(other.get_by_text(phrases.NOT_THERE)).to_be_visible()
    accessible(other)


def test_an_assignment_is_given_started_finished_followed_and_withdrawn(served: tuple[str, Groups], as_: As) -> None:
    url, _ = served
    tab = as_("grace")
    tab.goto(url)
    tab.get_by_role("link", name=words.TITLE).click()
    expect(tab.get_by_text(words.NONE_YET)).to_be_visible()
    tab.get_by_role("link", name=words.GIVE).click()
    accessible(tab)
    tab.get_by_label("Title").fill(f"Autograd basics {ATTACK}")
    tab.get_by_label("Due").fill(f"{datetime.now() + timedelta(days=3):%Y-%m-%dT18:00}")
    expect(tab.locator("[data-zone]")).to_have_text(tab.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone"))
    tab.get_by_label("Note for candidates").fill("Read the tutorial first.")
    tab.get_by_label("These candidates only").check()
    tab.get_by_role("checkbox", name="ada").check()
    tab.get_by_role("button", name=words.GIVE).click()
    expect(tab.get_by_role("status").filter(has_text="The agenda is empty.")).to_be_visible()
    # The editor is that of the set-up page: drawn up, then changed by hand.
    tab.get_by_role("button", name=words.DRAW_UP).click()
    expect(tab.locator("#agenda-rows li")).to_have_count(1)
    tab.get_by_label("Minutes of question 1").fill("7")
    expect(tab.locator("#agenda-rows .sum")).to_have_text("7 minutes planned.")
    tab.get_by_label(words.TALKS).uncheck()
    tab.get_by_label("Tries per candidate").fill("1")
    accessible(tab)
    tab.set_viewport_size({"width": 390, "height": 844})
    assert tab.evaluate("() => document.documentElement.scrollWidth") <= 390
    tab.get_by_role("button", name=words.GIVE).click()
    expect(tab.get_by_role("heading", level=1, name="Autograd basics")).to_be_visible()
    rows = tab.locator("tbody tr")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("not begun")
    all_in_view_when_narrow(tab)
    tab.set_viewport_size({"width": 390, "height": 844})
    accessible(tab)
    untouched(tab)
    followed = tab.url

    hers = as_("ada")
    hers.goto(url)
    card = hers.locator("#assigned")
    expect(card).to_contain_text("about 7 minutes, 1 question. Given by grace.")
    expect(card).to_contain_text("You can start it 1 time.")
    expect(card).to_contain_text("Read the tutorial first.")
    expect(card).to_contain_text(f"{words.FIXED} It is read by grace, while it goes on and afterwards.")
    accessible(hers)
    untouched(hers)
    hers.set_viewport_size({"width": 390, "height": 844})
    assert hers.evaluate("() => document.documentElement.scrollWidth") <= 390
    hers.set_viewport_size({"width": 1280, "height": 900})
    card.get_by_role("button", name="Start: Autograd basics").click()
    expect(hers.locator("#question")).to_contain_text("What is leaves?")

    tab.goto(f"{url}group/assignments")
    expect(rows).to_contain_text("1 in progress")
    all_in_view_when_narrow(tab)
    tab.goto(followed)
    expect(rows).to_contain_text("in progress")
    hers.get_by_role("button", name="End", exact=True).click()
    expect(hers.locator("#report")).to_be_visible()
    hers.goto(url)
    expect(card.get_by_role("link", name="Open the report: Autograd basics")).to_be_visible()
    expect(card).to_contain_text("You have used all your tries.")
    expect(card.get_by_role("button")).to_have_count(0)
    accessible(hers)

    tab.reload()
    expect(rows).to_contain_text("ended early, 0 of 1 answered")
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.get_by_role("button", name=words.CLOSE).click()
    expect(tab.get_by_role("status")).to_have_text(words.CLOSED)
    tab.get_by_role("button", name=words.WITHDRAW).click()
    expect(tab.get_by_text(words.IS_WITHDRAWN)).to_be_visible()
    expect(rows).to_contain_text("ended early, 0 of 1 answered")
    accessible(tab)
    hers.reload()
    expect(hers.get_by_role("button", name="Start the interview")).to_be_visible()
    expect(card).to_be_hidden()

    # The other candidate of the group was never given it, and another mentor finds nothing at its address.
    for name, there in (("new", url), ("alan", followed)):
        other = as_(name)
        other.goto(there)
        expect(other.locator("body")).not_to_contain_text("Autograd basics")


def test_whoever_logs_out_is_asked_to_log_in(served: tuple[str, Groups], as_: As) -> None:
    url, _ = served
    tab = as_("eve")
    tab.goto(url)
    tab.get_by_role("link", name="Log out").click()
    expect(tab.get_by_label("username")).to_be_visible()
    assert tab.request.get(f"{url}settings").status == 401
