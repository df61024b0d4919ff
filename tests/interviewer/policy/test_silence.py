"""A silence is answered in steps, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.dialogue import templates
from interviewer.engine.service import InterviewService
from interviewer.policy.silence import AFTER_S, SilenceStep, silence_step
from interviewer.session.events import AsideTaken
from interviewer.session.plan import Mode, Plan
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.view_state import render, turn_of
from tests.interviewer.builders import KeywordGrader, Shelf, question

BANK = [question("q1", step_down="What is a leaf?")]
LONG, STUCK, GONE = (AFTER_S[step] for step in SilenceStep)


@pytest.fixture
def service(tmp_path: Path):
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None) as made,
    ):
        yield made


def said(service: InterviewService, session: str) -> list[str]:
    return [turn.said for turn in service.state(session).asked[0].turns if isinstance(turn, AsideTaken)]


def test_thinking_calls_for_nothing(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",)))
    assert service.silences.quiet(session, LONG - 1) == service.state(session)
    assert said(service, session) == []


def test_each_step_comes_once_and_in_order(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",)))
    for quiet in (LONG, LONG + 1, STUCK - 1):
        service.silences.quiet(session, quiet)
    assert len(said(service, session)) == 1
    assert said(service, session)[0] in templates.NO_HURRY
    for quiet in (STUCK, STUCK + 1, GONE - 1):
        service.silences.quiet(session, quiet)
    assert said(service, session)[1:] == ["Would a smaller step help? What is a leaf?"]
    assert service.silences.quiet(session, GONE).paused
    assert service.silences.quiet(session, 2 * GONE).paused
    assert len(said(service, session)) == 2


def test_after_a_word_of_the_person_the_steps_begin_anew(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",)))
    service.silences.quiet(session, LONG)
    service.answer(session, "could you repeat that?", "r")
    # That there is no hurry was said; nobody needs to hear it at every question.
    assert silence_step(service.state(session), LONG) is None
    service.silences.quiet(session, STUCK)
    service.silences.quiet(session, STUCK + 1)
    assert said(service, session)[-1] == "Would a smaller step help? What is a leaf?"
    assert len(said(service, session)) == 2
    assert silence_step(service.state(session), GONE) is SilenceStep.GONE


def test_an_answer_on_its_way_while_something_is_said_into_the_silence_is_taken(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",)))
    turn = turn_of(service.state(session))
    service.silences.quiet(session, LONG)
    assert turn_of(service.state(session)) == turn
    service.answer(session, "could you repeat that?", "r")
    assert turn_of(service.state(session)) != turn


def test_after_a_pause_the_steps_begin_anew_and_none_is_lost(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",)))
    for lap in ("first", "second"):
        for quiet in (LONG, STUCK, GONE):
            service.silences.quiet(session, quiet)
        assert service.state(session).paused, lap
        service.go_on(session, lap)
    assert len(said(service, session)) == 3


def test_silences_are_left_alone_where_that_was_chosen(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",), silence_steps=False))
    service.silences.quiet(session, GONE)
    assert said(service, session) == []
    assert not service.state(session).paused
    assert render(service.state(session)).silence_s is None


def test_in_an_exam_no_smaller_step_is_offered(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",), mode=Mode.EXAM))
    service.silences.quiet(session, LONG)
    service.silences.quiet(session, STUCK)
    assert said(service, session)[1] == templates.SAY_WHAT_YOU_KNOW


def test_whoever_is_out_of_time_is_not_told_that_there_is_no_hurry(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",)))
    asked = service.state(session).asked[0].model_copy(update={"time_called": True})
    state = service.state(session).model_copy(update={"asked": (asked,)})
    assert silence_step(state, LONG) is None
    assert silence_step(state, STUCK) is SilenceStep.STUCK


def test_nothing_is_said_where_nobody_is_asked(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",), talks=True))
    assert silence_step(service.state(session), GONE) is None
    service.end(session, "e")
    assert silence_step(service.state(session), GONE) is None
