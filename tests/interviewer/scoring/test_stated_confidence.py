"""How sure a person says that they are: kept once, before marks can be known, and without moving the interview."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.scoring.stated_confidence import STATED, unmarked
from interviewer.session.events import EVENT, ConfidenceStated
from interviewer.session.plan import Confidence, Mode, Plan
from interviewer.session.reducer import fold
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.view_state import render, turn_of
from serving.errors import BadInputError
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.interviewer.web.holding import Gate, until

BANK = [question(name, keywords=("alpha", "beta"), text=f"What about {name}?") for name in ("leaves", "ropes")]
PLAN = Plan(question_ids=("leaves", "ropes"), follow_ups=0)
EXAM = PLAN.model_copy(update={"mode": Mode.EXAM})


@contextmanager
def conduct(folder: Path, gate: Gate | None = None) -> Iterator[tuple[InterviewService, Journal]]:
    grader = KeywordGrader(gate) if gate else KeywordGrader()
    with (
        Journal(folder / "journal.db") as journal,
        InterviewService(journal, Shelf(BANK), grader, patience_s=30.0 if gate else None) as service,
    ):
        yield service, journal


def stated(state: State) -> list[tuple[str, Confidence]]:
    return [(event.answer_id, event.level) for asked in state.asked for event in asked.stated]


def test_what_is_said_with_an_answer_is_kept_before_its_mark(tmp_path: Path) -> None:
    with conduct(tmp_path) as (service, journal):
        session = service.start(PLAN)
        service.answer(session, "alpha", "a1", sure=Confidence.SURE)
        state = service.advance(session)
        assert service.answer(session, "alpha", "a1", sure=Confidence.GUESS) == state
        types = [event.type for event in journal.events(session)]
    assert stated(state) == [("a1", Confidence.SURE)]
    assert types.index("answer_given") + 1 == types.index("confidence_stated") < types.index("answer_graded")


def test_a_wish_in_words_is_no_answer_to_be_sure_of(tmp_path: Path) -> None:
    with conduct(tmp_path) as (service, _):
        session = service.start(PLAN)
        state = service.answer(session, "Could you repeat the question, please?", "a1", sure=Confidence.SURE)
    assert state.asked[0].answers == ()
    assert stated(state) == []


def test_it_can_be_said_until_the_mark_is_there_and_changes_nothing_else(tmp_path: Path) -> None:
    gate = Gate()
    with conduct(tmp_path, gate) as (service, _):
        session = service.start(PLAN)
        before = service.answer(session, "alpha", "a1")
        assert render(before).unmarked == "a1"
        service.reviews.state_confidence(session, "a1", Confidence.GUESS, "s1")
        state = service.reviews.state_confidence(session, "a1", Confidence.RATHER_SURE, "s2")
        assert service.reviews.state_confidence(session, "a1", Confidence.SURE, "s2") == state
        assert stated(state) == [("a1", Confidence.RATHER_SURE)]
        assert turn_of(state) == turn_of(before)
        assert (state.current, state.asked[0].answers) == (state.asked[0], before.asked[0].answers)
        gate.open.set()
        until(lambda: bool(service.state(session).asked[0].grades))
        assert unmarked(service.state(session)) is None
        with pytest.raises(BadInputError, match="has its marks already"):
            service.reviews.state_confidence(session, "a1", Confidence.SURE, "s3")
        with pytest.raises(BadInputError, match="no answer nobody"):
            service.reviews.state_confidence(session, "nobody", Confidence.SURE, "s4")
        with pytest.raises(BadInputError, match="used for something else"):
            service.reviews.state_confidence(session, "a1", Confidence.SURE, "a1")


def test_in_an_exam_it_can_be_said_until_the_end_and_gives_nothing_away(tmp_path: Path) -> None:
    with conduct(tmp_path) as (service, _):
        session = service.start(EXAM)
        service.answer(session, "alpha", "a1")
        state = service.advance(session)
        assert state.asked[0].grades
        answer = unmarked(state)
        assert answer is not None
        told = service.reviews.state_confidence(session, answer.id, Confidence.SURE, "s1")
        assert render(told).transcript_html == render(state).transcript_html
        service.end(session, "e1")
        with pytest.raises(BadInputError, match="has its marks already"):
            service.reviews.state_confidence(session, answer.id, Confidence.GUESS, "s2")
        assert unmarked(service.state(session)) is None


def test_what_was_stated_of_no_answer_counts_for_nothing_and_reads_back(tmp_path: Path) -> None:
    with conduct(tmp_path) as (service, journal):
        session = service.start(PLAN)
        service.answer(session, "alpha", "a1", sure=Confidence.SURE)
        events = list(journal.events(session))
    kept = next(event for event in events if isinstance(event, ConfidenceStated))
    assert EVENT.validate_json(EVENT.dump_json(kept)) == kept
    strange = kept.model_copy(update={"id": "s9", "answer_id": "nobody"})
    assert stated(fold([*events, strange])) == [("a1", Confidence.SURE)]


def test_every_level_stands_for_a_share_and_the_surer_for_more() -> None:
    assert list(STATED) == list(Confidence)
    assert list(STATED.values()) == sorted(STATED.values())
