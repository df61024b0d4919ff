"""What a journal of sessions is: the protocol, and the summary of a session."""

from __future__ import annotations

import json
import re
import secrets
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol, Self

from interviewer.session.events import Event
from interviewer.session.plan import Plan
from serving.errors import DamagedError, NewerError, StorageError
from serving.frozen import FrozenModel

_SESSION_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)


class SessionSummary(FrozenModel):
    """A session at a glance.

    Attributes:
        id: what names it everywhere.
        started: time of its first event.
        last_activity: time of its latest event.
        plan: what the person wanted.
        asked: number of questions asked so far.
        ungraded: number of answers still to be graded.
        ended: whether it is over.
        damaged: number of events that are not what was written; an interview whose beginning is among them has no
            plan, and nobody knows what it was about.
        newer: whether a newer version began it in a way that this one does not know, so that it has no plan here.

    """

    id: str
    started: datetime
    last_activity: datetime
    plan: Plan
    asked: int
    ungraded: int
    ended: bool
    damaged: int = 0
    newer: bool = False


class DamagedEvent(FrozenModel):
    """An event that is left out of its interview.

    Attributes:
        number: its place in the interview, from 1.
        type: what it was, by its own account; empty where that is no name.
        changed: whether it is not what was written; otherwise it cannot be understood, as one of a newer version.
        stored: what stands in the journal in its place.

    """

    number: int
    type: str
    changed: bool
    stored: str

    @property
    def newer(self) -> bool:
        """Whether it is whole, and of a kind or with fields that only a newer version knows."""
        return not self.changed and is_event(self.stored)


class Stored(FrozenModel):
    """An interview as it stands in the journal.

    Attributes:
        events: what is whole of it, in the order in which it was stored.
        damaged: what is not.

    """

    events: tuple[Event, ...] = ()
    damaged: tuple[DamagedEvent, ...] = ()

    @property
    def newer(self) -> bool:
        """Whether nothing is damaged, and a newer version has stored something that this one does not know."""
        return bool(self.damaged) and all(one.newer for one in self.damaged)


def is_event(stored: str) -> bool:
    """Returns whether a text has the form of an event, be it one that this version does not know."""
    try:
        read = json.loads(stored)
    except (ValueError, RecursionError):
        return False
    return isinstance(read, dict) and all(isinstance(read.get(name), str) for name in ("id", "type", "at"))


def left_out_error(session_id: str, *, newer: bool) -> StorageError:
    """The error about an interview of which something is left out, so that it cannot go on here.

    Args:
        session_id: names it.
        newer: whether nothing is wrong with it but that this version does not know all of it.

    """
    if newer:
        return NewerError(
            f"Interview {session_id} was continued by a newer version of this program. This version does not know all "
            "of it and leaves it as it is.",
            hint="Nothing is lost. It goes on once this program is updated as well.",
        )
    return DamagedError(
        f"Interview {session_id} is damaged in the journal and cannot go on.",
        hint="Its report shows what can still be read. If you have an earlier file of `data export`, `data delete` "
        "that interview, then `data import` the file.",
    )


class EventJournal(Protocol):
    """An append-only store of events, session by session. Safe to use from several threads and processes."""

    def append(self, session_id: str, event: Event) -> bool:
        """Stores an event at the end of a session.

        Returns:
            Whether it was stored; ``False`` when the session has an event of that id already.

        Raises:
            StorageError: the store refused; nothing was stored.

        """
        ...

    def events(self, session_id: str, since: int = 1) -> tuple[Event, ...]:
        """Returns the events of a session in the order they were stored, without damaged ones; none for an unknown one.

        Args:
            session_id: names it.
            since: place of the first event wanted, counted from 1.

        Raises:
            StorageError: the store refused.

        """
        ...

    def read(self, session_id: str, since: int = 1) -> Stored:
        """Returns the same, and what of it is damaged.

        Raises:
            StorageError: the store refused.

        """
        ...

    def holds(self, session_id: str) -> bool:
        """Returns whether there is anything of a session, damaged or not.

        Raises:
            StorageError: the store refused.

        """
        ...

    def last_at(self, session_id: str) -> datetime | None:
        """Returns the latest time in a session; ``None`` for an unknown one.

        Raises:
            StorageError: the store refused.

        """
        ...

    def sessions(self, *, checked: bool = False) -> tuple[SessionSummary, ...]:
        """Returns all sessions, the latest active first.

        Args:
            checked: whether every event is compared with its digest, which takes seconds where there are many;
                otherwise damage is told only where it has been noticed before.

        Raises:
            StorageError: the store refused.

        """
        ...

    def delete(self, session_id: str | None) -> bool:
        """Deletes a session; every one where none is named.

        Returns:
            Whether there was one.

        Raises:
            StorageError: the store refused; nothing was deleted.

        """
        ...

    def lock(self, session_id: str) -> AbstractContextManager[object]:
        """Holds a session, so that nobody else reads and appends in between; whoever holds it may do so again."""
        ...

    def close(self) -> None:
        """Lets go of the store."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


def is_session_id(text: str) -> bool:
    """Returns whether a text is an id as ``new_session_id`` makes them; only such ones are begun under from outside."""
    return _SESSION_ID.fullmatch(text) is not None


def new_session_id() -> str:
    """Returns an id that nobody can guess, and that no command takes for an option."""
    return secrets.token_hex(16)


def new_seed() -> int:
    """Returns a seed for the choice of questions: no two interviews ask the same."""
    return secrets.randbelow(2**31)
