"""The journal: an append-only store of events. The only file here that knows SQL.

Each event carries a digest of itself, so that what was damaged or changed on the disk is noticed and left out, and the
rest of the interview can still be read. The digest is no signature: whoever writes to the file on purpose can write
that too.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self
from weakref import WeakValueDictionary

import sqlalchemy as sa
from pydantic import ValidationError
from sqlalchemy.event import listen

from interviewer.session.events import EVENT, Event, InterviewStarted
from interviewer.session.journal import DamagedEvent, SessionSummary, Stored
from interviewer.session.plan import Plan
from serving.errors import BadInputError, StorageError

_MIGRATIONS = Path(__file__).parent / "migrations"

# The newest migration. Compared before Alembic is imported, which takes longer than all the rest of opening.
HEAD = "0002"

_TABLE = sa.table(
    "events",
    sa.column("session_id", sa.Text),
    sa.column("seq", sa.Integer),
    sa.column("event_id", sa.Text),
    sa.column("type", sa.Text),
    sa.column("at", sa.Text),
    sa.column("payload", sa.Text),
    sa.column("digest", sa.Text),
)

_APPEND = sa.text(
    "INSERT INTO events (session_id, seq, event_id, type, at, payload, digest) "
    "SELECT :session_id, COALESCE(MAX(seq), 0) + 1, :event_id, :type, :at, :payload, :digest "
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

# What the digest is made of.
_DIGESTED = ("session_id", "event_id", "type", "at", "payload")

# As bytes, since what is damaged need not be text any more.
_STORED = [sa.cast(_TABLE.c[name], sa.LargeBinary).label(name) for name in _DIGESTED]

_SOUND = sa.or_(_TABLE.c.digest.is_(None), _TABLE.c.digest == sa.func.event_digest(*_STORED))

_UNKNOWN_TIME = datetime.fromtimestamp(0, UTC)


class _Lock:
    """A lock that is forgotten once nobody holds it or waits for it."""

    def __init__(self) -> None:
        self.held = threading.RLock()


class Journal:
    """Interviews as lists of events in one SQLite file; several processes may use it at once.

    What ``append`` returned for is on the disk (WAL with full synchronization); what it raised for is not
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
        self._guard = threading.Lock()
        self._locks: WeakValueDictionary[str, _Lock] = WeakValueDictionary()
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
        row["digest"] = event_digest(*(row[name].encode() for name in _DIGESTED))
        with self._connection(writes=True) as connection:
            return connection.execute(_APPEND, row).rowcount == 1

    def delete(self, session_id: str | None) -> bool:
        """Forget an interview for good; every one where none is named, whatever is damaged of them.

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
            chosen = sa.true() if session_id is None else _TABLE.c.session_id == session_id
            gone = connection.execute(sa.delete(_TABLE).where(chosen)).rowcount
            if made_by:
                connection.exec_driver_sql(made_by)
            return gone > 0

    def events(self, session_id: str, since: int = 1) -> tuple[Event, ...]:
        """The events of an interview in the order they were stored, without damaged ones; none for an unknown one.

        Args:
            session_id: names it.
            since: place of the first event wanted, counted from 1.

        Raises:
            StorageError: the disk refused.

        """
        return self.read(session_id, since).events

    def read(self, session_id: str, since: int = 1) -> Stored:
        """The events of an interview in the order they were stored, and what of them is damaged.

        Args:
            session_id: names it.
            since: place of the first event wanted, counted from 1.

        Raises:
            StorageError: the disk refused.

        """
        wanted = sa.and_(_TABLE.c.session_id == session_id, _TABLE.c.seq >= since)
        query = sa.select(*_STORED, _SOUND.label("sound")).where(wanted).order_by(_TABLE.c.seq)
        with self._connection() as connection:
            rows = connection.execute(query).all()
        events: list[Event] = []
        damaged: list[DamagedEvent] = []
        for number, row in enumerate(rows, since):
            event = _understood(row.payload) if row.sound else None
            if event is not None:
                events.append(event)
                continue
            kind, stored = (bytes(value or b"").decode(errors="replace") for value in (row.type, row.payload))
            kind = kind if kind.isidentifier() else ""
            damaged.append(DamagedEvent(number=number, type=kind, changed=not row.sound, stored=stored))
        return Stored(events=tuple(events), damaged=tuple(damaged))

    def holds(self, session_id: str) -> bool:
        """Whether there is anything of an interview, damaged or not.

        Raises:
            StorageError: the disk refused.

        """
        query = sa.select(sa.literal(1)).where(_TABLE.c.session_id == session_id).limit(1)
        with self._connection() as connection:
            return connection.execute(query).scalar() is not None

    def last_at(self, session_id: str) -> datetime | None:
        """The latest time in an interview; ``None`` for an unknown one.

        Raises:
            StorageError: the disk refused.

        """
        query = sa.select(_text(sa.func.max(_TABLE.c.at))).where(_TABLE.c.session_id == session_id)
        with self._connection() as connection:
            latest = connection.execute(query).scalar()
        return _time(latest) if latest else None

    def sessions(self) -> tuple[SessionSummary, ...]:
        """All interviews that can be understood, the latest active first; those that cannot are logged.

        Raises:
            StorageError: the disk refused.

        """
        began = _TABLE.c.type == "interview_started"
        columns = (_TABLE.c.session_id, _TABLE.c.type, _TABLE.c.at)
        beginning = sa.case((began, _STORED[-1])).label("beginning")
        # With a limit, none though it is, SQLite computes the digest of a row once and not for each use of it.
        row = sa.select(*columns, beginning, _SOUND.label("sound")).limit(-1).subquery()
        at = sa.case((row.c.sound, row.c.at))
        started, last = sa.func.max(sa.case((row.c.sound, row.c.beginning))), sa.func.max(at)
        damaged = sa.func.sum(sa.case((row.c.sound, 0), else_=1))

        def number_of(name: str) -> sa.ColumnElement[int]:
            return sa.func.count(sa.case((sa.and_(row.c.type == name, row.c.sound), 1)))

        query = (
            sa.select(
                _text(row.c.session_id).label("id"),
                _text(sa.func.min(at)).label("first"),
                _text(last).label("last"),
                damaged.label("damaged"),
                started.label("started"),
                number_of("question_asked").label("asked"),
                number_of("answer_given").label("answers"),
                number_of("answer_graded").label("grades"),
                number_of("interview_ended").label("ended"),
            )
            .group_by(row.c.session_id)
            .having(sa.or_(started.is_not(None), damaged > 0))
            .order_by(last.desc(), row.c.session_id)
        )
        with self._connection() as connection:
            rows = connection.execute(query).all()
        return tuple(_summary(row) for row in rows)

    @contextmanager
    def lock(self, session_id: str) -> Iterator[None]:
        """Hold an interview; whoever holds it may do so again. Other processes are not kept out."""
        with self._guard:
            lock = self._locks.setdefault(session_id, _Lock())
        with lock.held:
            yield

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _connection(self, *, writes: bool = False) -> Iterator[sa.Connection]:
        """A connection in a transaction, committed at the end; the disk's refusals as our own error."""
        try:
            with self._turn if writes else nullcontext(), self._engine.connect() as plain:
                connection = plain.execution_options(writes=writes)
                with connection.begin():
                    yield connection
        except UnicodeEncodeError as error:
            # Half of a surrogate pair: a page's script may send one in an id, and no id of ours has one.
            raise BadInputError("An id of an interview or a request is not text.", hint="Reload the page.") from error
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


def event_digest(*fields: bytes | None) -> str:
    """SHA-256 of what is stored of an event, each field with its length before it, as hexadecimal digits."""
    digest = hashlib.sha256()
    for field in fields:
        value = field or b""
        digest.update(len(value).to_bytes(8) + value)
    return digest.hexdigest()


def _understood(payload: bytes | None) -> Event | None:
    """The event in a payload; ``None`` where it is none that this version knows, or its time names no zone."""
    try:
        event = EVENT.validate_json(payload or b"")
    except ValidationError:
        return None
    return event if event.at.tzinfo is not None else None


def _summary(row: sa.Row[Any]) -> SessionSummary:
    started = _understood(row.started)
    begun = isinstance(started, InterviewStarted)
    return SessionSummary(
        id=bytes(row.id or b"").decode(errors="replace"),
        started=_time(row.first),
        last_activity=_time(row.last),
        plan=started.plan if isinstance(started, InterviewStarted) else Plan(),
        asked=row.asked,
        ungraded=max(0, row.answers - row.grades),
        ended=row.ended > 0,
        damaged=row.damaged if begun else max(1, row.damaged),
    )


def _time(stored: bytes | None) -> datetime:
    """A time as it was stored; the beginning of 1970 where it is none."""
    try:
        return datetime.fromisoformat((stored or b"").decode()).astimezone(UTC)
    except (ValueError, OverflowError):
        return _UNKNOWN_TIME


def _text(column: sa.ColumnElement[Any]) -> sa.ColumnElement[bytes]:
    """A text as bytes, since what is damaged need not be text any more."""
    return sa.cast(column, sa.LargeBinary)


def _set_up(connection: Any, _record: object) -> None:
    # Transactions are begun by hand below: the driver would not begin one before a change of the schema.
    connection.isolation_level = None
    connection.create_function("event_digest", len(_DIGESTED), event_digest, deterministic=True)
    connection.execute("PRAGMA journal_mode=WAL").close()
    connection.execute("PRAGMA synchronous=FULL").close()


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
