"""Assignments in PostgreSQL, which shows them to their groups alone (row-level security, migration 0009)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from interviewer.assignments.assignment import Member
from interviewer.storage.assignments.sql import SqlAssignments
from interviewer.storage.postgres_journal import PostgresJournal


class PostgresAssignments(SqlAssignments):
    """Assignments in a PostgreSQL database, each transaction in the name of whoever asks and of their groups.

    Args:
        url: the database's, as for ``PostgresJournal``.

    Raises:
        BadInputError: the URL is none.
        ServiceMissingError: the package that speaks to PostgreSQL is not installed.
        StorageError: the database cannot be reached or used, or was written by a newer version.

    """

    def __init__(self, url: str) -> None:
        self._journal = PostgresJournal(url)

    def close(self) -> None:
        """Let go of the database."""
        self._journal.close()

    @contextmanager
    def _transaction(self, member: Member, *, writes: bool = False) -> Iterator[sa.Connection | None]:
        named = {
            "interviewer.owner": f"={member.name}",
            "interviewer.groups": json.dumps(member.groups),
            "interviewer.mentor": "yes" if member.mentor else "no",
        }
        with self._journal.transaction(named) as connection:
            yield connection

    def _held(self, query: sa.Select[Any]) -> sa.Select[Any]:
        return query.with_for_update()
