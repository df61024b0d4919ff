"""Who is faster than planned is asked one more question while there is time for it, like those on the agenda."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.dialogue import templates
from interviewer.engine.service import InterviewService
from interviewer.report.analysis.findings import findings
from interviewer.session.clock import spare_minutes
from interviewer.session.plan import AgendaItem, Plan, SegmentKind
from interviewer.session.style import Style
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.view_state import render
from knowledge.model import Kind
from tests.interviewer.builders import KeywordGrader, Shelf, Watch, question, say

BANK = [
    question("q1", minutes=5),
    question("q2", topic="training", text="Why does momentum help?", minutes=5),
    question("q3", text="How many workers should load data?", minutes=5),
    question("q4", topic="training", text="Which tensors does an optimizer keep for each weight?", minutes=5),
    question("long", text="What would you build for a thousand users?", minutes=30),
    question("other", topic="serving", text="Where do you put the cache?", minutes=5),
]
AGENDA = (AgendaItem(topic="autograd", minutes=5), AgendaItem(topic="training", minutes=5))
PLAN = Plan(minutes=15, agenda=AGENDA, follow_ups=0)


def test_with_time_left_one_more_is_asked_that_fits_into_it(service: InterviewService, watch: Watch) -> None:
    session = service.start(PLAN)
    watch.wait(60.0 * 2)
    state = say(service, session, "alpha beta", "alpha beta")
    assert state.ended is None
    third = state.asked[2]
    assert third.question.id in {"q1", "q3"}
    assert any(third.turns[0].model_dump()["said"].startswith(lead) for lead in templates.ONE_MORE[Style.NEUTRAL])
    assert render(state).length == 3
    # As many more as were planned, and no more.
    state = say(service, session, "alpha beta", "alpha beta")
    assert [asked.question.topic for asked in state.asked] == ["autograd", "training", "autograd", "training"]
    assert state.ended is not None
    assert state.ended.reason == "completed"


def test_without_time_it_ends_as_planned(service: InterviewService, watch: Watch) -> None:
    session = service.start(PLAN)
    say(service, session, "alpha beta")
    watch.wait(60.0 * 12)
    state = say(service, session, "alpha beta")
    assert len(state.asked) == 2
    assert state.ended is not None


def test_two_minutes_are_kept_for_the_person_s_own_questions(service: InterviewService, watch: Watch) -> None:
    session = service.start(PLAN.model_copy(update={"talks": True}))
    say(service, session, "I train ranking models at work.", "alpha beta")
    watch.wait(60.0 * 9)
    state = say(service, session, "alpha beta")
    assert len(state.asked) == 2
    assert state.segment is not None
    assert state.segment.part is SegmentKind.THEIR_QUESTIONS


@pytest.mark.parametrize(
    "change",
    [
        {"minutes": None},
        {"agenda": (), "length": 2},
        {"question_ids": ("q1", "q2")},
        {"assignment": "a1"},
    ],
)
def test_only_an_agenda_by_the_clock_has_more(service: InterviewService, change: dict[str, object]) -> None:
    session = service.start(PLAN.model_copy(update=change))
    state = say(service, session, "alpha beta", "alpha beta")
    assert len(state.asked) == 2
    assert spare_minutes(state) == 0


def test_who_skips_the_last_one_wants_no_more(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "alpha beta", "skip")
    assert len(state.asked) == 2


def test_where_nothing_like_it_is_left_the_interview_comes_to_its_end(service: InterviewService) -> None:
    only = (AgendaItem(topic="serving", minutes=5, kind=Kind.CONCEPT),)
    session = service.start(PLAN.model_copy(update={"agenda": only, "talks": True}))
    state = say(service, session, "I train ranking models at work.", "alpha beta")
    assert len(state.asked) == 1
    assert state.segment is not None
    assert state.segment.part is SegmentKind.THEIR_QUESTIONS


def test_one_more_is_of_another_document_where_there_is_one(tmp_path: Path, watch: Watch) -> None:
    chapters = {"q1": "autograd.md", "q2": "training.md", "q3": "autograd.md", "q4": "optimizers.md"}
    bank = [
        held.model_copy(update={"source": held.source.model_copy(update={"path": chapters[held.id]})})
        for held in BANK
        if held.id in chapters
    ]
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf(bank), KeywordGrader(), patience_s=None, clock=watch) as service,
    ):
        session = service.start(PLAN)
        watch.wait(60.0 * 2)
        state = say(service, session, "alpha beta", "alpha beta")
        first, second, third = (asked.question.source.path for asked in state.asked)
    assert third not in {first, second}


@pytest.mark.parametrize(("minutes", "fits"), [(14, True), (30, False)])
def test_one_more_is_of_a_kind_that_was_chosen_and_did_not_fit_the_agenda(
    tmp_path: Path, watch: Watch, minutes: int, *, fits: bool
) -> None:
    story = question("story", kind=Kind.BEHAVIORAL, topic="behavioral", text="Tell me about a conflict.", minutes=5)
    plan = PLAN.model_copy(update={"kinds": (Kind.CONCEPT, Kind.BEHAVIORAL), "minutes": minutes})
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([*BANK, story]), KeywordGrader(), patience_s=None, clock=watch) as service,
    ):
        session = service.start(plan)
        watch.wait(60.0 * 2)
        state = say(service, session, "alpha beta", "alpha beta")
    assert (state.asked[2].question.id == "story") == fits


def test_a_question_is_followed_up_further_while_half_of_its_time_is_left(tmp_path: Path, watch: Watch) -> None:
    many = question("many", keywords=("one", "two", "three", "four", "five"), minutes=10)
    agenda = (AgendaItem(topic="autograd", minutes=10),)
    plan = Plan(minutes=12, agenda=agenda, follow_ups=1, depth=False)
    follow_ups = []
    for wait_s, answers in ((10.0, ("one", "two", "three", "four")), (60.0 * 6, ("one", "two"))):
        with (
            Journal(tmp_path / f"{wait_s}.db") as journal,
            InterviewService(journal, Shelf([many]), KeywordGrader(), patience_s=None, clock=watch) as service,
        ):
            session = service.start(plan)
            watch.wait(wait_s)
            state = say(service, session, *answers)
            follow_ups.append(len(state.asked[0].follow_ups))
    assert follow_ups == [3, 1]


def test_who_asks_to_finish_on_a_question_beyond_the_plan_is_asked_no_more_and_loses_nothing(
    service: InterviewService, watch: Watch
) -> None:
    session = service.start(PLAN)
    watch.wait(60.0 * 2)
    state = say(service, session, "alpha beta", "alpha beta", "I don't know that. Can we please finish here?")
    assert len(state.asked) == 3
    assert state.ended is not None
    found = findings(session, state)
    assert found.overall.skipped == 1
    assert found.overall.final == 1.0


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("It is alpha, and beta after it. Can we wrap up after this one? I have two questions for you.", False),
        ("It is alpha, and beta after it. I'd rather stop here and ask my two questions now.", False),
        ("It is alpha, and beta after it. Then I stop the run there and look at the end of the log.", True),
    ],
)
def test_who_asks_that_it_be_the_last_one_is_asked_no_more(
    service: InterviewService, watch: Watch, said: str, *, more: bool
) -> None:
    session = service.start(PLAN)
    watch.wait(60.0 * 2)
    state = say(service, session, "alpha beta", said)
    assert (len(state.asked) == 3) == more
