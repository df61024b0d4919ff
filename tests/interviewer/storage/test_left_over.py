"""The list of answers without a mark, which a real PostgreSQL keeps, and the jobs that are made of it."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from interviewer.session.events import AnswerGiven, AnswerGraded, Event
from interviewer.storage.jobs import JobQueue
from interviewer.storage.left_over import LeftOver, queue_left_over
from interviewer.storage.postgres_journal import PostgresJournal
from rubric.grading.grader import GradeRequest
from rubric.model import Rubric
from tests.interviewer.builders import at, criterion, keyword_grade
from tests.interviewer.storage.test_journal_contract import ASKED, STARTED
from tests.postgres import PAGE, PostgresServer

OWNERS = ("", "ada", "ben")


def given(number: int) -> AnswerGiven:
    return AnswerGiven(id=f"a{number}", at=at(number), asked_id="q1", text="alpha")


def graded(number: int) -> AnswerGraded:
    grade = keyword_grade(GradeRequest(question="?", answer="alpha", rubric=Rubric(criteria=(criterion("alpha"),))))
    return AnswerGraded(
        id=f"a{number}:graded", at=at(50 + number), asked_id="q1", answer_id=f"a{number}", graded_text="", grade=grade
    )


def append(url: str, owner: str, *events: Event, session: str = "one") -> None:
    with PostgresJournal(url, owner) as journal:
        for event in events:
            assert journal.append(session, event)


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    made = postgres.database()
    for owner in OWNERS:
        append(made, owner, STARTED, ASKED)
    return made


def rows(postgres: PostgresServer, url: str) -> list[tuple[object, ...]]:
    query = "SELECT owner, session_id, tries, given_up FROM left_over ORDER BY owner, session_id"
    return postgres.sql(query, url.rpartition("/")[2])


def jobs(postgres: PostgresServer, url: str) -> list[tuple[object, ...]]:
    name = url.rpartition("/")[2]
    ((schema,),) = postgres.sql("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'jobs%'", name)
    query = f"SELECT task_name, args ->> 'owner', args ->> 'session' FROM {schema}.procrastinate_jobs ORDER BY id"
    return postgres.sql(query, name)


def look(url: str, seconds: float = 0.0) -> int:
    with PostgresJournal(url) as journal:
        return queue_left_over(journal, JobQueue(url), seconds)


def test_an_interview_is_listed_while_an_answer_has_no_mark(url: str, postgres: PostgresServer) -> None:
    assert rows(postgres, url) == []
    append(url, "ada", given(1), given(2))
    assert rows(postgres, url) == [("ada", "one", 0, False)]
    append(url, "ada", graded(2))
    assert rows(postgres, url) == [("ada", "one", 0, False)]
    append(url, "ada", graded(1))
    assert rows(postgres, url) == []
    append(url, "ben", given(1))
    with PostgresJournal(url, "ben") as ben:
        ben.delete("one")
    assert rows(postgres, url) == []


def test_another_answer_begins_the_wait_anew_and_is_a_reason_to_try_again(url: str, postgres: PostgresServer) -> None:
    def waits_since() -> object:
        ((since,),) = postgres.sql("SELECT since FROM left_over", url.rpartition("/")[2])
        return since

    append(url, "ada", given(1), given(2))
    with PostgresJournal(url, "ada") as journal:
        left = LeftOver(journal)
        assert [left.begin("one"), left.begin("one")] == [1, 2]
        left.put_off("one")
        assert left.begin("one") == 1
        left.give_up("one")
        assert left.begin("one") == 0
        assert look(url) == 0
    first = waits_since()
    append(url, "ada", graded(1))
    assert (waits_since(), rows(postgres, url)) == (first, [("ada", "one", 1, True)])
    append(url, "ada", given(3))
    assert rows(postgres, url) == [("ada", "one", 0, False)]
    assert str(waits_since()) > str(first)


def test_a_look_queues_one_job_an_interview_of_every_account(url: str, postgres: PostgresServer) -> None:
    for owner in OWNERS:
        append(url, owner, given(1), given(2))
    assert look(url, 3600.0) == 0
    with ThreadPoolExecutor(4) as together:
        assert sum(together.map(look, [url] * 8)) == len(OWNERS)
    assert Counter(jobs(postgres, url)) == Counter(("grade", owner, "one") for owner in OWNERS)


def test_an_account_begins_only_its_own(url: str) -> None:
    append(url, "ada", given(1))
    with PostgresJournal(url, "ben") as ben, PostgresJournal(url) as nobody:
        assert [LeftOver(ben).begin("one"), LeftOver(nobody).begin("one"), LeftOver(ben).begin("none")] == [0, 0, 0]


def test_who_looks_sees_that_there_are_interviews_and_changes_nothing(url: str, postgres: PostgresServer) -> None:
    append(url, "ada", given(1))
    with psycopg.connect(postgres.url(url.rpartition("/")[2], user=PAGE), autocommit=True) as page:
        page.execute("SET interviewer.looks = 'yes'")
        assert page.execute("SELECT owner, session_id FROM left_over").fetchall() == [("ada", "one")]
        assert page.execute("UPDATE left_over SET tries = 9").rowcount == 0
        assert page.execute("DELETE FROM left_over").rowcount == 0
        assert page.execute("SELECT count(*) FROM events").fetchall() == [(0,)]
        assert page.execute("SELECT count(*) FROM summaries").fetchall() == [(0,)]


def test_a_database_of_before_lists_what_was_left_over_then(url: str, postgres: PostgresServer) -> None:
    append(url, "ada", given(1))
    append(url, "ben", given(1), graded(1))
    for statement in (
        "DROP FUNCTION summaries_left_over CASCADE",
        "DROP TABLE left_over",
        "DROP TABLE compatibility",
        "DROP TABLE assignments",
        "UPDATE alembic_version SET version_num = '0006'",
    ):
        postgres.sql(statement, url.rpartition("/")[2])
    PostgresJournal(url).close()
    assert rows(postgres, url) == [("ada", "one", 0, False)]
    with PostgresJournal(url, "ada") as ada:
        assert len(ada.sessions()) == 1
    with PostgresJournal(url, "carol") as carol:
        assert carol.sessions() == ()
