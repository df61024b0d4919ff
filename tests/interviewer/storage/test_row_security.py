"""PostgreSQL itself keeps accounts apart: rows are there only for a transaction that names whose they are."""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from deploy.programs import program
from interviewer.session.events import InterviewEnded
from interviewer.storage import postgres_journal
from interviewer.storage.postgres_journal import PostgresJournal
from serving.errors import StorageError
from tests.interviewer.builders import at
from tests.interviewer.storage.test_journal_contract import ANSWER, ASKED, STARTED, hint
from tests.postgres import PAGE, PASSWORD, USER, PostgresServer

OWNERS = ("", "ada", "ben")
"""Whose interviews there are; nobody's are those of a program without accounts."""

TABLES = {"events": 3, "summaries": 1, "left_over": 1}
"""The tables, each with how many rows an owner has."""

READ = ("events", "summaries")
"""Those of them that are read for somebody else."""


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    made = postgres.database()
    for owner in OWNERS:
        with PostgresJournal(made, owner) as journal:
            for event in (STARTED, ASKED, ANSWER):
                journal.append("one", event)
    return made


def name(url: str) -> str:
    return url.rpartition("/")[2]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "setting",
    [
        "SELECT",
        "SET interviewer.owner = ''",
        "SET interviewer.owner = 'ada'",  # without the sign before it
        "SET interviewer.owner = '=nobody'",
        "SET interviewer.owner = '=ada=ben'",
        "SET interviewer.owner = '%'",
        "SET row_security = on",
    ],
)
def test_a_connection_that_names_no_account_sees_and_changes_nothing(
    url: str, postgres: PostgresServer, table: str, setting: str
) -> None:
    with psycopg.connect(postgres.url(name(url)), autocommit=True) as page:
        page.execute(setting.encode())
        assert page.execute(f"SELECT count(*) FROM {table}".encode()).fetchall() == [(0,)]
        assert page.execute(f"SELECT FROM {table} FOR UPDATE".encode()).rowcount == 0
        assert page.execute(f"UPDATE {table} SET session_id = 'mine'".encode()).rowcount == 0
        assert page.execute(f"DELETE FROM {table}".encode()).rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            page.execute("INSERT INTO events VALUES ('ada', 'one', 9, 'x', 'x', 'x', 'x', NULL)")
    # They are there.
    assert postgres.sql(f"SELECT count(*) FROM {table}", name(url)) == [(len(OWNERS) * TABLES[table],)]


@pytest.mark.parametrize("owner", OWNERS)
def test_a_transaction_sees_the_account_that_it_names_and_the_next_one_nothing(
    url: str, postgres: PostgresServer, owner: str
) -> None:
    with psycopg.connect(postgres.url(name(url)), autocommit=True) as page:
        for table, rows in TABLES.items():
            with page.transaction():
                page.execute("SELECT set_config('interviewer.owner', %s, true)", (f"={owner}",))
                found = page.execute(f"SELECT owner FROM {table}".encode()).fetchall()
                assert found == [(owner,)] * rows
                other = next(each for each in OWNERS if each != owner)
                refused = pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security")
                with refused, page.transaction():
                    page.execute("INSERT INTO events VALUES (%s, 'two', 1, 'x', 'x', 'x', 'x', NULL)", (other,))
            assert page.execute(f"SELECT count(*) FROM {table}".encode()).fetchall() == [(0,)]


READS = "SELECT set_config('interviewer.reads', %s, true)"


@pytest.mark.parametrize("table", READ)
def test_a_transaction_that_reads_an_account_sees_its_rows_and_changes_none(
    url: str, postgres: PostgresServer, table: str
) -> None:
    with psycopg.connect(postgres.url(name(url)), autocommit=True) as page:
        with page.transaction():
            page.execute(READS, ("=ada",))
            assert page.execute(f"SELECT owner FROM {table}".encode()).fetchall() == [("ada",)] * TABLES[table]
            assert page.execute(f"SELECT FROM {table} FOR UPDATE".encode()).rowcount == 0
            assert page.execute(f"UPDATE {table} SET session_id = 'mine'".encode()).rowcount == 0
            page.execute(b"SET LOCAL interviewer.deletes = 'yes'")
            assert page.execute(f"DELETE FROM {table}".encode()).rowcount == 0
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"), page.transaction():
                page.execute("INSERT INTO events VALUES ('ada', 'one', 9, 'x', 'x', 'x', 'x', NULL)")
        assert page.execute(f"SELECT count(*) FROM {table}".encode()).fetchall() == [(0,)]
    assert postgres.sql(f"SELECT count(*) FROM {table}", name(url)) == [(len(OWNERS) * TABLES[table],)]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("named", ["", "=", "ada", "=ada,ben", "=ada=ben", "=%", "=nobody"])
def test_who_names_nobody_to_read_reads_nothing(url: str, postgres: PostgresServer, table: str, named: str) -> None:
    """Nor the interviews that belong to nobody."""
    with psycopg.connect(postgres.url(name(url)), autocommit=True) as page, page.transaction():
        page.execute(READS, (named,))
        assert page.execute(f"SELECT count(*) FROM {table}".encode()).fetchall() == [(0,)]


@pytest.mark.parametrize("forgetful", [False, True])
def test_a_journal_that_reads_tells_all_of_an_account_and_nothing_of_another(
    url: str, monkeypatch: pytest.MonkeyPatch, forgetful: bool
) -> None:
    with PostgresJournal(url, "ben") as ben:
        ben.append("his", STARTED)
    if forgetful:
        monkeypatch.setattr(PostgresJournal, "_mine", lambda *_: sa.true())
    with PostgresJournal(url, "ada") as ada, PostgresJournal(url, "ada", reads_only=True) as read:
        for checked in (False, True):
            assert read.sessions(checked=checked) == ada.sessions(checked=checked)
        assert read.read("one") == ada.read("one")
        assert read.last_at("one") == ada.last_at("one")
        assert not read.holds("his")
        with pytest.raises(StorageError):
            read.append("one", hint(1))
        assert not read.delete("one")
        assert len(ada.events("one")) == 3


def test_a_connection_of_the_pool_comes_back_without_an_account(url: str) -> None:
    with PostgresJournal(url, "ada") as journal:
        assert journal.holds("one")
        with journal._own_connection() as connection, postgres_journal._transaction(connection, {}):
            assert connection.execute(sa.text("SELECT count(*) FROM events")).scalar() == 0


def test_a_query_of_ours_that_forgets_the_account_finds_and_deletes_only_its_own(
    url: str, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresJournal, "_mine", lambda *_: sa.true())
    with PostgresJournal(url, "ada") as ada:
        assert ada.append("hers", STARTED)
        assert ada.append("one", InterviewEnded(id="e", at=at(7), reason="completed"))
    with PostgresJournal(url, "ben") as ben:
        assert ben.events("hers") == ()
        assert not ben.holds("hers")
        assert ben.last_at("hers") is None
        assert ben.last_at("one") == at(2)
        for checked in (False, True):
            assert [(one.id, one.ended) for one in ben.sessions(checked=checked)] == [("one", False)]
        assert not ben.delete("hers")
        assert ben.delete(None)
    owned = "SELECT owner, count(*) FROM events GROUP BY owner ORDER BY owner"
    assert postgres.sql(owned, name(url)) == [("", 3), ("ada", 5)]


def test_the_one_whom_it_does_not_bind_would_find_them(
    url: str, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the test before this one holds against: a superuser with the same fault of ours."""
    monkeypatch.setattr(PostgresJournal, "_mine", lambda *_: sa.true())
    with PostgresJournal(postgres.url(name(url), user=USER), "carol") as carol:
        assert len(carol.events("one")) == 9


def test_holding_an_interview_and_appending_go_on_as_before(url: str) -> None:
    with PostgresJournal(url, "ada") as ada, PostgresJournal(url, "ben", patience_s=0.1) as ben:
        with ada.lock("one"), ben.lock("one"):
            # Each holds their own interview of that name; appending takes the lock as well.
            assert ada.append("one", hint(1))
            assert ben.append("one", hint(2))
            assert not ada.append("one", hint(1))
        assert [event.id for event in ada.events("one")] == ["s", "q1", "a", "h1"]
        assert [event.id for event in ben.events("one")] == ["s", "q1", "a", "h2"]


@pytest.mark.parametrize("owner", ["o'neill", "a\\'; DROP TABLE events; --", "100%s", ":name", "=", "ädä \U0001f600"])
def test_whatever_an_account_is_called_it_is_named_and_nothing_else(url: str, owner: str) -> None:
    with PostgresJournal(url, owner) as theirs, PostgresJournal(url, "ada") as ada:
        # More often than it takes until the driver would prepare a statement.
        for number in range(12):
            assert theirs.append("one", hint(number))
        assert len(theirs.events("one")) == 12
        assert len(ada.events("one")) == 3


def test_queries_still_go_by_the_index(url: str, postgres: PostgresServer) -> None:
    with PostgresJournal(url, "ada") as journal, journal._connection() as connection:
        connection.execute(sa.text("SET LOCAL enable_seqscan = off"))
        plan = connection.execute(
            sa.text("EXPLAIN SELECT payload FROM events WHERE owner = 'ada' AND session_id = 'one' AND seq >= 2")
        )
        lines = "\n".join(str(row[0]) for row in plan)
    assert "Index Scan using " in lines
    assert "session_id = 'one'" in lines.partition("Index Cond")[2].partition("\n")[0]


@pytest.mark.parametrize(("user", "owner", "told"), [(USER, "ada", True), (PAGE, "ada", False), (USER, "", False)])
def test_a_user_whom_it_does_not_bind_is_told_where_there_are_accounts(
    url: str, postgres: PostgresServer, caplog: pytest.LogCaptureFixture, user: str, owner: str, told: bool
) -> None:
    postgres_journal._told.clear()
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            PostgresJournal(postgres.url(name(url), user=user), owner).close()
    # Once, however many accounts there are.
    assert [PASSWORD in line for line in caplog.messages if "sees every account" in line] == [False] * told


def dumped(postgres: PostgresServer, user: str, database: str, *options: str) -> subprocess.CompletedProcess[str]:
    found = program("pg_dump")
    if found is None:
        pytest.skip("pg_dump is not installed")
    command = [found, "--host", "127.0.0.1", "--port", str(postgres.port), "--user", user, *options, database]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={"PGPASSWORD": PASSWORD, "PATH": "/usr/bin:/bin"}
    )


def rows(dump: str) -> int:
    """Rows of events in a dump."""
    return len(dump.partition("COPY public.events ")[2].partition("\n\\.")[0].splitlines()) - 1


@pytest.fixture
def keeper_of_copies(postgres: PostgresServer) -> str:
    """A user for backups, as the documentation makes one."""
    if not postgres.sql("SELECT 1 FROM pg_roles WHERE rolname = 'backup'"):
        postgres.sql(f"CREATE ROLE backup LOGIN BYPASSRLS PASSWORD '{PASSWORD}'")
        postgres.sql("GRANT pg_read_all_data TO backup")
    return "backup"


def test_a_backup_has_everything_or_fails_and_is_never_empty_by_mistake(
    url: str, postgres: PostgresServer, keeper_of_copies: str
) -> None:
    for user in (USER, keeper_of_copies):
        done = dumped(postgres, user, name(url))
        assert (done.returncode, rows(done.stdout)) == (0, 9), done.stderr
    refused = dumped(postgres, PAGE, name(url))
    assert refused.returncode != 0
    assert "row-level security" in refused.stderr
    # What the documentation warns of.
    empty = dumped(postgres, PAGE, name(url), "--enable-row-security")
    assert (empty.returncode, rows(empty.stdout)) == (0, 0)


def test_an_export_is_one_accounts_and_several_make_up_everything(
    url: str, tmp_path: Path, run_as: Callable[..., str]
) -> None:
    import zipfile

    for owner in OWNERS:
        run_as(owner, "data", "export", str(tmp_path / f"{owner}.zip"), "--database", url)
        with zipfile.ZipFile(tmp_path / f"{owner}.zip") as archive:
            assert [each for each in archive.namelist() if each.startswith("sessions/")] == ["sessions/one.jsonl"]
            assert len(archive.read("sessions/one.jsonl").splitlines()) == 3


@pytest.fixture
def run_as(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    from serving import paths
    from tests.integration.commands import in_process

    def run(owner: str, *arguments: str) -> str:
        home = tmp_path / "home"
        monkeypatch.setenv(paths.HOME_VARIABLE, str(home / paths.PROFILES / owner if owner else home))
        status, out, err = in_process(*arguments)
        assert status == 0, err
        return out

    return run
