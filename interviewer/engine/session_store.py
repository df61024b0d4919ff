"""Sessions as the engine works on them: each is held by one at a time, read once a request, and appended to.

The events and the state of the sessions used last stay in memory. Opening a session asks the journal only for what
was appended since, so a request costs the same early and late in an interview.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from cachetools import LRUCache, TTLCache

from interviewer.session.events import AnswerGiven, Event
from interviewer.session.journal import EventJournal, left_out_error
from interviewer.session.queries import ungraded
from interviewer.session.reducer import fold
from interviewer.session.state import AskedQuestion, State
from serving import metrics, traces
from serving.errors import BadInputError
from serving.idle import IDLE_S

_KEPT = 64
"""Sessions whose events and state stay in memory while they go on: one of half an hour takes a megabyte."""

_MOST_AHEAD = 1000
"""Sessions ahead of the clock; after more of them the time of one may stop for as long as it is ahead."""


class Snapshot(NamedTuple):
    """What is stored of a session.

    Attributes:
        events: what is whole of it, in the order it was stored.
        damaged: number of events that are not.
        newer: whether these are no more than unknown to this version of the program.
        state: what that folds to; ``None`` where it was not folded yet.

    """

    events: tuple[Event, ...]
    damaged: int = 0
    newer: bool = False
    state: State | None = None


class OpenSession:
    """A session while its lock is held.

    Args:
        session_id: names it.
        journal: where events go.
        clock: tells the time in the session, given when its latest event was.
        snapshot: what is stored of it.

    """

    def __init__(
        self,
        session_id: str,
        journal: EventJournal,
        clock: Callable[[datetime | None], datetime],
        snapshot: Snapshot,
    ) -> None:
        self.id = session_id
        self._journal = journal
        self._clock = clock
        self.events = snapshot.events
        self._damaged, self._newer = snapshot.damaged, snapshot.newer
        self._state = snapshot.state

    @property
    def state(self) -> State:
        """How the session stands, with everything appended so far."""
        if self._state is None:
            self._state = fold(self.events, self._damaged)
        return self._state

    @property
    def snapshot(self) -> Snapshot:
        """What is stored of it by now."""
        return Snapshot(self.events, self._damaged, self._newer, self.state)

    def now(self) -> datetime:
        """Returns a time later than all events, whatever the machine's clock does."""
        last = max((event.at for event in self.events), default=None)
        now = self._clock(last)
        return now if last is None else max(now, last + timedelta(microseconds=1))

    def append(self, event: Event) -> bool:
        """Stores an event.

        Returns:
            Whether it was stored; an id is in a journal once.

        Raises:
            StorageError: the disk refused, or something of the session is damaged, or of a newer version; nothing was
                stored.

        """
        self._check()
        with traces.span("journal.append", {"event.type": event.type}):
            stored = self._journal.append(self.id, event)
        if stored:
            metrics.EVENTS.labels(event.type).inc()
        # What was not stored another process has stored before, and perhaps more.
        self.events = (*self.events, event) if stored else self._journal.events(self.id)
        self._state = None
        return stored

    def event_of(self, request_id: str, *kinds: type[Event]) -> Event | None:
        """Returns the event that a request left; ``None`` where the request was not carried out yet.

        Args:
            request_id: the request's.
            kinds: what it may have left; anything without them.

        Raises:
            BadInputError: the id cannot be one, or belonged to a request of another kind.

        """
        check_request_id(request_id)
        event = next((event for event in self.events if event.id == request_id), None)
        if event is not None and kinds and not isinstance(event, kinds):
            raise used_otherwise(request_id)
        return event

    def happened(self, request_id: str, *kinds: type[Event]) -> bool:
        """Returns whether that request was carried out already.

        Raises:
            BadInputError: the id cannot be one, or belonged to a request of another kind.

        """
        return self.event_of(request_id, *kinds) is not None

    def running(self, *, paused: bool = False) -> State:
        """Returns the state of a session that is not over, nor paused unless that will do.

        Raises:
            BadInputError: it is.
            StorageError: something of it is damaged, or of a newer version.

        """
        self._check()
        if self.state.ended is not None:
            raise BadInputError("The interview is over; nothing was changed.")
        if self.state.paused and not paused:
            raise BadInputError("The interview is paused; nothing was changed.", hint="Resume it first.")
        return self.state

    def due(self) -> tuple[AnswerGiven, ...]:
        """Returns the answers that have no mark.

        Raises:
            NewerError: a newer version has continued the session, and it has something to do.

        """
        found = ungraded(self.state)
        if self._newer and (found or self.state.ended is None):
            self._check()
        return found

    def open_question(self) -> AskedQuestion:
        """Returns the open question of a session that is running.

        Raises:
            BadInputError: no question is open.

        """
        state = self.running()
        if state.current is None:
            raise BadInputError("No question is open just now.", hint="Continue the interview first.")
        return state.current

    def _check(self) -> None:
        if self._damaged:
            raise left_out_error(self.id, newer=self._newer)


class SessionStore:
    """Opens sessions. Safe to use from several threads.

    Args:
        journal: where events go.
        clock: tells the time in UTC.

    """

    def __init__(self, journal: EventJournal, clock: Callable[[], datetime]) -> None:
        self._journal = journal
        self._clock = clock
        self._guard = threading.Lock()
        self._known: TTLCache[str, Snapshot] = TTLCache(_KEPT, ttl=IDLE_S)
        self._ahead: LRUCache[str, timedelta] = LRUCache(_MOST_AHEAD)
        self._open: dict[str, OpenSession] = {}

    @contextmanager
    def open(self, session_id: str, *, new: bool = False) -> Iterator[OpenSession]:
        """Holds a session while it is read and appended to; whoever holds it may open it again.

        Args:
            session_id: names it.
            new: whether it may have no events yet.

        Raises:
            BadInputError: there is no session of that id.
            StorageError: the disk refused.

        """
        with traces.about(session_id), self._journal.lock(session_id):
            # Only the holder of the lock puts one here, so one that is here is this thread's own.
            outer = self._open.get(session_id)
            if outer is not None:
                yield outer
                return
            snapshot = self._latest(session_id, new=new)
            session = self._open[session_id] = OpenSession(
                session_id, self._journal, partial(self.now, session_id), snapshot
            )
            try:
                yield session
            finally:
                del self._open[session_id]
                if session.events:
                    self._keep(session_id, session.snapshot)

    def state(self, session_id: str) -> State:
        """Returns how a session stands, without waiting for whoever holds it.

        Raises:
            BadInputError: there is no session of that id.
            StorageError: the disk refused.

        """
        snapshot = self._latest(session_id)
        state = snapshot.state
        if state is None:
            state = fold(snapshot.events, snapshot.damaged)
            self._keep(session_id, snapshot._replace(state=state))
        return state

    def now(self, session_id: str, last: datetime | None) -> datetime:
        """Returns the time in a session: the clock's, and ahead of it where the session is, so that it never stops.

        Args:
            session_id: names it.
            last: when its latest event was; ``None`` where there is none.

        """
        with self._guard:
            ahead = self._ahead.get(session_id, timedelta())
            now = self._clock() + ahead
            if last is not None and now < last:
                # The clock was put back while the program did not run.
                self._ahead[session_id] = ahead + (last - now)
                return last
            return now

    def _latest(self, session_id: str, *, new: bool = False) -> Snapshot:
        with self._guard:
            known = self._known.get(session_id)
        if known is not None and not known.damaged:
            since = self._journal.read(session_id, since=len(known.events))
            if not since.damaged and since.events and since.events[0] == known.events[-1]:
                return known if len(since.events) == 1 else Snapshot((*known.events, *since.events[1:]))
        # Not known yet, deleted meanwhile, or damaged.
        stored = self._journal.read(session_id)
        if not stored.events:
            with self._guard:
                self._known.pop(session_id, None)
            if stored.damaged:
                raise left_out_error(session_id, newer=stored.newer)
            if not new:
                raise BadInputError(f"There is no interview {session_id}.")
        return Snapshot(stored.events, len(stored.damaged), stored.newer)

    def _keep(self, session_id: str, snapshot: Snapshot) -> None:
        with self._guard:
            self._known[session_id] = snapshot


def check_request_id(request_id: str) -> None:
    """Checks that a person's request is named as one.

    Raises:
        BadInputError: it is not.

    """
    # Ids with a colon are our own: those of what follows from a request are made from its id. Forged events have none.
    known = bool(request_id) and len(request_id) <= 150 and ":" not in request_id
    if not known or not request_id.isascii() or not request_id.isprintable():
        raise BadInputError(
            "A request id has 1 to 150 ASCII characters and no colon.", hint="Reload the page and try again."
        )


def used_otherwise(request_id: str) -> BadInputError:
    """Returns what is raised when an id comes with another request than the one it was used for."""
    return BadInputError(f"The request id {request_id} was used for something else.")
