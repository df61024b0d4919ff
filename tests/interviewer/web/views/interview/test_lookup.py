from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.views.interview.lookup import LOOKING_UP, looked_up
from interviewer.web.views.interview.transcript import transcript_html
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.web.holding import SHELF

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def service(tmp_path: Path):
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=30.0) as service,
    ):
        yield service


def asking(service: InterviewService) -> tuple[str, State]:
    """An interview in which the person is to ask their own questions."""
    session = service.start(Plan(question_ids=("leaves",), talks=True))
    service.answer(session, "I trained a speech model.", "warm-up")
    service.skip(session, "skipped")
    return session, service.state(session)


def test_a_question_of_the_persons_own_is_shown_while_it_is_looked_up(service: InterviewService) -> None:
    session, state = asking(service)
    supposed = looked_up(state, " What is a <b>leaf</b>? ", at=NOW)
    assert supposed is not None
    html = transcript_html(supposed)
    assert "What is a &lt;b&gt;leaf&lt;/b&gt;?</p>" in html
    assert LOOKING_UP in html
    assert LOOKING_UP not in transcript_html(state)
    after = service.answer(session, "What is a leaf?", "asked")
    assert LOOKING_UP not in transcript_html(after)


@pytest.mark.parametrize("said", ["No, thank you.", "", "  ", "How did I do?", "Can we go back to question one?"])
def test_what_is_not_looked_up_is_not_said_to_be(service: InterviewService, said: str) -> None:
    assert looked_up(asking(service)[1], said, at=NOW) is None


def test_neither_an_answer_nor_the_warm_up_is_looked_up(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("leaves",), talks=True))
    assert looked_up(service.state(session), "What is a leaf?", at=NOW) is None
    service.answer(session, "I trained a speech model.", "warm-up")
    assert looked_up(service.state(session), "What is a leaf?", at=NOW) is None
    assert looked_up(None, "What is a leaf?", at=NOW) is None
