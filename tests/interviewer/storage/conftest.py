"""Journals of every kind that there is, each empty."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing

import pytest

from interviewer.session.journal import EventJournal
from interviewer.storage.registry import JOURNALS, open_journal
from tests.postgres import PostgresServer

URLS: Mapping[str, Callable[[pytest.FixtureRequest], str]] = {
    "sqlite": lambda request: f"sqlite:///{request.getfixturevalue('tmp_path') / 'journal.db'}",
    "postgresql": lambda request: request.getfixturevalue("postgres").database(),
}
"""A URL of an empty journal, by scheme."""


@pytest.fixture(params=JOURNALS)
def url(request: pytest.FixtureRequest) -> str:
    return URLS[request.param](request)


@pytest.fixture
def journal(url: str) -> Iterator[EventJournal]:
    with open_journal(url) as made:
        yield made


@pytest.fixture
def behind(request: pytest.FixtureRequest, url: str) -> Callable[[str], None]:
    """Runs a statement behind the journal's back."""
    if url.startswith("sqlite"):

        def on_file(statement: str) -> None:
            with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as raw:
                raw.execute(statement)
                raw.commit()

        return on_file
    server: PostgresServer = request.getfixturevalue("postgres")
    return lambda statement: server.sql(statement, url.rpartition("/")[2]) and None
