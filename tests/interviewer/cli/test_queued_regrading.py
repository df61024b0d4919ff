"""What a worker's job makes of what goes wrong: what passes is tried again, what does not is told."""

from __future__ import annotations

import pytest

from interviewer.cli import queued_regrading
from interviewer.cli.queued_regrading import outcome_of, regrading
from interviewer.session.events import InterviewStarted, QuestionAsked
from interviewer.session.plan import Plan
from interviewer.storage.jobs import JobQueue
from interviewer.storage.postgres_journal import PostgresJournal
from interviewer.storage.regrades import Regrades, Standing
from rubric.grading.grader import GradeRequest
from serving.errors import InterviewerError, ProtocolError, ServerGoneError, ServiceMissingError, StorageError
from tests.integration.test_queued_regrading import held
from tests.interviewer.builders import KeywordGrader, at, question
from tests.postgres import PostgresServer


@pytest.fixture
def url(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(queued_regrading, "PATIENCE_S", 0.0)
    made = postgres.database()
    with PostgresJournal(made, "ada") as journal:
        for event in held("alpha"):
            journal.append("one", event)
        Regrades(journal).put(["one"], JobQueue(made))
    return made


def work(url: str, error: Exception | None, session: str = "one") -> list[str]:
    """Does Ada's job with a grader that raises; returns what was told."""

    def before(_: GradeRequest) -> None:
        if error is not None:
            raise error

    told: list[str] = []
    regrading(url, KeywordGrader(before), told.append)("ada", session)
    return told


def standing(url: str) -> Standing:
    with PostgresJournal(url, "ada") as journal:
        return Regrades(journal).standing()


@pytest.mark.parametrize("error", [ServerGoneError("Gone."), ServiceMissingError("Away."), StorageError("Full.")])
def test_what_may_pass_is_put_off_and_done_later(url: str, error: InterviewerError) -> None:
    with pytest.raises(type(error)):
        work(url, error)
    assert standing(url) == Standing(queued=1, at_work=0, done=0, failed=0)
    assert work(url, None)[-1].startswith("Regraded interview one of ada: 1 answer in ")
    assert standing(url) == Standing(queued=0, at_work=0, done=1, failed=0)
    # The same job once more, as after a worker that was only cut off.
    assert work(url, None) == []


@pytest.mark.parametrize(
    ("error", "why"),
    [(ProtocolError("It answered nonsense."), "nonsense"), (ZeroDivisionError(), "A fault of this program")],
)
def test_what_does_not_pass_is_told_and_not_tried_again(url: str, error: Exception, why: str) -> None:
    work(url, error)
    assert standing(url) == Standing(queued=0, at_work=0, done=0, failed=1)
    with PostgresJournal(url, "ada") as journal:
        assert why in outcome_of(Regrades(journal)).failed["one"]
    assert work(url, None) == []


def test_a_question_without_its_rubric_is_no_trouble_of_the_database(url: str) -> None:
    with PostgresJournal(url, "ada") as journal:
        bare = question("bare").model_copy(update={"rubric": None})
        journal.append("bare", InterviewStarted(id="s", at=at(1), plan=Plan()))
        journal.append("bare", QuestionAsked(id="q", at=at(2), number=1, question=bare, said="?"))
        journal.append("bare", held("alpha")[-1])
        Regrades(journal).put(["bare"], JobQueue(url))
    assert work(url, None, "bare")[-1].startswith("Gave up interview bare of ada: ")
    assert standing(url) == Standing(queued=1, at_work=0, done=0, failed=1)


def test_a_job_of_another_account_or_of_no_interview_does_nothing(url: str) -> None:
    told: list[str] = []
    job = regrading(url, KeywordGrader(), told.append)
    job("ben", "one")
    job("ada", "nothing")
    assert told == []
    assert standing(url).queued == 1
