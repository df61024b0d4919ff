"""The list of interviews is told by summaries, which are what the events amount to, on both databases."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.event import listen

from interviewer.session.events import AnswerGiven, AnswerGraded, Event, InterviewEnded, InterviewStarted, QuestionAsked
from interviewer.session.journal import EventJournal
from interviewer.session.plan import Plan
from interviewer.session.queries import ungraded
from interviewer.session.reducer import fold
from interviewer.storage.postgres_journal import PostgresJournal
from interviewer.storage.registry import open_journal
from interviewer.storage.sqlite_journal import Journal
from rubric.grading.grader import GradeRequest
from serving.errors import StorageError
from tests.interviewer.builders import at, keyword_grade, question
from tests.interviewer.storage.test_journal_contract import ANSWER, ASKED, STARTED, hint
from tests.postgres import PAGE, PostgresServer

QUESTION = question("q")
assert QUESTION.rubric is not None
GRADE = keyword_grade(GradeRequest(question=QUESTION.text, rubric=QUESTION.rubric, answer="It is."))
HELD = {"over": 7, "open": 4, "empty": 1}
"""Interviews with how many events each has."""


def fill(journal: EventJournal) -> None:
    """Hold some interviews."""
    end = InterviewEnded(id="e", at=at(9), reason="completed")
    for name, length in HELD.items():
        for event in [STARTED, ASKED, ANSWER, hint(3), hint(4), hint(5), end][:length]:
            journal.append(name, event)


def test_the_first_list_reads_no_event_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        fill(journal)
    read: list[str] = []

    def watch(connection: sqlite3.Connection, _: object) -> None:
        def note(action: int, table: str | None, *_: object) -> int:
            if action == sqlite3.SQLITE_READ and table:
                read.append(table)
            return sqlite3.SQLITE_OK

        connection.set_authorizer(note)

    with Journal(path) as journal:
        # A new connection, which tells what is read over it.
        journal._engine.dispose()
        listen(journal._engine, "connect", watch)
        assert {one.id for one in journal.sessions()} == set(HELD)
        assert read.count("events") == 0
        assert "summaries" in read
        journal.sessions(checked=True)
        assert "events" in read


def test_the_first_list_is_shown_to_who_may_not_read_events_at_all(postgres: PostgresServer) -> None:
    url = postgres.database()
    name = url.rpartition("/")[2]
    with PostgresJournal(url) as journal:
        fill(journal)
    postgres.sql(f"REVOKE SELECT ON events FROM {PAGE}", name)
    with PostgresJournal(url) as journal:
        assert {one.id for one in journal.sessions()} == set(HELD)
        with pytest.raises(StorageError, match="may not do that"):
            journal.sessions(checked=True)


def told(journal: EventJournal) -> Iterator[tuple[object, ...]]:
    """What the list says."""
    for one in journal.sessions():
        yield one.id, one.started, one.last_activity, one.plan, one.asked, one.ungraded, one.ended, one.damaged


def folded(journal: EventJournal, names: Sequence[str]) -> list[tuple[object, ...]]:
    """The same by the events themselves."""
    found = []
    for name in names:
        events = journal.events(name)
        state = fold(events)
        if state.plan is not None:
            times = [event.at for event in events]
            counted = len(state.asked), len(ungraded(state)), state.ended is not None, 0
            found.append((name, min(times), max(times), state.plan, *counted))
    return sorted(sorted(found, key=lambda one: str(one[0])), key=lambda one: one[2], reverse=True)  # type: ignore[return-value,arg-type]


@st.composite
def interviews(draw: st.DrawFn) -> list[tuple[str, Event]]:
    """What several interviews append, in any order among each other: questions, answers, some of them marked."""
    every: list[list[tuple[str, Event]]] = []
    for name in draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4, unique=True)):
        clock = iter(range(1_000))
        kept: list[Event] = []
        if draw(st.integers(0, 9)):
            plan = Plan(length=draw(st.integers(1, 9)), topics=tuple(draw(st.sampled_from([(), ("autograd",)]))))
            kept.append(InterviewStarted(id="interview:started", at=at(next(clock)), plan=plan))
        for number in range(1, draw(st.integers(0, 3)) + 1):
            asked = f"q{number}"
            kept.append(QuestionAsked(id=asked, at=at(next(clock)), number=number, question=QUESTION, said="Q?"))
            for which in range(draw(st.integers(0, 3))):
                answer = f"{asked}a{which}"
                kept.append(AnswerGiven(id=answer, at=at(next(clock)), asked_id=asked, text="It is \x00 \U0001f600."))
                if draw(st.booleans()):
                    # The same mark may come from two pages; it counts once.
                    mark = AnswerGraded(
                        id=f"{answer}:graded",
                        at=at(next(clock)),
                        asked_id=asked,
                        answer_id=answer,
                        graded_text="It is.",
                        grade=GRADE,
                    )
                    kept += [mark] * draw(st.integers(1, 2))
        if draw(st.booleans()):
            kept.append(InterviewEnded(id="ended", at=at(next(clock)), reason="completed"))
        every.append([(name, event) for event in kept])
    order = draw(st.permutations([place for place, rows in enumerate(every) for _ in rows]))
    taken = [iter(rows) for rows in every]
    return [next(taken[place]) for place in order]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(rows=interviews())
def test_a_list_is_what_the_events_fold_to(journal: EventJournal, rows: list[tuple[str, Event]]) -> None:
    journal.delete(None)
    for name, event in rows:
        journal.append(name, event)
    assert list(told(journal)) == folded(journal, "abcd")
    assert journal.sessions() == journal.sessions(checked=True)
    if rows:
        journal.delete(rows[0][0])
        assert list(told(journal)) == folded(journal, "abcd")


def test_what_was_appended_at_once_is_counted_once(journal: EventJournal, url: str) -> None:
    def write(writer: int) -> None:
        with open_journal(url) as mine:
            for number in range(10):
                mine.append("one", AnswerGiven(id=f"{writer}-{number}", at=at(number), asked_id="q1", text="x"))

    journal.append("one", STARTED)
    journal.append("one", ASKED)
    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (one,) = journal.sessions()
    assert (one.asked, one.ungraded) == (1, 40)


def test_an_event_that_was_not_stored_is_not_counted(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        journal.append("one", STARTED)
        before = journal.sessions()
        with journal._connection() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StorageError, match="the disk is full"):
            journal.append("one", AnswerGiven(id="a", at=at(5), asked_id="q1", text="x" * 100_000))
        assert journal.sessions() == before


AS_BEFORE = """
    DROP TRIGGER IF EXISTS events_summarize ON events; DROP FUNCTION events_summarize;
    ALTER TABLE events NO FORCE ROW LEVEL SECURITY; ALTER TABLE events DISABLE ROW LEVEL SECURITY;
    DROP POLICY seen_rows ON events; DROP POLICY added_rows ON events; DROP POLICY changed_rows ON events;
    DROP POLICY deleted_rows ON events; DROP FUNCTION IF EXISTS events_unregrade CASCADE; DROP TABLE IF EXISTS regrades;
    DROP FUNCTION IF EXISTS summaries_left_over CASCADE; DROP TABLE IF EXISTS left_over;
    DROP TABLE compatibility; DROP TABLE assignments; DROP TABLE summaries;
    UPDATE alembic_version SET version_num = '0002'
"""


def test_a_database_of_before_gets_its_summaries_whoever_they_belong_to(postgres: PostgresServer) -> None:
    url = postgres.database()
    name = url.rpartition("/")[2]
    now = {}
    for owner in ("", "ada", "ben"):
        with PostgresJournal(url, owner) as journal:
            fill(journal)
            journal.append(f"of {owner}", STARTED)
            now[owner] = journal.sessions()
    for statement in AS_BEFORE.split(";"):
        postgres.sql(statement, name)
    for owner, before in now.items():
        with PostgresJournal(url, owner) as journal:
            assert journal.sessions() == before
            assert journal.append("open", InterviewEnded(id="late", at=at(20), reason="completed"))
            assert journal.sessions()[0].ended
            assert journal.sessions() == journal.sessions(checked=True)


def test_events_that_come_during_the_migration_are_counted_too(postgres: PostgresServer) -> None:
    """A page of the version before appends all the time, as a page that is not stopped for the update."""
    import psycopg

    url = postgres.database()
    name = url.rpartition("/")[2]
    with PostgresJournal(url) as journal:
        fill(journal)
    for statement in AS_BEFORE.split(";"):
        postgres.sql(statement, name)
    stop, began = threading.Event(), threading.Event()

    def write() -> None:
        number = 0
        # Nobody whom row-level security binds: an earlier version names no account.
        with psycopg.connect(postgres.url(name, user="keeper"), autocommit=True) as connection:
            while not stop.is_set():
                number += 1
                connection.execute(
                    "INSERT INTO events SELECT '', 'over', 100 + %s, %s, 'answer_given', at, payload, NULL FROM events "
                    "WHERE session_id = 'over' AND type = 'answer_given' LIMIT 1",
                    (number, f"late {number}"),
                )
                began.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert began.wait(60)
        PostgresJournal(url).close()
    finally:
        stop.set()
        writer.join()
    assert postgres.sql("SELECT events, answers FROM summaries WHERE session_id = 'over'", name) == postgres.sql(
        "SELECT count(*), count(*) FILTER (WHERE type = 'answer_given') FROM events WHERE session_id = 'over'", name
    )


def test_a_file_of_before_gets_its_summaries_and_an_earlier_program_keeps_them_up(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        fill(journal)
        before = journal.sessions()
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(
            "DROP TRIGGER events_summarize; DROP TRIGGER events_unsummarize; DROP TABLE summaries; "
            "DROP TABLE compatibility; "
            "UPDATE alembic_version SET version_num = '0002'"
        )
    with Journal(path) as journal:
        assert journal.sessions() == before
        # As the version before appends: it knows of events only.
        with closing(sqlite3.connect(path)) as raw:
            raw.execute(
                "INSERT INTO events SELECT session_id, 5, 'x', type, at, payload, NULL FROM events "
                "WHERE session_id = 'open' AND type = 'answer_given'"
            )
            raw.commit()
        assert {one.id: one.ungraded for one in journal.sessions()}["open"] == 2


def test_the_table_is_what_the_program_names(journal: EventJournal) -> None:
    from interviewer.storage.summaries import SUMMARIES

    columns = {each["name"] for each in sa.inspect(journal._engine).get_columns("summaries")}  # type: ignore[attr-defined]
    owner = set() if isinstance(journal, Journal) else {"owner"}
    assert columns == {each.name for each in SUMMARIES.columns} - ({"owner"} - owner)
