"""Design rounds: the order of stages, the change of requirements, the choice of a deep dive, and what was asked for."""

from __future__ import annotations

import pypdfium2
import pytest

from interviewer.dialogue import follow_up_words
from interviewer.planning.ability import evidence
from interviewer.policy.actions import AskFollowUp, CloseQuestion
from interviewer.policy.next_action import next_action
from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.questions import LED, question_finding
from interviewer.report.analysis.quotes import GradedText
from interviewer.report.render.html import render_html
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pdf.document import render_pdf
from interviewer.scoring.unasked_points import unasked
from interviewer.session.design_round import CHANGE_ID, DEEP_DIVE_ID, chosen_dive, dive_named, is_round
from interviewer.session.events import AnswerDeclined
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import AgendaItem, Plan
from interviewer.session.queries import graded_words, said_so_far
from knowledge.bank.parser import load_bank
from knowledge.model import Kind
from rubric.estimates import read_estimate
from rubric.model import AskedBy, Criterion, DesignStage, Rubric, Verdict
from tests.interviewer.builders import START
from tests.interviewer.report.sample_session import Telling, question

STAGE, BY = DesignStage, AskedBy
POINTS = (
    ("risk", STAGE.TRADE_OFFS, BY.PROBE),
    ("goal", STAGE.REQUIREMENTS, BY.OPENING),
    ("days", STAGE.ESTIMATE, BY.PROBE),
    ("parts", STAGE.HIGH_LEVEL, BY.OPENING),
    ("half", STAGE.HIGH_LEVEL, BY.CHANGE),
    ("cache", STAGE.DEEP_DIVE, BY.FIRST_DIVE),
    ("queue", STAGE.DEEP_DIVE, BY.SECOND_DIVE),
    ("crash", STAGE.FAILURE, BY.PROBE),
)
DIVES = ("how the cache finds a prefix", "how the queue is bounded")
CRITERIA = tuple(
    Criterion(
        id=name,
        text=f"It says {name}.",
        stage=stage,
        asked_by=by,
        probe=f"What about {name}?",
        estimate=read_estimate("40 / 2 = 20 days, within 20 %") if name == "days" else None,
    )
    for name, stage, by in POINTS
)
ROUND = question(
    "round",
    [("x", "x", 1)],
    kind=Kind.SYSTEM_DESIGN,
    minutes=30,
    change="Half of the money is gone. What now?",
    deep_dives=DIVES,
).model_copy(update={"rubric": Rubric(criteria=CRITERIA, origin="bank")})
LONG = Plan(question_ids=("round",), follow_ups=2)
MISSING, MET = Verdict.MISSING, Verdict.MET


class Round(Telling):
    """Tells a design round in which the person says what they are given."""

    def __init__(self, plan: Plan = LONG) -> None:
        super().__init__(plan)
        self.asked = self.ask(ROUND)
        self.met: set[str] = set()

    def say(self, text: str, *met: str, follow_up: str | None = None) -> None:
        self.met |= set(met)
        answer = self.answer(self.asked, text, follow_up)
        marks = [
            (MET, 0.9, text.split(maxsplit=1)[0]) if name in self.met else (MISSING, 0.05, "") for name, _, _ in POINTS
        ]
        self.grade(self.asked, answer, marks)

    def follow(self, text: str = "No idea.", *met: str) -> str:
        """Let the interviewer ask what comes next, answer it, and tell what it was."""
        action = next_action(self.state)
        if not isinstance(action, AskFollowUp):
            assert isinstance(action, CloseQuestion)
            return ""
        asked = self.follow_up(self.asked, action.kind, action.criterion_id, "And?")
        self.say(text, *met, follow_up=asked)
        return action.criterion_id

    def rest(self) -> list[str]:
        return list(iter(self.follow, ""))


def test_a_round_goes_stage_by_stage_and_the_requirements_change_before_the_deep_dive() -> None:
    tell = Round()
    tell.say("Hm.")
    assert tell.rest() == ["goal", "days", "parts", CHANGE_ID, "half", DEEP_DIVE_ID, "cache", "crash", "risk"]


def test_what_was_said_is_not_asked_for_again() -> None:
    tell = Round()
    tell.say("So.", "goal", "parts", "days", "crash")
    assert tell.rest() == [CHANGE_ID, "half", DEEP_DIVE_ID, "cache", "risk"]


def test_the_other_deep_dive_is_neither_asked_about_nor_missed() -> None:
    tell = Round()
    tell.say("So.", "goal", "parts", "days")
    assert [tell.follow(), tell.follow()] == [CHANGE_ID, "half"]
    assert tell.follow("The second one, I would bound it.") == DEEP_DIVE_ID
    assert chosen_dive(tell.state.asked[0]) is BY.SECOND_DIVE
    assert tell.rest() == ["queue", "crash", "risk"]
    (asked,) = tell.state.asked
    assert unasked(asked, asked.grades[-1].grade) == {"cache"}


def test_before_the_change_nobody_has_missed_what_it_asks_for() -> None:
    tell = Round()
    tell.say("So.", "goal")
    (asked,) = tell.state.asked
    assert unasked(asked, asked.grades[-1].grade) == {"days", "risk", "half", "cache", "queue", "crash"}


def test_a_round_that_was_skipped_tells_of_no_more_than_was_asked() -> None:
    tell = Telling(LONG)
    asked = tell.ask(ROUND)
    opening = tell.events[:]
    tell.skip(asked)
    assert [(told.credit, told.points) for told in evidence(tell.state)] == [(0.0, 2.0)]
    tell.events = opening
    tell.follow_up(asked, FollowUpKind.CHANGE, CHANGE_ID, "Half of the money is gone.")
    tell.skip(asked)
    assert [(told.credit, told.points) for told in evidence(tell.state)] == [(0.0, 3.0)]


def test_when_half_of_the_time_is_over_the_requirements_change_whatever_is_open() -> None:
    timed = Plan(length=1, minutes=30, follow_ups=2, agenda=(AgendaItem(topic="autograd", minutes=20),))
    tell = Round(timed)
    tell.say("Hm.")
    assert [tell.follow(), tell.follow()] == ["goal", "days"]
    for _ in range(4):
        tell.say("Let me think.", follow_up=None)
    assert tell.follow() == CHANGE_ID


def test_who_knows_nothing_on_two_stages_is_still_asked_about_the_others() -> None:
    tell = Round()
    tell.say("So.", "goal", "parts")
    asked = []
    while isinstance(action := next_action(tell.state), AskFollowUp):
        asked.append(action.criterion_id)
        asked_id = tell.follow_up(tell.asked, action.kind, action.criterion_id, "And?")
        declined = AnswerDeclined(
            id=f"{asked_id}:declined",
            at=tell.state.last_at or START,
            asked_id=tell.asked,
            follow_up_id=asked_id,
            words="I don't know.",
            said="That's fine.",
        )
        tell.events.append(declined)
    assert asked == ["days", CHANGE_ID, "half", DEEP_DIVE_ID, "crash", "risk"]


@pytest.mark.parametrize(
    ("minutes", "points"),
    [(20, ["goal", "days", "parts", "risk", "half"]), (None, ["goal", "days", "parts", "risk"])],
)
def test_a_short_design_asks_about_each_of_its_stages_and_by_the_clock_about_all(
    minutes: int | None, points: list[str]
) -> None:
    short = ROUND.model_copy(
        update={"change": "", "deep_dives": (), "rubric": Rubric(criteria=CRITERIA[:5], origin="bank")}
    )
    tell = Telling(LONG.model_copy(update={"minutes": minutes}))
    asked = tell.ask(short)
    tell.grade(asked, tell.answer(asked, "Hm."), [(MISSING, 0.05, "")] * 5)
    order = []
    while isinstance(action := next_action(tell.state), AskFollowUp):
        order.append(action.criterion_id)
        follow_up = tell.follow_up(asked, action.kind, action.criterion_id, "And?")
        tell.grade(asked, tell.answer(asked, "No idea.", follow_up), [(MISSING, 0.05, "")] * 5)
    assert order == points


def test_what_was_asked_about_the_requirements_is_graded_and_quoted() -> None:
    tell = Round()
    tell.clarify(tell.asked, "How many users are there?", "Take a number.")
    answer = tell.answer(tell.asked, "So, two stores.")
    (asked,) = tell.state.asked
    assert said_so_far(asked, answer) == "How many users are there?\n\nSo, two stores."
    marks = [
        (MET, 0.9, "How many users are there?") if name == "goal" else (MISSING, 0.05, "") for name, _, _ in POINTS
    ]
    tell.grade(tell.asked, answer, marks)
    goal = next(found for found in question_finding(tell.state.asked[0]).criteria if found.id == "goal")
    assert [quote.text for quote in goal.quotes] == ["How many users are there?"]
    assert tell.rest()[:2] == ["days", "parts"]


def test_what_was_asked_of_another_question_is_no_part_of_its_answer() -> None:
    tell = Telling()
    asked = tell.ask(question("other", [("x", "x", 1)]))
    tell.clarify(asked, "How many users are there?", "Take a number.")
    answer = tell.answer(asked, "Two stores.")
    assert said_so_far(tell.state.asked[0], answer) == "Two stores."


def test_marks_of_before_such_words_were_graded_keep_their_quotations() -> None:
    tell = Round()
    tell.clarify(tell.asked, "How many users are there?", "Take a number.")
    tell.say("So, two stores.")
    (asked,) = tell.state.asked
    (quote,) = GradedText("So, two stores.", graded_words(asked)).quotes([(4, 14)])
    assert quote.text == "two stores"


def test_who_wants_no_follow_ups_gets_none() -> None:
    tell = Round(LONG.model_copy(update={"follow_ups": 0}))
    tell.say("Hm.")
    assert tell.rest() == []


@pytest.mark.parametrize(
    ("said", "dive"),
    [
        ("The first one.", BY.FIRST_DIVE),
        ("I'd take the latter, because it is what I did last.", BY.SECOND_DIVE),
        ("Let's talk about the cache, how a prefix is found.", BY.FIRST_DIVE),
        ("I'll bound the queue.", BY.SECOND_DIVE),
        ("Either is fine.", None),
        ("Not the first but the second.", None),
    ],
)
def test_the_choice_is_read_from_the_first_words(said: str, dive: AskedBy | None) -> None:
    assert dive_named(said, DIVES) is dive


def test_a_choice_that_cannot_be_read_is_where_more_was_earned() -> None:
    tell = Round()
    tell.say("So.", "goal", "parts", "days", "queue")
    assert [tell.follow(), tell.follow()] == [CHANGE_ID, "half"]
    assert tell.follow("Hm.") == DEEP_DIVE_ID
    assert chosen_dive(tell.state.asked[0]) is BY.SECOND_DIVE


def test_the_change_and_the_choice_are_said_as_the_entry_has_them() -> None:
    change = follow_up_words.follow_up(ROUND, FollowUpKind.CHANGE, CHANGE_ID, quote="", turn=0, seed=0)
    assert change.endswith("Half of the money is gone. What now?")
    choice = follow_up_words.follow_up(ROUND, FollowUpKind.DEEP_DIVE, DEEP_DIVE_ID, quote="", turn=0, seed=0)
    assert all(dive in choice for dive in DIVES)


@pytest.mark.parametrize(
    ("said", "verdict", "sure"),
    [
        ("It takes twenty days.", MET, True),
        ("It takes 50 days.", Verdict.PARTIAL, False),
        ("It takes a while.", MISSING, False),
    ],
)
def test_a_number_is_checked_by_arithmetic_and_what_cannot_be_read_is_no_sure_miss(
    said: str, verdict: Verdict, sure: bool
) -> None:
    tell = Round()
    tell.say(said, "goal")
    found = question_finding(tell.state.asked[0])
    days = next(point for point in found.criteria if point.id == "days")
    assert (days.verdict, days.sure) == (verdict, sure)
    assert days.arithmetic.startswith("The arithmetic: 40 / 2 = 20 days.")
    assert all(point.arithmetic == "" for point in found.criteria if point.id != "days")
    assert (found.unaided, found.unaided_note) == (None, LED)


def test_every_form_of_the_report_shows_the_arithmetic() -> None:
    tell = Round()
    tell.say("It takes 50 days.", "goal")
    report = findings("s1", tell.state)
    worked_out = "The arithmetic: 40 / 2 = 20 days. You said 50 days, which differs by more than 20%."
    assert worked_out in render_html(report)
    assert worked_out in render_markdown(report)
    pages = pypdfium2.PdfDocument(render_pdf(report))
    told = " ".join(page.get_textpage().get_text_bounded() for page in pages)
    assert "The arithmetic: 40 / 2 = 20 days." in " ".join(told.split())


def test_the_bank_s_rounds_are_rounds() -> None:
    assert sum(is_round(asked) for asked in load_bank()) >= 16
