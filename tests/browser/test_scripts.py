"""A table of scripts, put into every field that a person or a document can fill: none of them runs anywhere."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from interviewer.engine.service import InterviewService
from interviewer.planning import candidate_background
from interviewer.session.events import NotesWritten
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan, SegmentKind
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.accounts import Accounts
from interviewer.web.controller import PageController
from interviewer.web.login_throttle import FREE_OF_NAME, LoginThrottle
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from interviewer.web.workspace import Workspace
from knowledge.ingestion.pipeline import FileReport, IngestReport, Outcome
from knowledge.model import Kind, Question, Source
from rubric.coding.result import CodeResult, CodeStatus, CodeTest, FailingCase
from rubric.coding.task import CodeTestKind
from rubric.model import Verdict
from serving import paths
from serving.llm.vllm_server import free_port
from serving.warmup import Warmup
from tests.browser.conftest import MARKS
from tests.browser.test_views import coding
from tests.interviewer.builders import KeywordGrader, Shelf
from tests.interviewer.report.hour import Hour
from tests.interviewer.report.sample_session import question

pytestmark = [*MARKS, pytest.mark.by_number("interviewer/web")]

PAYLOADS = (
    "<script>hit(1)</script>",
    "<img src=x onerror=hit(2)>",
    "<svg onload=hit(3)>",
    "<svg><script>hit(4)</script></svg>",
    "<svg><animate onbegin=hit(5) attributeName=x dur=1s>",
    "<body onload=hit(6)>",
    "<input autofocus onfocus=hit(7)>",
    "<details open ontoggle=hit(8)>",
    "<video><source onerror=hit(9)></video>",
    "<iframe srcdoc='<script>parent.hit(10)</script>'></iframe>",
    "<iframe src=javascript:parent.hit(11)></iframe>",
    "<math><mtext><table><mglyph><style><img src=x onerror=hit(12)>",
    "<noscript><p title='</noscript><img src=x onerror=hit(13)>'>",
    "</textarea><img src=x onerror=hit(14)>",
    "</title></style></script><img src=x onerror=hit(15)>",
    '" autofocus onfocus=hit(16) x="',
    "' onmouseover='hit(17)' x='",
    "`onmouseover=hit(18)`",
    "[a link](javascript:hit(19))",
    "[a link](&#106;avascript:hit(20))",
    "<javascript:hit(21)>",
    '![a picture](x" onerror="hit(22))',
    "[a link](data:text/html,<script>hit(23)</script>)",
    "${hit(24)}",
    "{{constructor.constructor('hit(25)')()}}",
    "{{#each this}}{{hit 26}}{{/each}} <%= hit(26) %>",
    "$\\href{javascript:hit(27)}{x}$ \\(\\htmlData{onclick=hit(27)}{x}\\)",
    "```html\n<img src=x onerror=hit(28)>\n```",
    "&lt;img src=x onerror=hit(29)&gt;",
    "\u003cimg src=x onerror=hit(30)\u003e\u2028<img src=x onerror=hit(30)>",
    "-->]]><img src=x onerror=hit(31)>",
    "<base href=//evil.example><form action=javascript:hit(32)><button>x</button></form>",
    "<style>@import 'javascript:hit(33)'; * { background: url(javascript:hit(33)) }</style>",
    "<a href=java\tscript:hit(34)>x</a><meta http-equiv=refresh content='0;url=javascript:hit(34)'>",
    "<object data=javascript:hit(35)></object><embed src=javascript:hit(35)>",
)
ALL = " ".join(PAYLOADS)
FEW = tuple(" ".join(PAYLOADS[at::7]) for at in range(7))
"""The same, several together: what takes less long to be drawn."""

FILE = "<img src=x onerror=hit(40)>.md"
WATCH = """
window.hits = [];
window.hit = (which) => { window.hits.push(which); return ""; };
for (const name of ["alert", "confirm", "prompt"]) window[name] = () => window.hits.push(name);
"""
FOUND = r"""() => [...document.querySelectorAll("*")].filter(({ attributes }) => [...attributes].some(
    ({ name, value }) => (/^on/i.test(name) && /hit/.test(value))
        || (/^(href|src|action|data|srcdoc|formaction)$/i.test(name) && /hit\(/.test(value))
)).map((element) => element.outerHTML.slice(0, 200))"""


def asking(number: int, payload: str, kind: Kind = Kind.CONCEPT) -> Question:
    return question(
        f"q-{number}",
        [("first", f"One. {payload}", 1), ("second", f"Two. {payload}", 1)],
        topic=f"topic {payload}",
        text=f"What is it? {payload}",
        spoken=f"What is it? {payload}",
        reference=f"A step. {payload}",
        why_it_matters=payload,
        misconception=payload,
        hint=payload,
        kind=kind,
        source=Source(path=f"{number}{FILE}", line=1, section=(payload,)),
        reading=(payload,),
    )


def told(length: int) -> Hour:
    plan = Plan(length=length, follow_ups=1, editor=True, minutes=30)
    return Hour(plan, datetime.now(UTC) - timedelta(minutes=3))


def answered(tell: Hour, number: int, payload: str) -> str:
    """One question, with everything that can be said about it."""
    asked = tell.ask(asking(number, payload))
    answer = tell.answer(asked, f"{payload} It is a step.")
    marks = [(Verdict.MET, 0.9, "It is a step."), (Verdict.PARTIAL, 0.5, payload)]
    tell.grade(asked, answer, marks, unsure=["second"])
    tell.hint(asked, payload)
    tell.follow_up(asked, FollowUpKind.MISSING, "second", payload)
    return asked


def ended(payloads: tuple[str, ...]) -> Hour:
    tell = told(len(payloads))
    tell.talk(SegmentKind.WARM_UP, f"You wrote: {ALL}", (ALL, ALL, FILE))
    for number, payload in enumerate(payloads, 1):
        asked = answered(tell, number, payload)
        tell.close(asked)
        if number % 4 == 0:
            short = PAYLOADS[number]
            tell.override(asked, "first", Verdict.MISSING, short, short)
            tell.second(tell.dispute(asked, "first", short), "It is a step.", Verdict.MET, 0.9, meets=payload)
    tell._add(NotesWritten, "notes", text=ALL)
    tell.end()
    return tell


def open_still() -> Hour:
    tell = told(len(FEW) + 1)
    for number, payload in enumerate(FEW, 1):
        asked = answered(tell, number, payload)
        if number < len(FEW):
            tell.close(asked)
    tell._add(NotesWritten, "notes", text=ALL)
    return tell


def designed() -> Hour:
    tell = told(2)
    asked = tell.ask(asking(1, ALL, Kind.SYSTEM_DESIGN))
    tell.answer(asked, f"In two stages.\n\nOutline:\n{ALL}\n  {ALL}")
    return tell


def coded() -> Hour:
    """Code that printed scripts, and was told of in them."""
    tell = told(2)
    asked = tell.ask(coding())
    tests = tuple(
        CodeTest(
            name=f"test{number}", kind=CodeTestKind.EXAMPLE, title=payload, status=CodeStatus.MISMATCH,
            message=payload, cases=1, failing=(FailingCase(put_in=payload, expected=payload, got=payload),),
        )
        for number, payload in enumerate(PAYLOADS)
    )  # fmt: skip
    result = CodeResult(
        status=CodeStatus.MISMATCH, tests=tests, message=ALL, printed=ALL, errors=ALL, isolation="bubblewrap"
    )
    tell.ran(asked, f"# {' '.join(ALL.split())}", result, submitted=True)
    return tell


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("scripts")
    home = paths.made(folder / "home")
    candidate_background.keep(candidate_background.Background(topics=PAYLOADS, opening=ALL), home)
    shelf = Shelf([asking(number, payload) for number, payload in enumerate(PAYLOADS, 1)])
    failed = FileReport(path=FILE, outcome=Outcome.FAILED, why=f"{FILE} {ALL} cannot be read.", hint=ALL)
    report = IngestReport(questions=shelf.questions())

    def ingest(files: list[Path]) -> IngestReport:
        return IngestReport(files=(failed,)) if "bad" in files[0].read_text() else report

    with (
        Journal(folder / "journal.db") as journal,
        InterviewService(journal, shelf, KeywordGrader(), patience_s=5.0) as service,
    ):
        held = {
            "few": ended(FEW),
            "each": ended(PAYLOADS),
            "open": open_still(),
            "designed": designed(),
            "coded": coded(),
        }
        for name, tell in held.items():
            for event in tell.events:
                journal.append(name, event)
        place = Workspace(PageController(service, journal), shelf, ingest, home=lambda: home)  # type: ignore[arg-type]
        page = build_page(service, shelf, Warmup([]), journal, ingest, here=lambda: place)  # type: ignore[arg-type]
        yield launch_page(page, port=free_port())
        page.close(verbose=False)
    gc.collect()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce", accept_downloads=True)
    context.add_init_script(WATCH)
    page = context.new_page()
    wrong: list[str] = []
    page.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
    page.on(
        "request", lambda asked: wrong.append(asked.url) if urlsplit(asked.url).hostname == "evil.example" else None
    )
    yield page
    context.close()
    assert wrong == []


def quiet(tab: Page) -> None:
    """No script ran, and nothing stands in the page that would."""
    assert tab.evaluate("window.hits") == []
    assert tab.evaluate(FOUND) == []


def test_the_watch_sees_scripts_that_do_run(tab: Page) -> None:
    tab.goto("about:blank")
    tab.evaluate("(html) => document.write(html)", "<!doctype html><p>harmless</p>" + PAYLOADS[1] + PAYLOADS[0])
    tab.wait_for_function("window.hits.length >= 2")
    assert set(tab.evaluate("window.hits")) == {1, 2}
    assert len(tab.evaluate(FOUND)) == 1
    for each in PAYLOADS[15:17]:
        tab.evaluate("(html) => document.body.insertAdjacentHTML('beforeend', html)", f'<input value="{each}">')
    assert len(tab.evaluate(FOUND)) >= 2


@pytest.mark.by_number("interviewer/web")
def test_no_script_runs_where_an_interview_is_chosen_and_held(served: str, tab: Page, tmp_path: Path) -> None:
    tab.goto(f"{served}?session={quote(ALL)}#{quote(ALL)}")
    expect(tab.locator("#setup-note")).to_contain_text("There is no interview at this address.")
    expect(tab.locator("#known")).to_contain_text(PAYLOADS[1])
    expect(tab.locator("#history .standing")).to_contain_text(PAYLOADS[1])
    tab.get_by_role("button", name="More options").click()
    for text, shown in (("good", "35 questions were added"), ("bad", "cannot be read")):
        (tmp_path / FILE).write_text(text)
        tab.locator("#documents input[type=file]").set_input_files(tmp_path / FILE)
        expect(tab.locator("#found")).to_contain_text(shown)
        quiet(tab)
    tab.goto(f"{served}?session=open")
    expect(tab.locator("#transcript")).to_contain_text(PAYLOADS[1])
    for each in tab.locator("#transcript summary").all():
        each.evaluate("(summary) => { summary.parentElement.open = true }")
    tab.get_by_label("Your answer").fill(ALL)
    tab.get_by_role("button", name="Send").click()
    expect(tab.locator(".turn.you .said").last).to_contain_text("hit(35)")
    quiet(tab)


@pytest.mark.by_number("interviewer/web")
@pytest.mark.parametrize(("session", "element"), [("designed", "#transcript"), ("coded", "#result")])
def test_no_script_runs_beside_a_whiteboard_or_code(served: str, tab: Page, session: str, element: str) -> None:
    tab.goto(f"{served}?session={session}")
    expect(tab.locator(element)).to_contain_text("hit(35)")
    quiet(tab)


@pytest.mark.parametrize("session", ["few", pytest.param("each", marks=pytest.mark.full)])
def test_no_script_runs_in_a_report_nor_in_its_file(served: str, tab: Page, tmp_path: Path, session: str) -> None:
    tab.goto(f"{served}?session={session}")
    expect(tab.locator("#report-body")).to_contain_text(PAYLOADS[1])
    expect(tab.locator("#settling")).to_contain_text("hit(2)")
    tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    quiet(tab)
    with tab.expect_download() as given:
        tab.locator("#download-html").click()
    given.value.save_as(tmp_path / "report.html")
    tab.goto(f"file://{tmp_path / 'report.html'}")
    expect(tab.locator("body")).to_contain_text(PAYLOADS[1])
    quiet(tab)


def test_no_script_runs_where_one_logs_in(tab: Page, tmp_path: Path) -> None:
    shelf, still = Shelf([asking(1, "harmless")]), LoginThrottle(lambda: 1000.0)
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, shelf, KeywordGrader(), patience_s=5.0) as nobody,
    ):
        page = build_page(nobody, shelf, Warmup([]), journal, lambda files: IngestReport())
        tab.goto(launch_page(page, port=free_port(), accounts=Accounts(["ada:correct horse"], still)))
        for payload in (ALL, *PAYLOADS[:3]):
            tab.get_by_label("username").fill(payload[:1000])
            tab.get_by_label("password").fill(payload)
            tab.keyboard.press("Enter")
            expect(tab.get_by_text("Incorrect Credentials")).to_be_visible()
            expect(tab.get_by_label("username")).to_have_value("")
        quiet(tab)
        # Whoever tries on is told to wait, on a page that goes back by itself.
        for _ in range(FREE_OF_NAME):
            tab.get_by_label("username").fill("ada")
            tab.get_by_label("password").fill("battery staple")
            tab.keyboard.press("Enter")
            expect(tab.get_by_label("username")).to_have_value("")
        tab.get_by_label("username").fill("ada")
        tab.get_by_label("password").fill("correct horse")
        tab.keyboard.press("Enter")
        expect(tab.get_by_text("Too many attempts to log in. Wait 1 second")).to_be_visible()
        expect(tab.get_by_label("username")).to_be_visible()
        page.close(verbose=False)
