"""The rows that queued regrading keeps, and the queue they are put into, on a real PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
import sqlalchemy as sa

from interviewer.storage.jobs import JobQueue
from interviewer.storage.postgres_journal import PostgresJournal
from interviewer.storage.regrades import Regrades, Standing
from serving.errors import StorageError
from tests.interviewer.storage.test_journal_contract import STARTED
from tests.postgres import PostgresServer

OWNERS = ("", "ada", "ben")


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    made = postgres.database()
    for owner in OWNERS:
        with PostgresJournal(made, owner) as journal:
            for session in ("one", "two"):
                journal.append(session, STARTED)
            assert Regrades(journal).put(["one", "two"], JobQueue(made)) == 2
    return made


def name(url: str) -> str:
    return url.rpartition("/")[2]


def jobs(postgres: PostgresServer, url: str) -> list[tuple[object, ...]]:
    """Account and interview of each job, in order."""
    ((schema,),) = postgres.sql("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'jobs%'", name(url))
    query = f"SELECT args ->> 'owner', args ->> 'session' FROM {schema}.procrastinate_jobs ORDER BY id"
    return postgres.sql(query, name(url))


def test_a_job_names_its_account_and_its_interview_and_no_more(url: str, postgres: PostgresServer) -> None:
    assert jobs(postgres, url) == [(owner, session) for owner in OWNERS for session in ("one", "two")]


def test_what_is_queued_is_not_queued_again_and_what_was_lost_is(url: str, postgres: PostgresServer) -> None:
    with PostgresJournal(url, "ada") as journal:
        regrades, queue = Regrades(journal), JobQueue(url)
        assert regrades.put(["one", "two", "three"], queue) == 1
        ((schema,),) = postgres.sql("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'jobs%'", name(url))
        postgres.sql(
            f"SET search_path = {schema}; DELETE FROM procrastinate_jobs WHERE args ->> 'session' = 'two'", name(url)
        )
        assert regrades.put([], queue) == 1
        assert jobs(postgres, url)[-1] == ("ada", "two")
        assert regrades.put([], queue) == 0


def test_the_first_outcome_counts_and_what_comes_after_it_does_not(url: str) -> None:
    with PostgresJournal(url, "ada") as journal:
        regrades, queue = Regrades(journal), JobQueue(url)
        assert [regrades.begin("one"), regrades.begin("one")] == [1, 2]
        assert regrades.standing() == Standing(queued=1, at_work=1, done=0, failed=0)
        assert regrades.keep("one", "first")
        assert not regrades.keep("one", "second")
        regrades.give_up("one", "third")
        regrades.put_off("one")
        assert regrades.begin("one") == 0
        regrades.give_up("two", "No rubric.")
        assert (regrades.outcomes(), regrades.failures()) == ({"one": "first"}, {"two": "No rubric."})
        assert regrades.standing() == Standing(queued=0, at_work=0, done=1, failed=1)
        assert regrades.standing().over
        assert regrades.put(["one", "two"], queue) == 0
        assert regrades.put(["one", "two"], queue, again=True) == 2
        assert regrades.standing() == Standing(queued=2, at_work=0, done=0, failed=0)


def test_what_is_put_off_counts_no_tries(url: str) -> None:
    with PostgresJournal(url, "ada") as journal:
        regrades = Regrades(journal)
        regrades.begin("one")
        regrades.put_off("one")
        assert regrades.standing() == Standing(queued=2, at_work=0, done=0, failed=0)
        assert regrades.begin("one") == 1
        # Its job waits in the queue all the while.
        assert regrades.put(["one"], JobQueue(url)) == 0


def test_accounts_stay_apart(url: str, postgres: PostgresServer) -> None:
    with PostgresJournal(url, "ada") as ada, PostgresJournal(url, "ben") as ben:
        assert Regrades(ada).keep("one", "hers")
        assert Regrades(ben).outcomes() == {}
        assert Regrades(ben).begin("one") == 1
        assert Regrades(ben).put([], JobQueue(url), again=True) == 0
        assert Regrades(ada).outcomes() == {"one": "hers"}
    # Whoever names no account finds nothing, with the pages' own password.
    with psycopg.connect(postgres.url(name(url)), autocommit=True) as page:
        assert page.execute("SELECT count(*) FROM regrades").fetchall() == [(0,)]
        assert page.execute("DELETE FROM regrades").rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            page.execute("INSERT INTO regrades VALUES ('ada', 'x')")
    assert postgres.sql("SELECT count(*) FROM regrades", name(url)) == [(4,)]


@pytest.mark.parametrize("session", ["one", None])
def test_what_came_of_an_interview_is_deleted_with_it(url: str, postgres: PostgresServer, session: str | None) -> None:
    with PostgresJournal(url, "ada") as journal:
        regrades = Regrades(journal)
        for each in ("one", "two"):
            regrades.keep(each, "quotes it")
        journal.delete(session)
        assert sorted(regrades.outcomes()) == ["two"] * (session is not None)
        # A worker that had it in hand keeps nothing of it.
        assert regrades.begin("one") == 0
        assert not regrades.keep("one", "quotes it")
    assert postgres.sql("SELECT count(*) FROM regrades WHERE owner <> 'ada'", name(url)) == [(4,)]


def test_rows_and_jobs_are_there_together_or_not_at_all(
    url: str, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = jobs(postgres, url)

    def refused(self: JobQueue, connection: sa.Connection, *given: object) -> list[int]:
        put(self, connection, *given)  # type: ignore[arg-type]
        connection.execute(sa.text("SELECT FROM nothing_of_that_name"))
        return []

    put = JobQueue.put
    queue = JobQueue(url)
    monkeypatch.setattr(JobQueue, "put", refused)
    with PostgresJournal(url, "ada") as journal, pytest.raises(StorageError):
        Regrades(journal).put(["three"], queue)
    assert jobs(postgres, url) == before
    assert postgres.sql("SELECT count(*) FROM regrades WHERE session_id = 'three'", name(url)) == [(0,)]


def test_whoever_comes_first_makes_the_queue_and_the_others_find_it(postgres: PostgresServer) -> None:
    url = postgres.database()
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: JobQueue(url), range(8)))
    assert jobs(postgres, url) == []
    # It is out of the way of what the journal has.
    assert postgres.sql(
        "SELECT count(*) FROM pg_tables WHERE tablename LIKE 'procrast%' AND schemaname = 'public'", name(url)
    ) == [(0,)]


def test_whoever_takes_interviews_without_a_queue_is_given_what_nobody_has_ended(url: str) -> None:
    with PostgresJournal(url, "ada") as journal:
        regrades = Regrades(journal)
        regrades.keep("one", "{}")
        assert regrades.take(["one", "two", "three"]) == ["two", "three"]
        assert regrades.outcomes(["two"]) == {}
        assert regrades.outcomes(["one", "two"]) == {"one": "{}"}
        # What is not done then is queued for workers, as it would have been.
        assert regrades.put([], JobQueue(url)) == 1
        assert regrades.take(["one", "two", "three"], again=True) == ["one", "two", "three"]
    with PostgresJournal(url, "ben") as journal:
        assert Regrades(journal).standing() == Standing(queued=2, at_work=0, done=0, failed=0)
