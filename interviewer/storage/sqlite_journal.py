"""The journal: an append-only store of events. The only file here that knows SQL."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sa
from pydantic import ValidationError
from sqlalchemy.event import listen

from interviewer.session.events import EVENT, Event, InterviewStarted
from interviewer.session.journal import SessionSummary
from serving.errors import StorageError

_MIGRATIONS = Path(__file__).parent / "migrations"

# The newest migration. Compared before Alembic is imported, which takes longer than all the rest of opening.
HEAD = "0001"

_SESSION_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)

_TABLE = sa.table(
    "events",
    sa.column("session_id", sa.Text),
    sa.column("seq", sa.Integer),
    sa.column("event_id", sa.Text),
    sa.column("type", sa.Text),
    sa.column("at", sa.Text),
    sa.column("payload", sa.Text),
)

_APPEND = sa.text(
    "INSERT INTO events (session_id, seq, event_id, type, at, payload) "
    "SELECT :session_id, COALESCE(MAX(seq), 0) + 1, :event_id, :type, :at, :payload "
    "FROM events WHERE session_id = :session_id "
    "ON CONFLICT (session_id, event_id) DO NOTHING"
)

_TROUBLE = {
    sqlite3.SQLITE_FULL: ("the disk is full", "Make room and try again."),
    sqlite3.SQLITE_READONLY: ("it is read-only", "Make the file and its folder writable."),
    sqlite3.SQLITE_BUSY: ("another program keeps it locked", "Close the other program or try again."),
    sqlite3.SQLITE_LOCKED: ("another program keeps it locked", "Close the other program or try again."),
    sqlite3.SQLITE_CANTOPEN: ("it cannot be opened", "Check that its folder is there and writable."),
    sqlite3.SQLITE_PERM: ("we may not open it", "Check who owns the file and its folder."),
    sqlite3.SQLITE_NOTADB: ("it is not an interview journal", "Move it away or name another folder."),
    sqlite3.SQLITE_CORRUPT: ("it is damaged", "Restore it from a copy or move it away."),
}


def is_session_id(text: str) -> bool:
    """Whether a text is an id as ``new_session_id`` makes them; only such ones are begun under from outside."""
    return _SESSION_ID.fullmatch(text) is not None


class Journal:
    """Interviews as lists of events in one SQLite file; several processes may use it at once.

    What ``append`` returned for is on the disk (WAL with full synchronisation); what it raised for is not
    there at all. Safe to use from several threads.

    Args:
        path: the file; it and its folder are made where missing, its schema is brought up to date.
        patience_s: how long to wait for another program that is writing.

    Raises:
        StorageError: the file cannot be opened, is no journal, or was written by a newer version.

    """

    def __init__(self, path: Path, *, patience_s: float = 5.0) -> None:
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
        self._engine = sa.create_engine(
            sa.URL.create("sqlite", database=str(path)), connect_args={"timeout": patience_s}
        )
        listen(self._engine, "connect", _set_up)
        listen(self._engine, "begin", _begin)
        try:
            self._migrate()
        except BaseException:
            self._engine.dispose()
            raise

    def append(self, session_id: str, event: Event) -> bool:
        """Store an event at the end of an interview.

        Returns:
            Whether it was stored; ``False`` when the interview has an event of that id already.

        Raises:
            StorageError: the disk refused; nothing was stored.

        """
        row = {
            "session_id": session_id,
            "event_id": event.id,
            "type": event.type,
            "at": event.at.astimezone(UTC).isoformat(timespec="microseconds"),
            "payload": EVENT.dump_json(event).decode(),
        }
        with self._connection(writes=True) as connection:
            return connection.execute(_APPEND, row).rowcount == 1

    def delete(self, session_id: str) -> bool:
        """Forget an interview for good.

        Returns:
            Whether there was one.

        Raises:
            StorageError: the disk refused; nothing was deleted.

        """
        name = "events_refuse_delete"
        with self._connection(writes=True) as connection:
            # What refuses every other deletion is put aside for this one; the transaction brings it back in any case.
            guard = connection.execute(sa.text("SELECT sql FROM sqlite_master WHERE name = :name"), {"name": name})
            made_by = guard.scalar()
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name}")
            gone = connection.execute(sa.delete(_TABLE).where(_TABLE.c.session_id == session_id)).rowcount
            if made_by:
                connection.exec_driver_sql(made_by)
            return gone > 0

    def events(self, session_id: str) -> tuple[Event, ...]:
        """The events of an interview in the order they were stored; none for an unknown one.

        Raises:
            StorageError: the disk refused, or an event cannot be understood.

        """
        query = sa.select(_TABLE.c.payload).where(_TABLE.c.session_id == session_id).order_by(_TABLE.c.seq)
        with self._connection() as connection:
            payloads = connection.execute(query).scalars().all()
        return tuple(self._read(payload) for payload in payloads)

    def last_at(self, session_id: str) -> datetime | None:
        """The latest time in an interview; ``None`` for an unknown one.

        Raises:
            StorageError: the disk refused.

        """
        query = sa.select(sa.func.max(_TABLE.c.at)).where(_TABLE.c.session_id == session_id)
        with self._connection() as connection:
            latest = connection.execute(query).scalar()
        return datetime.fromisoformat(latest) if latest else None

    def sessions(self) -> tuple[SessionSummary, ...]:
        """All interviews, the latest active first.

        Raises:
            StorageError: the disk refused, or an interview cannot be understood.

        """
        started = sa.func.max(sa.case((_TABLE.c.type == "interview_started", _TABLE.c.payload)))
        last = sa.func.max(_TABLE.c.at)
        query = (
            sa.select(
                _TABLE.c.session_id,
                sa.func.min(_TABLE.c.at).label("first"),
                last.label("last"),
                started.label("started"),
                _number_of("question_asked").label("asked"),
                _number_of("answer_given").label("answers"),
                _number_of("answer_graded").label("grades"),
                _number_of("interview_ended").label("ended"),
            )
            .group_by(_TABLE.c.session_id)
            .having(started.is_not(None))
            .order_by(last.desc(), _TABLE.c.session_id)
        )
        with self._connection() as connection:
            rows = connection.execute(query).all()
        return tuple(self._summary(row) for row in rows)

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _summary(self, row: sa.Row[Any]) -> SessionSummary:
        started = self._read(row.started)
        if not isinstance(started, InterviewStarted):
            raise StorageError(f"Interview {row.session_id} in {self.path} does not begin as one.")
        return SessionSummary(
            id=row.session_id,
            started=datetime.fromisoformat(row.first),
            last_activity=datetime.fromisoformat(row.last),
            plan=started.plan,
            asked=row.asked,
            ungraded=row.answers - row.grades,
            ended=row.ended > 0,
        )

    def _read(self, payload: str) -> Event:
        try:
            return EVENT.validate_json(payload)
        except ValidationError as error:
            raise StorageError(
                f"An event in {self.path} cannot be understood.",
                hint="A newer version of this program may have written it.",
            ) from error

    @contextmanager
    def _connection(self, *, writes: bool = False) -> Iterator[sa.Connection]:
        """A connection in a transaction, committed at the end; the disk's refusals as our own error."""
        try:
            with self._turn if writes else nullcontext(), self._engine.connect() as plain:
                connection = plain.execution_options(writes=writes)
                with connection.begin():
                    yield connection
        except sa.exc.DBAPIError as error:
            why, hint = _TROUBLE.get(
                getattr(error.orig, "sqlite_errorcode", 0) & 0xFF,
                (f"the disk refused ({error.orig})", "Check the disk and try again."),
            )
            raise StorageError(f"The journal {self.path} cannot be used: {why}.", hint=hint) from error

    def _migrate(self) -> None:
        with self._connection() as connection:
            if _version(connection) == HEAD:
                return
        # Whoever comes first holds the write lock until the schema is complete; the others find it done.
        with self._connection(writes=True) as connection:
            if _version(connection) != HEAD:
                self._upgrade(connection)

    def _upgrade(self, connection: sa.Connection) -> None:
        from alembic import command  # noqa: PLC0415 - slow to import, seldom needed
        from alembic.config import Config  # noqa: PLC0415
        from alembic.util import CommandError  # noqa: PLC0415

        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise StorageError(
                f"The journal {self.path} was written by a newer version of this program.",
                hint="Update the program, or name another folder.",
            ) from error


def _number_of(name: str) -> sa.ColumnElement[int]:
    return sa.func.count(sa.case((_TABLE.c.type == name, 1)))


def _set_up(connection: Any, _record: object) -> None:
    # Transactions are begun by hand below: the driver would not begin one before a change of the schema.
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode=WAL").close()
    connection.execute("PRAGMA synchronous=FULL").close()


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
