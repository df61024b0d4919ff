"""The journal in one SQLite file: what a person has who installs nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.event import listen

from interviewer.storage import schema
from interviewer.storage.sql_journal import DIGESTED, EVENTS, SqlJournal, event_digest
from interviewer.storage.sqlite_trouble import refusal
from serving.errors import BadInputError, StorageError

_APPEND = sa.text(
    "INSERT INTO events (session_id, seq, event_id, type, at, payload, digest) "
    "SELECT :session_id, COALESCE(MAX(seq), 0) + 1, :event_id, :type, :at, :payload, :digest "
    "FROM events WHERE session_id = :session_id "
    "ON CONFLICT (session_id, event_id) DO NOTHING"
)

# As bytes, since what is damaged need not be text any more.
_STORED = [sa.cast(EVENTS.c[name], sa.LargeBinary).label(name) for name in DIGESTED]

_SOUND = sa.or_(EVENTS.c.digest.is_(None), EVENTS.c.digest == sa.func.event_digest(*_STORED))


class Journal(SqlJournal):
    """Interviews as lists of events in one SQLite file; several processes may use it at once.

    What ``append`` returned for is on the disk (WAL with full synchronization); what it raised for is not
    there at all. Safe to use from several threads.

    Args:
        path: the file; it and its folder are made where missing, its schema is brought up to date.
        patience_s: how long to wait for another program that is writing.
        reads_only: whether the file takes nothing more once its schema is up to date.

    Raises:
        StorageError: the file cannot be opened, is no journal, or was written by a newer version.

    """

    def __init__(self, path: Path, *, patience_s: float = 5.0, reads_only: bool = False) -> None:
        self.path = path
        # SQLite lets whoever waits for the write lock ask for it again and again, the unlucky of many for seconds.
        self._turn = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"The folder {path.parent} cannot be made: {error.strerror}.",
                hint="Name a folder that you may write to.",
            ) from error
        url = sa.URL.create("sqlite", database=str(path))
        super().__init__(sa.create_engine(url, connect_args={"timeout": patience_s}), str(path))
        listen(self._engine, "connect", _set_up)
        listen(self._engine, "begin", _begin)
        try:
            self._migrate()
        except BaseException:
            self._engine.dispose()
            raise
        if reads_only:
            listen(self._engine, "begin", lambda connection: connection.exec_driver_sql("PRAGMA query_only = ON"))

    @contextmanager
    def _connection(self, *, writes: bool = False) -> Iterator[sa.Connection]:
        try:
            with self._turn if writes else nullcontext(), self._engine.connect() as plain:
                connection = plain.execution_options(writes=writes)
                with connection.begin():
                    yield connection
        except UnicodeEncodeError as error:
            # Half of a surrogate pair: a page's script may send one in an id, and no id of ours has one.
            raise BadInputError("An id of an interview or a request is not text.", hint="Reload the page.") from error
        except sa.exc.DBAPIError as error:
            why, hint = refusal(error)
            raise StorageError(f"The journal {self.path} cannot be used: {why}.", hint=hint) from error

    def _mine(self, table: sa.TableClause) -> sa.ColumnElement[bool]:
        return sa.true()

    @property
    def _sound(self) -> sa.ColumnElement[bool]:
        return _SOUND

    def _text(self, column: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        return sa.cast(column, sa.LargeBinary)

    def _computed_once(self, rows: sa.Select[Any]) -> sa.Subquery:
        # With a limit, none though it is, SQLite computes the digest of a row once and not for each use of it.
        return rows.limit(-1).subquery()

    def _insert(self, connection: sa.Connection, row: dict[str, str]) -> str | None:
        return schema.oldest(connection) if connection.execute(_APPEND, row).rowcount == 1 else None

    def _wait_for_schema(self, connection: sa.Connection) -> None:
        """Whoever writes to a file has it alone."""

    def _delete(self, connection: sa.Connection, chosen: sa.ColumnElement[bool]) -> int:
        name = "events_refuse_delete"
        # What refuses every other deletion is put aside for this one; the transaction brings it back in any case.
        guard = connection.execute(sa.text("SELECT sql FROM sqlite_master WHERE name = :name"), {"name": name})
        made_by = guard.scalar()
        connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name}")
        gone = connection.execute(sa.delete(EVENTS).where(chosen)).rowcount
        if made_by:
            connection.exec_driver_sql(made_by)
        return gone


def _set_up(connection: Any, _record: object) -> None:
    # Transactions are begun by hand below: the driver would not begin one before a change of the schema.
    connection.isolation_level = None
    connection.create_function("event_digest", len(DIGESTED), event_digest, deterministic=True)
    connection.execute("PRAGMA journal_mode=WAL").close()
    connection.execute("PRAGMA synchronous=FULL").close()


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
