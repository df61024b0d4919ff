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
from typing import Any, NamedTuple, Self
from weakref import WeakValueDictionary

import sqlalchemy as sa

from interviewer.session.events import EVENT, Event
from interviewer.session.journal import DamagedEvent, SessionSummary, Stored
from interviewer.storage import schema
from interviewer.storage.summaries import SUMMARIES, Told, readable, stored_text, summary_of, time_of, understood

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

_NUMBERS = ("asked", "answers", "grades", "endings", "events")

_FEW = 500
"""Interviews that are asked for by name; for more, all are read."""


class _Lock:
    """A lock that is forgotten once nobody holds it or waits for it."""

    def __init__(self) -> None:
        self.held = threading.RLock()


class _Checked(NamedTuple):
    """What the events of an interview amounted to when they were checked.

    Attributes:
        mark: number of its events and place of the last, which an index tells.
        kept: the summary that the database had of it then; ``None`` where it had none.
        summary: ``None`` where it has neither a beginning nor damage.

    """

    mark: tuple[int, ...]
    kept: Told | None
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
        self._checked: dict[bytes, _Checked] = {}
        self._doubtful: set[bytes] = set()

    @abstractmethod
    def _connection(self, *, writes: bool = False) -> AbstractContextManager[sa.Connection]:
        """A connection in a transaction, committed at the end; what the database refuses as our own error."""

    @abstractmethod
    def _mine(self, table: sa.TableClause) -> sa.ColumnElement[bool]:
        """Whether a row of a table belongs to this journal."""

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
    def _insert(self, connection: sa.Connection, row: dict[str, str]) -> str | None:
        """Puts a row at the end of its interview; ``None`` where the interview has an event of that id already.

        Returns:
            The oldest revision whose programs may use the database, as it is once the row is put there.

        """

    @abstractmethod
    def _delete(self, connection: sa.Connection, chosen: sa.ColumnElement[bool]) -> int:
        """Deletes events, which the database itself refuses otherwise; returns how many there were."""

    def append(self, session_id: str, event: Event) -> bool:
        """Store an event at the end of an interview.

        Returns:
            Whether it was stored; ``False`` when the interview has an event of that id already.

        Raises:
            StorageError: the database refused; nothing was stored, unless the connection was lost while it stored the
                event. The same event again is right in both cases.
            NewerError: a newer version has changed the database in a way that this version does not know; nothing was
                stored.

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
            oldest = self._insert(connection, row)
            if oldest is not None:
                schema.check(oldest, self._name)
            return oldest is not None

    def delete(self, session_id: str | None) -> bool:
        """Forget an interview for good; every one where none is named, whatever is damaged of them.

        Returns:
            Whether there was one.

        Raises:
            StorageError: the database refused; nothing was deleted.

        """
        chosen, listed = self._of(session_id, EVENTS), self._of(session_id, SUMMARIES)
        with self._connection(writes=True) as connection:
            gone = self._delete(connection, chosen) > 0
            # Most went with its events; one whose events have another id by damage did not.
            left = connection.execute(sa.delete(SUMMARIES).where(listed)).rowcount > 0
            schema.check(schema.oldest(connection), self._name)
        with self._guard:
            self._checked, self._doubtful = {}, set()
        return gone or left

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
            event = understood(row.payload) if row.sound else None
            if event is not None:
                events.append(event)
                continue
            named = readable(row.type)
            named = named if named.isidentifier() else ""
            stored = readable(row.payload)
            damaged.append(DamagedEvent(number=number, type=named, changed=not row.sound, stored=stored))
        if since == 1:
            self._note_damage(session_id, any(one.changed for one in damaged))
        return Stored(events=tuple(events), damaged=tuple(damaged))

    def holds(self, session_id: str) -> bool:
        """Whether there is anything of an interview, damaged or not.

        Raises:
            StorageError: the database refused, or could not take an event either.

        """
        query = sa.select(sa.exists().where(self._of(session_id)), schema.OLDEST)
        with self._connection() as connection:
            held, oldest = connection.execute(query).one()
        schema.check(oldest, self._name)
        return bool(held)

    def last_at(self, session_id: str) -> datetime | None:
        """The latest time in an interview; ``None`` for an unknown one.

        Raises:
            StorageError: the database refused.

        """
        query = sa.select(self._text(sa.func.max(EVENTS.c.at))).where(self._of(session_id))
        with self._connection() as connection:
            latest = connection.execute(query).scalar()
        return time_of(latest) if latest else None

    def sessions(self, *, checked: bool = False) -> tuple[SessionSummary, ...]:
        """All interviews that can be understood, the latest active first.

        Args:
            checked: whether the digest of every event is compared, once, and again when there are others of the same
                interview. Otherwise only summaries are read, and damage is told where it has been noticed: by an
                earlier check of this journal, or when the interview was read.

        Raises:
            StorageError: the database refused.

        """
        with self._connection() as connection:
            kept = {stored_text(one.id): one for one in self._kept(connection)}
            with self._guard:
                known, doubtful = dict(self._checked), set(self._doubtful)
            if checked or doubtful or known.keys() - kept.keys():
                # Before the events: where one comes in between, the mark is another one next time.
                now = self._marks(connection)
                fresh = {name for name, one in known.items() if (one.mark, one.kept) == (now.get(name), kept.get(name))}
                wanted = (now.keys() - fresh if checked else set()) | (doubtful & now.keys())
                known = {name: one for name, one in known.items() if name in now and name not in wanted}
                found = dict(self._summarized(connection, list(wanted))) if wanted else {}
                known |= {name: _Checked(now[name], kept.get(name), found.get(name)) for name in wanted}
                with self._guard:
                    self._checked, self._doubtful = known, self._doubtful - doubtful
        listed = {name: summary_of(one) for name, one in kept.items()}
        # A check stands until something is appended, whose summary is another one then.
        listed |= {name: one.summary for name, one in known.items() if one.kept == kept.get(name)}
        told = [one for one in listed.values() if one is not None]
        return tuple(sorted(sorted(told, key=lambda one: one.id), key=lambda one: one.last_activity, reverse=True))

    def _kept(self, connection: sa.Connection) -> Iterator[Told]:
        """The summaries that the database has."""
        names = ("session_id", "first_at", "last_at", "beginning")
        columns = (*(self._text(SUMMARIES.c[name]) for name in names), *(SUMMARIES.c[name] for name in _NUMBERS))
        for row in connection.execute(sa.select(*columns).where(self._mine(SUMMARIES))):
            yield Told(*row)

    def _marks(self, connection: sa.Connection) -> dict[bytes, tuple[int, ...]]:
        columns = (self._text(EVENTS.c.session_id), sa.func.count(), sa.func.max(EVENTS.c.seq))
        marks = sa.select(*columns).where(self._mine(EVENTS)).group_by(EVENTS.c.session_id)
        return {stored_text(row[0]): tuple(row[1:]) for row in connection.execute(marks)}

    def _note_damage(self, session_id: str, damaged: bool) -> None:
        """Has an interview checked where that it is damaged, or is not, is new to the list."""
        name = stored_text(session_id)
        with self._guard:
            known = self._checked.get(name)
            told = known is not None and known.summary is not None and known.summary.damaged > 0
            if told != damaged:
                self._doubtful.add(name)

    def _summarized(
        self, connection: sa.Connection, names: Sequence[bytes]
    ) -> Iterator[tuple[bytes, SessionSummary | None]]:
        """What the events of some interviews amount to, each checked; ``None`` where that is nothing to a list."""
        wanted = self._mine(EVENTS)
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

        query = sa.select(
            self._text(row.c.session_id),
            self._text(sa.func.min(at)),
            self._text(sa.func.max(at)),
            started,
            number_of("question_asked"),
            number_of("answer_given"),
            number_of("answer_graded"),
            number_of("interview_ended"),
            sa.func.count(),
            damaged,
        ).group_by(row.c.session_id)
        yield from ((stored_text(each[0]), summary_of(Told(*each))) for each in connection.execute(query))

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

    def _of(self, session_id: str | None, table: sa.TableClause = EVENTS) -> sa.ColumnElement[bool]:
        """Whether a row is of an interview, or of any where none is named."""
        mine = self._mine(table)
        return mine if session_id is None else sa.and_(mine, table.c.session_id == session_id)

    def _migrate(self) -> None:
        with self._connection() as connection:
            if schema.is_ready(connection, self._name):
                return
        # Whoever comes first keeps the others waiting until the schema is complete; they find it done.
        with self._connection(writes=True) as connection:
            self._wait_for_schema(connection)
            if not schema.is_ready(connection, self._name):
                schema.upgrade(connection, self._name)

    @abstractmethod
    def _wait_for_schema(self, connection: sa.Connection) -> None:
        """Waits until nobody else changes the schema, and keeps it from them to the end of the transaction."""


def event_digest(*fields: bytes | None) -> str:
    """SHA-256 of what is stored of an event, each field with its length before it, as hexadecimal digits."""
    digest = hashlib.sha256()
    for field in fields:
        value = field or b""
        digest.update(len(value).to_bytes(8) + value)
    return digest.hexdigest()


def _all_text(names: Sequence[bytes]) -> list[str]:
    """The names as texts; none where one of them is damaged, so that it cannot be asked for."""
    try:
        return [name.decode() for name in names]
    except UnicodeDecodeError:
        return []
