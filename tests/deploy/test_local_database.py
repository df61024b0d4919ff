"""The database of a cluster belongs to nobody whom row-level security does not bind, one of an earlier version too."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from deploy.local_database import NAME, USER, LocalDatabase
from deploy.programs import not_as_root
from interviewer.storage.postgres_journal import PostgresJournal
from serving.llm.vllm_server import free_port
from tests.interviewer.storage.test_journal_contract import ANSWER, ASKED, STARTED
from tests.interviewer.storage.test_summaries import AS_BEFORE
from tests.postgres import lacking


@contextmanager
def served(folder: Path) -> Iterator[LocalDatabase]:
    """A database that runs."""
    database = LocalDatabase(folder, free_port())
    database.prepare()
    process = subprocess.Popen(not_as_root(database.command()), cwd=folder)
    try:
        end = time.monotonic() + 120
        while not database.answers():
            assert time.monotonic() < end
            time.sleep(0.05)
        yield database
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def folder() -> Iterator[Path]:
    if why := lacking():
        pytest.skip(why)
    made = Path(tempfile.mkdtemp(prefix="cluster-"))
    # Whoever PostgreSQL runs as has to get through to its own folder.
    made.chmod(0o755)
    yield made / "database"
    shutil.rmtree(made)


def test_pages_are_bound_by_row_level_security_in_a_database_of_an_earlier_version_too(folder: Path) -> None:
    with served(folder) as database:
        assert database.answers()
        with PostgresJournal(database.url, "ada") as ada, PostgresJournal(database.url, "ben") as ben:
            for event in (STARTED, ASKED, ANSWER):
                assert ada.append("one", event)
            assert not ben.holds("one")
        # As it was before: everything is the superuser's, and of the version before.
        with psycopg.connect(database._url(NAME, USER), autocommit=True) as connection:
            for statement in AS_BEFORE.split(";"):
                connection.execute(statement.encode())
            for each in ("DATABASE interviews", "TABLE events", "TABLE alembic_version", "FUNCTION events_refuse()"):
                connection.execute(f"ALTER {each} OWNER TO {USER}".encode())
        assert database.answers()
        with PostgresJournal(database.url, "ada") as ada, PostgresJournal(database.url, "ben") as ben:
            assert ada.events("one") == (STARTED, ASKED, ANSWER)
            assert [one.asked for one in ada.sessions()] == [1]
            assert not ben.holds("one")
        with psycopg.connect(database.url) as page:
            assert page.execute("SELECT count(*) FROM events").fetchone() == (0,)
