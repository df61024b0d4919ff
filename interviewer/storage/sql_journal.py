"""What journals in a database share: an append-only store of events, and everything that is SQL on both databases.

Each event carries a digest of itself, so that what was damaged or changed in the database is noticed and left out, and
the rest of the interview can still be read. The digest is no signature: whoever writes to the database on purpose can
write that too.
"""

from __future__ import annotations

import hashlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self
from weakref import WeakValueDictionary

import sqlalchemy as sa
from pydantic import ValidationError

from interviewer.session.events import EVENT, Event, InterviewStarted
from interviewer.session.journal import DamagedEvent, SessionSummary, Stored
from interviewer.session.plan import Plan
from serving.errors import StorageError

_MIGRATIONS = Path(__file__).parent / "migrations"

# The newest migration. Compared before Alembic is imported, which takes longer than all the rest of opening.
HEAD = "0002"

EVENTS = sa.table(
    "events",
    sa.column("owner", sa.Text),
    sa.column("session_id", sa.Text),
    sa.column("seq", sa.Integer),
    sa.column("event_id", sa.Text),
    sa.column("type", sa.Text),
    sa.column("at", sa.Text),
    sa.column("payload", sa.Text),
    sa.column("digest", sa.Text),
)
"""The table of events. Only a database that many people share has the column ``owner``."""

DIGESTED = ("session_id", "event_id", "type", "at", "payload")
"""What the digest is made of."""

_FEW = 500
"""Interviews that are asked for by name; for more, all are read."""

_UNKNOWN_TIME = datetime.fromtimestamp(0, UTC)

Text = bytes | str | None
"""A text of the database; bytes where what is damaged need not be text any more."""


class _Lock:
    """A lock that is forgotten once nobody holds it or waits for it."""

    def __init__(self) -> None:
        self.held = threading.RLock()


class _Listed(NamedTuple):
    """What a list says of an interview.

    Attributes:
        mark: number of its events and place of the last, which an index tells.
        summary: ``None`` where it has neither a beginning nor damage.

    """

    mark: tuple[int, ...]
    summary: SessionSummary | None


class SqlJournal(ABC):
    """Interviews as lists of events in a database. Safe to use from several threads.

    Args:
        engine: connects to the database.
        name: what the journal is called in messages to a person.

    """

    def __init__(self, engine: sa.Engine, name: str) -> None:
        self._engine, self._name = engine, name
        self._guard = threading.Lock()
        self._locks: WeakValueDictionary[str, _Lock] = WeakValueDictionary()
        self._listed: dict[bytes, _Listed] = {}

    @abstractmethod
    def _connection(self, *, writes: bool = False) -> AbstractContextManager[sa.Connection]:
        """A connection in a transaction, committed at the end; what the database refuses as our own error."""

    @property
    @abstractmethod
    def _mine(self) -> sa.ColumnElement[bool]:
        """Whether a row belongs to this journal."""

    @property
    @abstractmethod
    def _sound(self) -> sa.ColumnElement[bool]:
        """Whether a row is what was written."""

    @abstractmethod
    def _text(self, column: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """A text that can be read though it is damaged."""

    @abstractmethod
    def _computed_once(self, rows: sa.Select[Any]) -> sa.Subquery:
        """Rows whose digests are computed once, however often they are used."""

    @abstractmethod
    def _insert(self, connection: sa.Connection, row: dict[str, str]) -> bool:
        """Puts a row at the end of its interview; ``False`` where the interview has an event of that id already."""

    @abstractmethod
    def _delete(self, connection: sa.Connection, chosen: sa.ColumnElement[bool]) -> int:
        """Deletes rows, which the database itself refuses otherwise; returns how many there were."""

    def append(self, session_id: str, event: Event) -> bool:
        """Store an event at the end of an interview.

        Returns:
            Whether it was stored; ``False`` when the interview has an event of that id already.

        Raises:
            StorageError: the database refused; nothing was stored, unless the connection was lost while it stored the
                event. The same event again is right in both cases.

        """
        row = {
            "session_id": session_id,
            "event_id": event.id,
            "type": event.type,
            "at": event.at.astimezone(UTC).isoformat(timespec="microseconds"),
            "payload": EVENT.dump_json(event).decode(),
        }
        row["digest"] = event_digest(*(row[name].encode() for name in DIGESTED))
        with self._connection(writes=True) as connection:
            return self._insert(connection, row)

    def delete(self, session_id: str | None) -> bool:
        """Forget an interview for good; every one where none is named, whatever is damaged of them.

        Returns:
            Whether there was one.

        Raises:
            StorageError: the database refused; nothing was deleted.

        """
        chosen = self._mine if session_id is None else self._of(session_id)
        with self._connection(writes=True) as connection:
            gone = self._delete(connection, chosen) > 0
        with self._guard:
            self._listed = {}
        return gone

    def events(self, session_id: str, since: int = 1) -> tuple[Event, ...]:
        """The events of an interview in the order they were stored, without damaged ones; none for an unknown one.

        Args:
            session_id: names it.
            since: place of the first event wanted, counted from 1.

        Raises:
            StorageError: the database refused.

        """
        return self.read(session_id, since).events

    def read(self, session_id: str, since: int = 1) -> Stored:
        """The events of an interview in the order they were stored, and what of them is damaged.

        Args:
            session_id: names it.
            since: place of the first event wanted, counted from 1.

        Raises:
            StorageError: the database refused.

        """
        wanted = sa.and_(self._of(session_id), EVENTS.c.seq >= since)
        kind, payload = (self._text(EVENTS.c[name]).label(name) for name in ("type", "payload"))
        query = sa.select(kind, payload, self._sound.label("sound")).where(wanted).order_by(EVENTS.c.seq)
        with self._connection() as connection:
            rows = connection.execute(query).all()
        events: list[Event] = []
        damaged: list[DamagedEvent] = []
        for number, row in enumerate(rows, since):
            event = _understood(row.payload) if row.sound else None
            if event is not None:
                events.append(event)
                continue
            named = _readable(row.type)
            named = named if named.isidentifier() else ""
            stored = _readable(row.payload)
            damaged.append(DamagedEvent(number=number, type=named, changed=not row.sound, stored=stored))
        if since == 1:
            self._note_damage(session_id, any(one.changed for one in damaged))
        return Stored(events=tuple(events), damaged=tuple(damaged))

    def holds(self, session_id: str) -> bool:
        """Whether there is anything of an interview, damaged or not.

        Raises:
            StorageError: the database refused.

        """
        query = sa.select(sa.literal(1)).where(self._of(session_id)).limit(1)
        with self._connection() as connection:
            return connection.execute(query).scalar() is not None

    def last_at(self, session_id: str) -> datetime | None:
        """The latest time in an interview; ``None`` for an unknown one.

        Raises:
            StorageError: the database refused.

        """
        query = sa.select(self._text(sa.func.max(EVENTS.c.at))).where(self._of(session_id))
        with self._connection() as connection:
            latest = connection.execute(query).scalar()
        return _time(latest) if latest else None

    def sessions(self) -> tuple[SessionSummary, ...]:
        """All interviews that can be understood, the latest active first; those that cannot are logged.

        The digest of each event is computed once, and again when there are others of the same interview. Damage that
        comes after that, and its repair, is noticed when the interview is read, and by the next process.

        Raises:
            StorageError: the database refused.

        """
        columns = (self._text(EVENTS.c.session_id), sa.func.count(), sa.func.max(EVENTS.c.seq))
        marks = sa.select(*columns).where(self._mine).group_by(EVENTS.c.session_id)
        with self._connection() as connection:
            # Before the events: where one comes in between, the mark is another one next time.
            now = {_stored(row[0]): tuple(row[1:]) for row in connection.execute(marks)}
            with self._guard:
                kept = {name: one for name, one in self._listed.items() if now.get(name) == one.mark}
            changed = [name for name in now if name not in kept]
            found = {name: _summary(row) for name, row in self._summarized(connection, changed)} if changed else {}
        kept |= {name: _Listed(now[name], found.get(name)) for name in changed}
        with self._guard:
            self._listed = kept
        listed = [one.summary for one in kept.values() if one.summary is not None]
        return tuple(sorted(sorted(listed, key=lambda one: one.id), key=lambda one: one.last_activity, reverse=True))

    def _note_damage(self, session_id: str, damaged: bool) -> None:
        """Has an interview summarized anew where that it is damaged, or is not, is new to the list."""
        with self._guard:
            listed = self._listed.get(_stored(session_id))
            if listed is not None and listed.summary is not None and (listed.summary.damaged > 0) != damaged:
                del self._listed[_stored(session_id)]

    def _summarized(self, connection: sa.Connection, names: Sequence[bytes]) -> Iterator[tuple[bytes, sa.Row[Any]]]:
        """What is to be said of some interviews in a list, those left out that are nothing to it."""
        wanted = self._mine
        if len(names) <= _FEW and (texts := _all_text(names)):
            wanted = sa.and_(wanted, EVENTS.c.session_id.in_(texts))
        began = EVENTS.c.type == "interview_started"
        columns = (EVENTS.c.session_id, EVENTS.c.type, EVENTS.c.at)
        beginning = sa.case((began, self._text(EVENTS.c.payload))).label("beginning")
        found = sa.select(*columns, beginning, self._sound.label("sound")).where(wanted)
        row = self._computed_once(found)
        at = sa.case((row.c.sound, row.c.at))
        started = sa.func.max(sa.case((row.c.sound, row.c.beginning)))
        damaged = sa.func.sum(sa.case((row.c.sound, 0), else_=1))

        def number_of(name: str) -> sa.ColumnElement[int]:
            return sa.func.count(sa.case((sa.and_(row.c.type == name, row.c.sound), 1)))

        query = (
            sa.select(
                self._text(row.c.session_id).label("id"),
                self._text(sa.func.min(at)).label("first"),
                self._text(sa.func.max(at)).label("last"),
                damaged.label("damaged"),
                started.label("started"),
                number_of("question_asked").label("asked"),
                number_of("answer_given").label("answers"),
                number_of("answer_graded").label("grades"),
                number_of("interview_ended").label("ended"),
            )
            .group_by(row.c.session_id)
            .having(sa.or_(started.is_not(None), damaged > 0))
        )
        yield from ((_stored(each.id), each) for each in connection.execute(query))

    @contextmanager
    def lock(self, session_id: str) -> Iterator[None]:
        """Hold an interview; whoever holds it may do so again. Other processes are not kept out."""
        with self._guard:
            lock = self._locks.setdefault(session_id, _Lock())
        with lock.held:
            yield

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _of(self, session_id: str) -> sa.ColumnElement[bool]:
        return sa.and_(self._mine, EVENTS.c.session_id == session_id)

    def _migrate(self) -> None:
        with self._connection() as connection:
            if _version(connection) == HEAD:
                return
        # Whoever comes first keeps the others waiting until the schema is complete; they find it done.
        with self._connection(writes=True) as connection:
            self._wait_for_schema(connection)
            if _version(connection) != HEAD:
                self._upgrade(connection)

    @abstractmethod
    def _wait_for_schema(self, connection: sa.Connection) -> None:
        """Waits until nobody else changes the schema, and keeps it from them to the end of the transaction."""

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
                f"The journal {self._name} was written by a newer version of this program.",
                hint="Update the program, or name another folder or database.",
            ) from error


def event_digest(*fields: bytes | None) -> str:
    """SHA-256 of what is stored of an event, each field with its length before it, as hexadecimal digits."""
    digest = hashlib.sha256()
    for field in fields:
        value = field or b""
        digest.update(len(value).to_bytes(8) + value)
    return digest.hexdigest()


def _understood(payload: Text) -> Event | None:
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
        id=_readable(row.id),
        started=_time(row.first),
        last_activity=_time(row.last),
        plan=started.plan if isinstance(started, InterviewStarted) else Plan(),
        asked=row.asked,
        ungraded=max(0, row.answers - row.grades),
        ended=row.ended > 0,
        damaged=row.damaged if begun else max(1, row.damaged),
    )


def _stored(text: Text) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text or b"")


def _all_text(names: Sequence[bytes]) -> list[str]:
    """The names as texts; none where one of them is damaged, so that it cannot be asked for."""
    try:
        return [name.decode() for name in names]
    except UnicodeDecodeError:
        return []


def _readable(stored: Text) -> str:
    return stored if isinstance(stored, str) else bytes(stored or b"").decode(errors="replace")


def _time(stored: Text) -> datetime:
    """A time as it was stored; the beginning of 1970 where it is none."""
    try:
        text = stored if isinstance(stored, str) else (stored or b"").decode()
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return _UNKNOWN_TIME


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
