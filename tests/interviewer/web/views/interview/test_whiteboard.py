from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.planning.agenda import InterviewOptions
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.controller import PageController
from interviewer.web.view_state import render, request_id, turn_of
from interviewer.web.views.interview.whiteboard import drawn, with_outline
from knowledge.model import Kind
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.interviewer.web.holding import SHELF, until

BOARD = "Data\n  clicks, hourly\n\n\tnegatives  \nModel"
TIDY = "Data\n  clicks, hourly\n  negatives\nModel"
DESIGN = Shelf([question("feed", keywords=("clicks", "towers"), kind=Kind.SYSTEM_DESIGN, topic="design")])


def design(folder: Path, shelf: Shelf = DESIGN) -> tuple[PageController, str, State]:
    journal = Journal(folder / "journal.db")
    at = PageController(InterviewService(journal, shelf, KeywordGrader(), patience_s=30.0), journal)
    session = at.new_session()
    return at, session, at.start(session, InterviewOptions(length=1, talks=False, follow_ups=2), shelf.questions())


def send(at: PageController, session: str, text: str, board: str) -> str:
    state = at.find(session)
    assert state is not None
    turn = turn_of(state)
    whole = with_outline(text, board, state, request_id("answer", turn))
    assert at.act(session, turn, "answer", whole).note == ""
    return whole


def test_the_whiteboard_is_sent_with_the_answer_and_graded(tmp_path: Path) -> None:
    at, session, state = design(tmp_path)
    assert render(state).sketched == "question:1"
    assert drawn(state) == ""
    send(at, session, "As drawn. ", BOARD)

    def current() -> State:
        state = at.find(session)
        assert state is not None
        return state

    until(lambda: bool(current().asked[0].grades))
    graded = current().asked[0].grades[0]
    assert graded.graded_text == f"As drawn.\n\nOutline:\n{TIDY}"
    assert [verdict.verdict for verdict in graded.grade.criteria] == ["met", "missing"]
    assert f"Outline:\n{TIDY}" in render(current()).transcript_html
    assert drawn(current()) == TIDY


def test_only_a_whiteboard_that_changed_is_sent_again(tmp_path: Path) -> None:
    at, session, _ = design(tmp_path)
    send(at, session, "First.", BOARD)
    until(lambda: len(at.find(session).asked[0].follow_ups) == 1)  # type: ignore[union-attr]
    state = at.find(session)
    assert with_outline("Second.", BOARD, state, "later") == "Second."
    assert with_outline("", f"{BOARD}\n  two towers", state, "later") == f"Outline:\n{TIDY}\n  two towers"


def test_the_same_request_again_makes_the_same_answer(tmp_path: Path) -> None:
    at, session, state = design(tmp_path)
    request = request_id("answer", turn_of(state))
    whole = send(at, session, "First.", BOARD)
    assert with_outline("First.", BOARD, at.find(session), request) == whole


@pytest.mark.parametrize("text", ["Can I have a hint?", "Could you repeat that?", "Skip this one, please."])
def test_a_request_stays_one(tmp_path: Path, text: str) -> None:
    _, _, state = design(tmp_path)
    assert with_outline(text, BOARD, state, "r") == text


def test_other_questions_have_no_whiteboard(tmp_path: Path) -> None:
    _, _, state = design(tmp_path, SHELF)
    assert render(state).sketched == ""
    assert with_outline("Said.", BOARD, state, "r") == "Said."
    assert with_outline("Said.", BOARD, None, "r") == "Said."
