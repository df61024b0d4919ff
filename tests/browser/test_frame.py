"""Where things stand while an interview is held: measured after every action, wide and narrow, by mouse and by keys."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from interviewer.web.view_state import warm_up_html
from knowledge.bank.parser import load_bank
from knowledge.ingestion.pipeline import IngestReport
from rubric.coding.verifier import Verifier
from rubric.model import Verdict
from serving.llm.vllm_server import free_port
from serving.warmup import Warmup
from tests.browser.conftest import MARKS
from tests.browser.test_coding import QUESTION, RAN_MS
from tests.interviewer.builders import KeywordGrader, Shelf
from tests.interviewer.report.hour import Hour

pytestmark = MARKS

TALKED = ("autograd-leaf-grad", "autograd-accumulate-zero-grad", "autograd-engine-graph", "training-mixed-precision")
LAST, AFTER = "ddp-gradient-sync", "kv-cache-memory"
PLACES = """() => {
    const of = (element) => {
        const box = element?.getBoundingClientRect();
        return box && box.height ? [box.top, box.bottom] : null;
    };
    const names = ["question", "code", "code-actions", "result", "transcript", "answer", "actions", "last-said"];
    const whole = document.documentElement;
    return {
        scrolled: [scrollX, scrollY],
        sticks: [whole.scrollWidth - innerWidth, whole.scrollHeight - innerHeight],
        height: innerHeight,
        focus: document.activeElement?.closest("[id]")?.id,
        said: of([...document.querySelectorAll("#transcript .turn.they:not(.brief)")].at(-1)),
        ...Object.fromEntries(names.map((name) => [name, of(document.getElementById(name))])),
    };
}"""


class Loading(NamedTuple):
    """A step of the loading, in the middle of it."""

    name: str
    detail: str
    progress: float | None = 0.4
    state: Literal["waiting", "running", "done", "failed"] = "running"
    message: str = ""


def after_four() -> Hour:
    """Four questions are done, and marked at length, a point of each missing; the fifth is open."""
    plan = Plan(question_ids=(*TALKED, LAST, QUESTION, AFTER), length=7, follow_ups=1, editor=True, role="")
    tell = Hour(plan, datetime.now(UTC) - timedelta(minutes=30))
    bank = {question.id: question for question in load_bank()}
    for name in TALKED:
        asked = tell.ask(bank[name])
        rubric = bank[name].rubric
        assert rubric is not None
        words = [criterion.examples.met[0] for criterion in rubric.criteria]
        marks = [*((Verdict.MET, 0.9, each) for each in words[:-1]), (Verdict.MISSING, 0.1, "")]
        tell.grade(asked, tell.answer(asked, " ".join(words[:-1])), marks)
        tell.close(asked)
    tell.ask(bank[LAST])
    return tell


@pytest.fixture
def address(tmp_path: Path, verifier: Verifier) -> Iterator[str]:
    shelf = Shelf(load_bank())
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, shelf, KeywordGrader(), patience_s=30.0, verifier=verifier) as service,
    ):
        for event in after_four().events:
            journal.append("fifth", event)
        page = build_page(service, shelf, Warmup([]), journal, lambda files: IngestReport(files=(), questions=()))
        yield f"{launch_page(page, port=free_port())}?session=fifth"
        page.close(verbose=False)


@pytest.fixture(params=[(1280, 860), (390, 844)], ids=["wide", "narrow"])
def tab(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(address)
    expect(page.locator("#progress")).to_contain_text("Question 5 of 7")
    yield page
    context.close()


def narrow(tab: Page) -> bool:
    return tab.viewport_size is not None and tab.viewport_size["width"] < 900


def reach(tab: Page, element: str) -> None:
    """Go there with the Tab key alone, which the editor takes for itself until Escape was pressed."""
    # On a busy machine it may not be there yet when the first keys are pressed.
    expect(tab.locator(element).first).to_be_enabled()
    for _ in range(80):
        if tab.evaluate("document.activeElement?.closest('.cm-content') !== null"):
            tab.keyboard.press("Escape")
        tab.keyboard.press("Tab")
        if tab.evaluate("(wanted) => document.activeElement?.matches(wanted)", element):
            return
    pytest.fail(f"The Tab key does not lead to {element}.")


def press(tab: Page, element: str) -> None:
    """By mouse where there is room for it, else by keys alone."""
    if narrow(tab):
        reach(tab, element)
        tab.keyboard.press("Enter")
    else:
        tab.locator(element).click()


def settled(tab: Page) -> dict[str, Any]:
    """Where things stand once nothing moves any more, and the page itself never does."""
    found, before = tab.evaluate(PLACES), None
    while found != before:
        tab.wait_for_timeout(250)
        before, found = found, tab.evaluate(PLACES)
    assert found["scrolled"] == [0, 0]
    assert max(found["sticks"]) <= 0
    return dict(found)


def assert_seen(found: dict[str, Any], *names: str, least: float = 30) -> None:
    """Each of them begins in the window and is high enough there to be read."""
    for name in names:
        assert found[name] is not None, f"{name} is not shown"
        top, bottom = found[name]
        assert top >= 0, f"{name} begins above the window: {found}"
        assert min(bottom, found["height"]) - top >= least, f"{name} lies out of the window: {found}"


def assert_heard(tab: Page, found: dict[str, Any]) -> None:
    """What the interviewer said last is in view, in the conversation or in the line above the code."""
    if narrow(tab) and found["code"]:
        # A question that was just put stands on paper right below.
        assert_seen(found, "question" if tab.locator("#last-said.sr-only").count() else "last-said")
        assert tab.locator("#last-said").inner_text() == tab.locator(".turn.they:not(.brief) .said").last.text_content()
        return
    assert_seen(found, "said", "transcript", "answer")
    assert found["transcript"][0] <= found["said"][0] + 1
    assert min(found["said"][1], found["transcript"][1]) - found["said"][0] >= 40


def test_code_is_written_run_and_submitted_in_view_after_five_questions(tab: Page) -> None:
    assert_heard(tab, settled(tab))
    press(tab, "#skip")
    expect(tab.locator("#progress")).to_contain_text("Question 6 of 7")
    expect(tab.locator("#code .cm-content")).to_contain_text("def focal_loss")
    come = settled(tab)
    assert_seen(come, "question", "code", "code-actions", "result")
    assert_heard(tab, come)

    press(tab, "#run")
    expect(tab.locator("#result")).to_contain_text("1 of 2 tests passed", timeout=RAN_MS)
    ran = settled(tab)
    assert_seen(ran, "question", "code", "code-actions", "result", least=36)
    assert ran["focus"] == "run"
    assert ran["code"][0] == come["code"][0]
    assert ran["result"][0] > ran["code"][1]
    assert ran["result"][1] <= ran["height"]

    press(tab, "#submit")
    expect(tab.locator("#transcript")).to_contain_text("I ran your code", timeout=RAN_MS)
    submitted = settled(tab)
    assert_seen(submitted, "question", "code", "code-actions", "result", least=36)
    assert submitted["focus"] == "submit"
    assert_heard(tab, submitted)

    if narrow(tab):
        press(tab, "[data-pane-to=talk]")
    press(tab, "#hint")
    expect(tab.locator(".turn.hint")).to_have_count(1)
    assert_heard(tab, settled(tab))
    if narrow(tab):
        press(tab, "#more-actions")
    press(tab, "#back")
    expect(tab.locator("#transcript")).to_contain_text("go back to question five")
    assert_heard(tab, settled(tab))
    if narrow(tab):
        press(tab, "[data-pane-to=work]")
    press(tab, "#finish")

    # The question that was left comes once more, at the end of what was said.
    expect(tab.locator("#transcript h2").last).to_have_text("Question 5, again")
    expect(tab.locator("#progress")).to_contain_text("Question 5 of 7, again")
    again = settled(tab)
    assert_seen(again, "question")
    assert_heard(tab, again)


NARROW = pytest.mark.parametrize("tab", [(390, 844)], ids=["narrow"], indirect=True)


@pytest.mark.by_number("interviewer/web")
def test_a_statement_that_goes_on_below_says_so_until_one_is_there(tab: Page) -> None:
    press(tab, "#skip")
    expect(tab.locator("#code .cm-content")).to_contain_text("def focal_loss")
    statement = tab.locator("#question")
    expect(statement).to_contain_text("focal")
    settled(tab)
    tab.set_viewport_size({**(tab.viewport_size or {}), "height": 620})
    expect(statement).to_have_attribute("data-below", "")
    statement.evaluate("(area) => area.scrollTo(0, area.scrollHeight)")
    expect(statement).not_to_have_attribute("data-below", "")


CUT_OFF = """() => [...document.querySelectorAll("#question, #result, #code")].flatMap((part) => {
    const [box, column] = [part.getBoundingClientRect(), part.closest(".aside").getBoundingClientRect()];
    const after = document.getElementById("notes-fold").getBoundingClientRect();
    const inside = box.bottom <= after.top && box.right <= column.right;
    const whole = getComputedStyle(part).borderBottomWidth !== "0px" && inside;
    const wide = [part, ...part.querySelectorAll(".cm-scroller")].some((each) => each.scrollWidth > each.clientWidth);
    return whole && !wide ? [] : [part.id];
})"""

ONE_ABOVE_THE_OTHER = """(names) => {
    const seen = (each) => each.getBoundingClientRect().height > 0;
    const boxes = names.map((name) => [...document.querySelectorAll(name)].find(seen).getBoundingClientRect());
    const below = boxes.slice(1).every((box, at) => box.top >= boxes[at].bottom);
    return below && boxes.every((box) => box.right <= innerWidth);
}"""


@pytest.mark.by_number("interviewer/web")
@NARROW
def test_on_a_telephone_the_question_and_the_conversation_have_most_of_the_screen(tab: Page) -> None:
    found = settled(tab)
    shown = sum(bottom - top for top, bottom in (found["question"], found["transcript"]))
    assert shown >= 0.62 * found["height"]
    assert_seen(found, "answer", "actions")
    assert found["actions"][1] <= found["height"]
    expect(tab.locator("#sure")).to_be_hidden()
    tab.get_by_label("Your answer").fill("The gradients are averaged.")
    expect(tab.get_by_label("Fairly sure")).to_be_attached()
    tab.get_by_label("Your answer").fill(
        "Each rank averages the gradients of its own batch with those of all others. " * 5
    )
    assert tab.get_by_label("Your answer").evaluate("box => box.clientHeight") > 140
    assert_seen(settled(tab), "said", "answer", "actions")

    expect(tab.get_by_role("button", name="Pause")).to_be_hidden()
    more = tab.get_by_role("button", name="More", exact=True)
    more.click()
    expect(more).to_have_attribute("aria-expanded", "true")
    tab.get_by_role("button", name="Pause").click()
    # Whoever has paused sees how to go on, after a reload too.
    expect(tab.get_by_role("button", name="Resume")).to_be_visible()
    tab.reload()
    tab.get_by_role("button", name="Resume").click()
    expect(tab.get_by_role("button", name="Send")).to_be_enabled()
    settled(tab)


@pytest.mark.by_number("interviewer/web")
def test_nothing_beside_the_code_is_cut_off(tab: Page) -> None:
    settled(tab)
    press(tab, "#skip")
    expect(tab.locator("#code .cm-content")).to_contain_text("def focal_loss")
    press(tab, "#run")
    expect(tab.locator("#result")).to_contain_text("1 of 2 tests passed", timeout=RAN_MS)
    settled(tab)
    assert tab.evaluate(CUT_OFF) == []


@pytest.mark.by_number("interviewer/web")
@NARROW
def test_on_a_telephone_what_is_being_loaded_is_told_in_full(tab: Page, address: str) -> None:
    detail = "the weights of the judge, 1.2 of 3.1 GB, from a place far away from here"
    told = warm_up_html([Loading("The model that grades", detail)])
    for at in (address, address.partition("?")[0]):
        tab.goto(at)
        expect(tab.locator(".status.ready")).to_be_attached()
        expect(tab.locator("html.opening")).to_have_count(0)
        expect(tab.locator("#progress, #setup").filter(visible=True)).to_have_count(1)
        tab.evaluate("(html) => { document.querySelector('#warm-up .status').outerHTML = html; }", told)
        said = tab.locator(".status .said")
        expect(said).to_contain_text(detail)
        assert said.evaluate("(it) => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight")
        assert tab.evaluate(ONE_ABOVE_THE_OTHER, ["#masthead header", ".status", "#progress, #setup"])


@pytest.mark.by_number("interviewer/web")
@NARROW
def test_a_mark_is_disputed_where_it_stands(tab: Page) -> None:
    claims = tab.locator("button.claim")
    expect(claims).to_have_count(len(TALKED))
    press(tab, "button.claim")
    expect(tab.locator("#transcript")).to_contain_text("You told us you made this point.")
    expect(claims).to_have_count(len(TALKED) - 1)
    settled(tab)


CARD_ABOVE = """() => {
    const card = document.createElement("div");
    card.style.height = "900px";
    [...document.querySelectorAll("#transcript .turn.they:not(.brief)")].at(-1).before(card);
    window.interviewer.framed();
}"""


@pytest.mark.by_number("interviewer/web")
def test_a_card_of_marks_that_comes_in_above_a_question_leaves_the_question_in_view(tab: Page) -> None:
    settled(tab)
    # As in the middle of a smooth scroll to the question.
    tab.evaluate("document.getElementById('transcript').scrollTo({ top: 0, behavior: 'instant' })")
    tab.wait_for_timeout(100)
    tab.evaluate(CARD_ABOVE)
    assert_heard(tab, settled(tab))


@pytest.mark.by_number("interviewer/web")
def test_who_reads_further_up_stays_there_while_marks_come_in(tab: Page) -> None:
    top = "document.getElementById('transcript').scrollTop"
    settled(tab)
    at_end = tab.evaluate(top)
    tab.locator("#transcript").hover()
    tab.mouse.wheel(0, -2000)
    settled(tab)
    read = tab.evaluate(top)
    assert read < at_end
    tab.evaluate(CARD_ABOVE)
    settled(tab)
    assert tab.evaluate(top) == read
