"""The journal as interviews are held on it: one at a time on each, every request once, every event after all others."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

from interviewer.session.events import Event
from interviewer.session.reducer import fold
from interviewer.session.state import AskedQuestion, State
from interviewer.storage.sqlite_journal import Journal
from serving.errors import BadInputError


class Ledger:
    """Reads and appends what happens in interviews. Safe to use from several threads.

    Args:
        journal: where events go.
        clock: tells the time in UTC.

    """

    def __init__(self, journal: Journal, clock: Callable[[], datetime]) -> None:
        self._journal = journal
        self._clock = clock
        self._guard = threading.Lock()
        # A lock that nobody holds or waits for is forgotten with its interview.
        self._locks: WeakValueDictionary[str, threading.RLock] = WeakValueDictionary()

    def locked(self, session_id: str) -> AbstractContextManager[object]:
        """Hold an interview while reading and appending; whoever holds it may do so again."""
        with self._guard:
            return self._locks.setdefault(session_id, threading.RLock())

    def events(self, session_id: str) -> tuple[Event, ...]:
        """All that happened in an interview.

        Raises:
            BadInputError: there is none of that id.
            StorageError: the disk refused.

        """
        events = self._journal.events(session_id)
        if not events:
            raise BadInputError(f"There is no interview {session_id}.")
        return events

    def state(self, session_id: str) -> State:
        """How an interview stands.

        Raises:
            BadInputError: there is none of that id.
            StorageError: the disk refused.

        """
        return fold(self.events(session_id))

    def running(self, session_id: str, *, paused: bool = False) -> State:
        """The state of an interview that is not over, nor paused unless that will do.

        Raises:
            BadInputError: it is.
            StorageError: the disk refused.

        """
        state = self.state(session_id)
        if state.ended is not None:
            raise BadInputError("The interview is over; nothing was changed.")
        if state.paused and not paused:
            raise BadInputError("The interview is paused; nothing was changed.", hint="Go on with it first.")
        return state

    def open_question(self, session_id: str) -> AskedQuestion:
        """The open question of an interview that is running.

        Raises:
            BadInputError: no question is open.
            StorageError: the disk refused.

        """
        state = self.running(session_id)
        if state.current is None:
            raise BadInputError("No question is open just now.", hint="Continue the interview first.")
        return state.current

    def happened(self, session_id: str, request_id: str, *kinds: type[Event]) -> bool:
        """Whether that request was carried out already.

        Raises:
            BadInputError: the id cannot be one, or belonged to a request of another kind.
            StorageError: the disk refused.

        """
        return self.event_of(session_id, request_id, *kinds) is not None

    def event_of(self, session_id: str, request_id: str, *kinds: type[Event]) -> Event | None:
        """The event that a request left; ``None`` where it was not carried out yet.

        Raises:
            BadInputError: the id cannot be one, or belonged to a request of another kind.
            StorageError: the disk refused.

        """
        check_request_id(request_id)
        event = next((event for event in self.events(session_id) if event.id == request_id), None)
        if event is not None and not isinstance(event, kinds):
            raise used_otherwise(request_id)
        return event

    def put(self, session_id: str, event: Callable[..., Event]) -> bool:
        """Append an event with a time after all others, whatever the machine's clock does.

        Returns:
            Whether it was appended: an id is in a journal once.

        Raises:
            StorageError: the disk refused.

        """
        now = self._clock()
        last = self._journal.last_at(session_id)
        if last is not None:
            now = max(now, last + timedelta(microseconds=1))
        return self._journal.append(session_id, event(at=now))


def check_request_id(request_id: str) -> None:
    """See that a person's request is named as one.

    Raises:
        BadInputError: it is not.

    """
    # Ids with a colon are our own: those of what follows from a request are made from its id. What is not printable
    # holds halves of surrogate pairs too, which cannot be stored.
    if not request_id or len(request_id) > 150 or ":" in request_id or not request_id.isprintable():
        raise BadInputError(
            "A request id has 1 to 150 printable characters and no colon.", hint="Reload the page and try again."
        )


def used_otherwise(request_id: str) -> BadInputError:
    """What is raised when an id comes with another request than the one it was used for."""
    return BadInputError(f"The request id {request_id} was used for something else.")
