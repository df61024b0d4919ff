"""Assignments in a SQLite file, in the home below which accounts have their folders."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.event import listen

from interviewer.assignments.assignment import Member
from interviewer.storage.assignments.sql import TABLE, SqlAssignments
from interviewer.storage.sqlite_trouble import refusal
from serving import paths
from serving.errors import StorageError

_VERSION = 1
"""Of the table, as the file tells it."""

_PATIENCE_S = 5.0
"""Seconds to wait for another program that is writing."""


class SqliteAssignments(SqlAssignments):
    """Assignments in one file, which is made when the first one is given.

    Args:
        path: the file.

    """

    def __init__(self, path: Path) -> None:
        self._path = path
        # SQLite lets whoever waits for the write lock ask for it again and again, the unlucky of many for seconds.
        self._turn = threading.Lock()
        url = sa.URL.create("sqlite", database=str(path))
        self._engine = sa.create_engine(url, connect_args={"timeout": _PATIENCE_S})
        listen(self._engine, "connect", _set_up)
        listen(self._engine, "begin", _begin)

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    @contextmanager
    def _transaction(self, member: Member, *, writes: bool = False) -> Iterator[sa.Connection | None]:
        if not writes and not self._path.exists():
            yield None
            return
        paths.made(self._path.parent)
        try:
            with self._turn, self._engine.connect() as plain:
                connection = plain.execution_options(writes=writes)
                with connection.begin():
                    yield connection if self._ready(connection, writes=writes) else None
        except sa.exc.DBAPIError as error:
            why, hint = refusal(error)
            raise StorageError(f"The assignments in {self._path} cannot be used: {why}.", hint=hint) from error

    def _held(self, query: sa.Select[Any]) -> sa.Select[Any]:
        # Whoever writes to a file has it alone.
        return query

    def _ready(self, connection: sa.Connection, *, writes: bool) -> bool:
        """Whether there is a table; whoever writes makes it. A first writer who gave up left a file without one."""
        version = connection.exec_driver_sql("PRAGMA user_version").scalar() or 0
        if version > _VERSION:
            raise StorageError(
                f"The assignments in {self._path} were written by a newer version of this program.",
                hint="Update the program.",
            )
        if version < _VERSION and writes:
            TABLE.create(connection, checkfirst=True)
            connection.exec_driver_sql(f"PRAGMA user_version = {_VERSION}")
        return writes or version == _VERSION


def _set_up(connection: sqlite3.Connection, _record: object) -> None:
    # Transactions are begun by hand below: the driver would not begin one before a change of the schema.
    connection.isolation_level = None
    connection.execute("PRAGMA synchronous=FULL").close()


def _begin(connection: Any) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
