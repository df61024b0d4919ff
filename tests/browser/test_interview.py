from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from interviewer.session.events import AnswerGiven
from interviewer.session.state import State
from interviewer.web.views.interview.handlers import InterviewView
from knowledge.model import Question
from rubric.model import Verdict
from tests.browser.conftest import MARKS, RunningPage
from tests.interviewer.report.sample_session import Telling, question

# Gradio leaves event loops and their sockets to the garbage collector.
pytestmark = MARKS

ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)> **bold** {{#if}} ${alert(3)}"
GRADED_MS = 60_000


def session_of(tab: Page) -> str:
    return parse_qs(urlsplit(tab.url).query)["session"][0]


def state_of(running: RunningPage, tab: Page) -> State:
    return running.service.state(session_of(tab))


def begin(running: RunningPage, tab: Page, *, length: int = 3) -> Question:
    tab.goto(running.url)
    tab.get_by_label("By number of questions").check()
    tab.get_by_label("number input for Number of questions").fill(str(length))
    tab.get_by_role("button", name="More options").click()
    tab.get_by_label("Concept").check()
    tab.get_by_label("number input for Follow-ups").fill("1")
    tab.get_by_label("Warm-up first").uncheck()
    tab.get_by_role("button", name="Start the interview").click()
    expect(tab.locator(".turn.they").first).to_be_visible()
    tab.wait_for_function("location.search.includes('session=')")
    current = state_of(running, tab).current
    assert current is not None
    return current.question


def met(question: Question, *which: int) -> str:
    assert question.rubric is not None
    return " ".join(question.rubric.criteria[place].examples.met[0] for place in which)


def send(tab: Page, text: str) -> None:
    tab.get_by_label("Your answer").fill(text)
    tab.get_by_role("button", name="Send").click()


def said_in_report(tab: Page) -> str:
    """The first answer as the report shows it, without the verdicts that stand between its words."""
    words = tab.locator("#report-body .turn.person .words").first
    said: str = words.evaluate(
        "shown => { const copy = shown.cloneNode(true);"
        " copy.querySelectorAll('.tag').forEach(tag => tag.remove()); return copy.textContent.trim(); }"
    )
    return said


def test_a_whole_interview(running_page: RunningPage, tab: Page, tmp_path: Path) -> None:
    question = begin(running_page, tab)
    assert question.rubric is not None
    expect(tab.locator("#progress")).to_contain_text("Question 1 of 3")

    first = met(question, 0)
    send(tab, first)
    expect(tab.locator(".turn.you")).to_have_text(f"You{first}")
    expect(tab.locator("#transcript")).to_contain_text("being graded")
    expect(tab.get_by_label("Your answer")).to_have_value("")
    expect(tab.locator("#transcript")).to_contain_text("Interviewer, follow-up", timeout=GRADED_MS)
    expect(tab.locator(".marks")).to_contain_text("So far")

    tab.get_by_role("button", name="Hint").click()
    expect(tab.locator(".turn.hint")).to_have_count(1)
    tab.get_by_role("button", name="Repeat").click()
    expect(tab.locator("#transcript")).to_contain_text("Interviewer, repeating")

    tab.get_by_label("Your answer").fill(met(question, 1))
    tab.get_by_label("Your answer").press("Control+Enter")
    expect(tab.locator("#progress")).to_contain_text("Question 2 of 3", timeout=GRADED_MS)
    marks = tab.locator("#transcript section").first.locator(".marks li")
    expect(marks).to_have_count(len(question.rubric.criteria))
    expect(marks.locator(".verdict", has_text="met").first).to_be_visible()
    quotes = tab.locator(".marks blockquote").all_inner_texts()
    said = "\n\n".join(answer.text for answer in state_of(running_page, tab).asked[0].answers)
    assert quotes
    assert all(quote in said for quote in quotes)

    tab.get_by_role("button", name="Skip").click()
    expect(tab.locator("#progress")).to_contain_text("Question 3 of 3")
    expect(tab.locator("#transcript")).to_contain_text("You skipped this question.")
    tab.get_by_role("button", name="Go back").click()
    expect(tab.locator("#transcript")).to_contain_text("go back to question two")
    tab.get_by_role("button", name="Skip").click()
    expect(tab.locator("#progress")).to_contain_text("Question 2 of 3, again")
    tab.get_by_role("button", name="End", exact=True).click()
    expect(tab.locator("#report-body")).to_contain_text("Interview report")
    assert said_in_report(tab) == first

    with tab.expect_download() as html:
        tab.get_by_role("button", name="Download as HTML").click()
    html.value.save_as(tmp_path / "report.html")
    written = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert html.value.suggested_filename.endswith(".html")
    assert question.rubric.criteria[0].text.split("`")[0][:20] in unescape(written)
    with tab.expect_download() as data:
        tab.get_by_role("button", name="JSON").click()
    data.value.save_as(tmp_path / "report.json")
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["session_id"] == session_of(tab)
    assert len(report["questions"]) == 3
    assert len(report["questions"][0]["criteria"]) == len(question.rubric.criteria)


@pytest.mark.by_number("interviewer/session", "interviewer/web")
def test_an_interview_by_the_clock_with_its_agenda_warm_up_and_pause(running_page: RunningPage, tab: Page) -> None:
    tab.goto(running_page.url)
    tab.get_by_label("Role").click()
    tab.get_by_role("option", name="ML engineer").click()
    tab.get_by_label("15 min").check()
    tab.get_by_role("button", name="Show the agenda").click()
    agenda = tab.locator("#agenda textarea")
    expect(agenda).to_have_value(re.compile("training, concept, "))
    rows = tab.locator("#agenda-rows li")
    expect(tab.locator("#agenda-rows .sum")).to_contain_text("of 11 minutes planned")
    expect(rows.first.locator(".minutes")).to_have_text("min")
    rows.first.get_by_label("Topic of question 1").fill("distributed training")
    tab.get_by_role("button", name="Add a question").click()
    added = rows.last
    expect(added.get_by_label("Topic of question")).to_be_focused()
    added.get_by_label("Topic of question").fill("autograd")
    added.get_by_label("Kind of question").select_option("system design")
    expect(added.get_by_label("Minutes of question")).to_have_value("15")
    added.get_by_label("Kind of question").select_option("concept")
    count = rows.count()
    added.get_by_role("button", name="Move up").click()
    expect(rows.nth(count - 2).get_by_label("Topic of question")).to_have_value("autograd")
    # A longer interview keeps what was changed.
    tab.get_by_label("30 min").check()
    expect(tab.locator("#agenda-rows .sum")).to_contain_text("of 26 minutes planned. The other 4 are for")
    expect(agenda).to_have_value(re.compile("^distributed training, .*autograd, concept, 15", re.DOTALL))
    tab.get_by_label("15 min").check()
    expect(tab.locator("#agenda-rows .sum")).to_contain_text("of 11 minutes planned")
    # Told once more what they say already, the rows are not made anew: whoever presses one meanwhile presses it.
    rows.first.evaluate("(row) => { row.dataset.mark = 'same' }")
    tab.evaluate("window.interviewer.listAgenda(); new Promise((wake) => setTimeout(wake, 300))")
    assert rows.first.get_attribute("data-mark") == "same"
    for _ in range(count - 2):
        rows.first.get_by_role("button", name="Remove").click()
    rows.last.get_by_role("button", name="Remove").click()
    expect(rows).to_have_count(1)
    rows.first.get_by_label("Minutes of question 1").fill("500")
    tab.get_by_role("button", name="Start the interview").click()
    expect(tab.locator("#setup-note")).to_contain_text("“500” is not a number of minutes.")
    rows.first.get_by_label("Minutes of question 1").fill("5")
    tab.get_by_role("button", name="Start the interview").click()
    expect(tab.locator("#progress")).to_contain_text("Warm-up")
    expect(tab.locator(".clock")).to_contain_text(re.compile(r"14:\d\d left"))
    expect(tab.get_by_role("button", name="Hint")).to_be_disabled()
    tab.get_by_role("button", name="Pause").click()
    expect(tab.locator("#question")).to_contain_text("The clock is stopped")
    expect(tab.get_by_role("button", name="Send")).to_be_disabled()
    tab.get_by_role("button", name="Resume").click()
    send(tab, "I wrote a data loader.")
    expect(tab.locator("#progress")).to_contain_text("Question 1 of 1")
    assert state_of(running_page, tab).asked[0].question.topic == "autograd"
    tab.get_by_role("button", name="Skip").click()
    expect(tab.locator("#progress")).to_contain_text("Your questions")
    send(tab, "What does a leaf tensor mean in autograd?")
    expect(tab.locator(".turn.they").last).to_contain_text("are still loading")
    send(tab, "No, thank you.")
    expect(tab.locator("#report-body")).to_contain_text("Interview report")


def test_what_is_sent_as_soon_as_the_reply_is_read_counts(
    running_page: RunningPage, tab: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = begin(running_page, tab)
    at_work, over = InterviewView._outcome, Event()

    def still_at_work(view: InterviewView, *told: Any) -> Iterator[Any]:
        yield from at_work(view, *told)
        over.wait(20)

    monkeypatch.setattr(InterviewView, "_outcome", still_at_work)
    try:
        send(tab, "Could you give me a hint?")
        expect(tab.locator(".turn.they")).to_have_count(2)
        expect(tab.get_by_label("Your answer")).to_have_value("")
        send(tab, met(first, 0))
        expect(tab.locator(".turn.you").last).to_contain_text(met(first, 0))
    finally:
        over.set()


def test_what_was_typed_is_shown_as_text_everywhere(running_page: RunningPage, tab: Page) -> None:
    begin(running_page, tab)
    send(tab, ATTACK)
    expect(tab.locator(".turn.you .said")).to_have_text(ATTACK)
    expect(tab.locator("#transcript")).to_contain_text("Interviewer, follow-up", timeout=GRADED_MS)
    tab.get_by_role("button", name="End", exact=True).click()
    expect(tab.locator("#report-body")).to_contain_text(ATTACK)
    assert tab.locator("#transcript img, #transcript script, #report-body img, #report-body script").count() == 0


def test_an_interview_does_not_end_by_a_slip(running_page: RunningPage, browser: Browser) -> None:
    tab = browser.new_page()
    begin(running_page, tab)
    tab.once("dialog", lambda dialog: dialog.dismiss())
    tab.get_by_role("button", name="End", exact=True).click()
    send(tab, "Still here.")
    expect(tab.locator(".turn.you .said")).to_have_text("Still here.")
    tab.close()


@pytest.mark.by_number("interviewer/web")
def test_what_the_judge_was_unsure_of_is_settled_below_the_report(
    running_page: RunningPage, tab: Page, tmp_path: Path
) -> None:
    tell = Telling()
    asked = tell.ask(question("told", [("sure", "It waits.", 1), ("open", ATTACK, 1)], reference="It **waits**."))
    marks = [(Verdict.MET, 0.9, "It waits"), (Verdict.MET, 0.6, ATTACK)]
    tell.grade(asked, tell.answer(asked, f"It waits, {ATTACK}"), marks, unsure=["open"])
    tell.close(asked)
    tell.end()
    for event in tell.events:
        running_page.journal.append("told", event)

    tab.goto(f"{running_page.url}?session=told")
    settling = tab.locator("#settling")
    expect(settling.get_by_role("radio")).to_have_count(4, timeout=15_000)
    expect(settling).to_contain_text(ATTACK)
    assert settling.locator("img, script").count() == 0
    settling.get_by_text("Reference answer").click()
    expect(settling.locator("strong", has_text="waits")).to_be_visible()
    settling.get_by_label("Contradicted").check()
    expect(tab.locator("#report-body")).to_contain_text("self-assessed: contradicted")
    settling.get_by_label("Partly").check()
    expect(tab.locator("#report-body")).to_contain_text("self-assessed: partly met")
    with tab.expect_download() as data:
        tab.get_by_role("button", name="JSON").click()
    data.value.save_as(tmp_path / "report.json")
    found = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["questions"][0]
    assert [point["self_assessed"] for point in found["criteria"]] == [None, "partial"]
    assert (found["final"], found["self_assessed"]) == (pytest.approx(0.75), pytest.approx(0.7))
    tab.reload()
    expect(settling.get_by_label("Partly")).to_be_checked(timeout=15_000)


def test_reload_and_second_tab_return_to_the_same_place(running_page: RunningPage, tab: Page) -> None:
    begin(running_page, tab)
    send(tab, "I would look at the shapes first.")
    expect(tab.locator("#transcript")).to_contain_text("Interviewer, follow-up", timeout=GRADED_MS)
    # Not the box around it, over which Gradio may still say that it is at work.
    before = tab.locator("#transcript .transcript").inner_text()
    tab.get_by_label("Your answer").fill("half a thou")
    tab.reload()
    expect(tab.locator("#transcript .turn.you")).to_have_count(1)
    assert tab.locator("#transcript .transcript").inner_text() == before
    expect(tab.get_by_label("Your answer")).to_have_value("half a thou")
    second = tab.context.new_page()
    second.goto(tab.url)
    expect(second.locator("#transcript .turn.you")).to_have_count(1)
    second.get_by_role("button", name="Skip").click()
    expect(tab.locator("#progress")).to_contain_text("Question 2 of 3")


@pytest.mark.by_number("interviewer/web")
def test_after_a_restart_of_the_server_the_interview_goes_on(running_page: RunningPage, tab: Page) -> None:
    begin(running_page, tab)
    send(tab, "I would look at the shapes first.")
    expect(tab.locator(".turn.you")).to_have_count(1)
    url = tab.url
    tab.goto("about:blank")
    running_page.restart()
    tab.goto(running_page.url)
    tab.get_by_label("question 1 of 3").check()
    tab.get_by_role("button", name="Resume").click()
    expect(tab.locator("#transcript")).to_contain_text("Interviewer, follow-up", timeout=GRADED_MS)
    assert tab.url == url


def test_a_double_click_makes_one_answer_and_skips_one_question(running_page: RunningPage, tab: Page) -> None:
    begin(running_page, tab)
    tab.get_by_label("Your answer").fill("Only once.")
    tab.get_by_role("button", name="Send").dblclick()
    expect(tab.locator("#transcript")).to_contain_text("Interviewer, follow-up", timeout=GRADED_MS)
    turns = [turn for asked in state_of(running_page, tab).asked for turn in asked.turns]
    assert len([turn for turn in turns if isinstance(turn, AnswerGiven)]) == 1
    tab.get_by_role("button", name="Skip").dblclick()
    expect(tab.locator("#progress")).to_contain_text("Question 2 of 3")
    tab.wait_for_timeout(1_500)
    assert len(state_of(running_page, tab).asked) == 2


def test_what_is_refused_stays_in_the_box(running_page: RunningPage, tab: Page) -> None:
    begin(running_page, tab)
    long = "word " * 20_000
    tab.get_by_label("Your answer").fill(long)
    tab.get_by_role("button", name="Send").click()
    expect(tab.get_by_role("alert")).to_contain_text("can be taken")
    expect(tab.get_by_label("Your answer")).to_have_value(long)
    assert state_of(running_page, tab).asked[0].answers == ()


@pytest.mark.by_number("interviewer/web")
def test_documents_can_be_added(running_page: RunningPage, tab: Page, tmp_path: Path) -> None:
    document = tmp_path / "notes.md"
    document.write_text("# Notes\n\n## What is a hook?\n\nA function that autograd calls with a gradient.\n")
    tab.goto(running_page.url)
    expect(tab.get_by_role("button", name="Start the interview")).to_be_visible()
    tab.locator("#documents input[type=file]").set_input_files(document)
    expect(tab.locator("#found")).to_contain_text("1 question was added", timeout=GRADED_MS)
    garbage = tmp_path / "garbage.md"
    garbage.write_bytes(bytes(range(256)) * 20)
    tab.locator("#documents input[type=file]").set_input_files(garbage)
    expect(tab.locator("#found")).to_contain_text("garbage.md", timeout=GRADED_MS)


@pytest.mark.by_number("interviewer/web")
@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1400, "light")])
def test_nothing_sticks_out(running_page: RunningPage, tab: Page, width: int, scheme: str) -> None:
    tab.set_viewport_size({"width": width, "height": 800})
    tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    begin(running_page, tab)
    expect(tab.get_by_role("button", name="Send")).to_be_in_viewport()
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    if not tab.get_by_role("button", name="End", exact=True).is_visible():
        tab.get_by_role("button", name="More", exact=True).click()
    tab.get_by_role("button", name="End", exact=True).click()
    expect(tab.locator("#report-body")).to_contain_text("Interview report")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.by_number("interviewer/web")
def test_every_box_of_the_options_has_room_around_it_and_no_seconds_are_counted(
    running_page: RunningPage, tab: Page
) -> None:
    counted = "[...document.querySelectorAll('.meta-text, .meta-text-center')].filter((each) => each.checkVisibility())"
    tab.goto(running_page.url)
    seen = []
    for _ in range(30):
        seen += tab.evaluate(f"{counted}.map((each) => each.textContent.trim()).filter(Boolean)")
        tab.wait_for_timeout(50)
    tab.get_by_text("More options").click()
    expect(tab.get_by_label("Interrupt me when I ramble")).to_be_visible()
    boxes = tab.evaluate(
        "[...document.querySelectorAll('#more .checkbox-container')].map((each) => getComputedStyle(each).padding)"
    )

    assert seen == []
    assert len(boxes) == 6
    assert set(boxes) == {"8px 12px"}
