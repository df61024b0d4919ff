"""What a worker makes of answers that a page left over, and what the page makes of the worker's marks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from interviewer.cli import left_over_grading
from interviewer.cli.left_over_grading import grading
from interviewer.engine.answer_reader import AnswerReader
from interviewer.engine.service import InterviewService
from interviewer.session.events import AnswerGiven, AnswerGraded, InterviewStarted, QuestionAsked
from interviewer.session.plan import Plan
from interviewer.session.queries import ungraded
from interviewer.session.reducer import fold
from interviewer.storage.postgres_journal import PostgresJournal
from rubric.grading.grader import GradeRequest
from serving.errors import InterviewerError, ProtocolError, ServerGoneError, ServiceMissingError, StorageError
from tests.integration.test_queued_regrading import held, until
from tests.interviewer.builders import KeywordGrader, Shelf, at, question
from tests.postgres import PostgresServer

PLAN = Plan(length=2, follow_ups=1, seed=1)


@pytest.fixture
def journal(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostgresJournal]:
    monkeypatch.setattr(left_over_grading, "PATIENCE_S", 0.0)
    with PostgresJournal(postgres.database(), "ada") as made:
        yield made


def url_of(journal: PostgresJournal) -> str:
    return journal._engine.url.set(drivername="postgresql").render_as_string(hide_password=False)


def work(
    journal: PostgresJournal, error: Exception | None = None, session: str = "one", owner: str = "ada"
) -> list[str]:
    """Does Ada's job with a grader that raises; returns what was told."""

    def before(_: GradeRequest) -> None:
        if error is not None:
            raise error

    told: list[str] = []
    grading(url_of(journal), KeywordGrader(before), lambda: AnswerReader(None), told.append)(owner, session)
    return told


def conduct(journal: PostgresJournal, grader: KeywordGrader, patience_s: float | None = 0.05) -> InterviewService:
    return InterviewService(journal, Shelf([question("one"), question("two")]), grader, patience_s=patience_s)


def test_an_interview_goes_on_from_the_marks_that_a_worker_left(journal: PostgresJournal) -> None:
    def away(_: GradeRequest) -> None:
        raise ServerGoneError("Gone.")

    with conduct(journal, KeywordGrader(away)) as page:
        session = page.start(PLAN)
        page.answer(session, "alpha beta", "r1")
    # That page is gone, and its judge was away all the time.
    before = journal.events(session)
    assert work(journal, session=session)[-1] == f"Graded 1 left-over answer of interview {session} of ada."
    # The mark and nothing else: what follows from it depends on what the page has.
    assert [event.type for event in journal.events(session)[len(before) :]] == ["answer_graded"]
    grader = KeywordGrader()
    with conduct(journal, grader, patience_s=None) as page:
        page.resume_all()
        state = page.advance(session)
        assert grader.requests == []
        assert (len(state.asked), state.asked[0].grades[0].grade.score) == (2, pytest.approx(1.0))


def test_a_page_does_not_grade_what_a_worker_graded_while_it_waited_for_its_turn(journal: PostgresJournal) -> None:
    def worker_is_faster(_: GradeRequest) -> None:
        if len(grader.requests) == 1:
            work(journal, session=session)

    grader = KeywordGrader(worker_is_faster)
    with InterviewService(
        journal, Shelf([question("one"), question("two")]), grader, patience_s=60.0, answers_at_once=1
    ) as page:
        session = page.start(PLAN)
        for event in held("alpha", "beta")[-2:]:
            journal.append(session, event.model_copy(update={"asked_id": page.state(session).asked[0].asked_id}))
        page.grade_due(session)
        until(lambda: not ungraded(page.state(session)) and len(page.state(session).asked) == 2)
        marks = page.state(session).asked[0].grades
    assert len(grader.requests) == 1
    assert [mark.answer_id for mark in marks] == ["a0", "a1"]


@pytest.mark.parametrize("error", [ServerGoneError("Gone."), ServiceMissingError("Away."), StorageError("Full.")])
def test_what_may_pass_is_put_off_and_done_later_once(journal: PostgresJournal, error: InterviewerError) -> None:
    for event in held("alpha", "beta"):
        journal.append("one", event)
    for _ in range(left_over_grading.TRIES + 1):
        with pytest.raises(type(error)):
            work(journal, error)
    assert work(journal)[-1] == "Graded 2 left-over answers of interview one of ada."
    assert work(journal) == []
    assert [event.type for event in journal.events("one")][-2:] == ["answer_graded"] * 2


@pytest.mark.parametrize("error", [ProtocolError("It answered nonsense."), ZeroDivisionError()])
def test_what_does_not_pass_is_left_until_there_is_another_answer(journal: PostgresJournal, error: Exception) -> None:
    for event in held("alpha"):
        journal.append("one", event)
    work(journal, error)
    assert work(journal) == []
    journal.append("one", AnswerGiven(id="more", at=at(60), asked_id="q", text="beta"))
    assert work(journal)[-1] == "Graded 2 left-over answers of interview one of ada."
    assert not ungraded(fold(journal.events("one")))


def test_a_question_without_its_rubric_is_given_up(journal: PostgresJournal) -> None:
    bare = question("bare").model_copy(update={"rubric": None})
    journal.append("bare", InterviewStarted(id="s", at=at(1), plan=Plan()))
    journal.append("bare", QuestionAsked(id="q", at=at(2), number=1, question=bare, said="?"))
    journal.append("bare", held("alpha")[-1])
    assert work(journal, session="bare")[-1].startswith("Gave up interview bare of ada: ")
    assert work(journal, session="bare") == []


def test_a_job_of_another_account_or_of_no_interview_does_nothing(journal: PostgresJournal) -> None:
    for event in held("alpha"):
        journal.append("one", event)
    assert work(journal, owner="ben") + work(journal, session="nothing") == []
    assert not any(isinstance(event, AnswerGraded) for event in journal.events("one"))
