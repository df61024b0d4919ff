"""What a list says of an interview: how the database keeps it, and what is made of it."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

import sqlalchemy as sa
from pydantic import ValidationError

from interviewer.session.events import EVENT, Event, InterviewStarted
from interviewer.session.journal import SessionSummary, is_event
from interviewer.session.plan import Plan

SUMMARIES = sa.table(
    "summaries",
    sa.column("owner", sa.Text),
    sa.column("session_id", sa.Text),
    sa.column("events", sa.Integer),
    sa.column("first_at", sa.Text),
    sa.column("last_at", sa.Text),
    sa.column("beginning", sa.Text),
    sa.column("asked", sa.Integer),
    sa.column("answers", sa.Integer),
    sa.column("grades", sa.Integer),
    sa.column("endings", sa.Integer),
)
"""What a list says of each interview. The database keeps it up in the transaction that appends an event."""

_UNKNOWN_TIME = datetime.fromtimestamp(0, UTC)


Text = bytes | str | None
"""A text of the database; bytes where what is damaged need not be text any more."""


class Told(NamedTuple):
    """What a list is told of an interview, by its summary or by its events.

    Attributes:
        id: names it.
        first_at: time of its first event.
        last_at: time of its latest event.
        beginning: the event that began it; ``None`` where there is none.
        asked: number of questions asked.
        answers: number of answers.
        grades: number of marks.
        endings: whether it is over: 1 where it is.
        events: number of events; of the whole ones only, where they were checked.
        damaged: number of events that are not what was written, where they were checked.

    """

    id: Text
    first_at: Text
    last_at: Text
    beginning: Text
    asked: int
    answers: int
    grades: int
    endings: int
    events: int
    damaged: int = 0


def summary_of(told: Told) -> SessionSummary | None:
    """What a list says of an interview; ``None`` where it has neither a beginning nor damage."""
    if told.beginning is None and not told.damaged:
        return None
    plan = _plan(told.beginning)
    newer = plan is None and is_event(readable(told.beginning))
    return SessionSummary(
        id=readable(told.id),
        started=time_of(told.first_at),
        last_activity=time_of(told.last_at),
        plan=plan or Plan(),
        asked=told.asked,
        ungraded=max(0, told.answers - told.grades),
        ended=told.endings > 0,
        damaged=told.damaged if plan is not None or newer else max(1, told.damaged),
        newer=newer,
    )


@lru_cache(maxsize=1024)
def _plan(beginning: Text) -> Plan | None:
    """The plan in the event that began an interview; ``None`` where it cannot be understood."""
    started = understood(beginning)
    return started.plan if isinstance(started, InterviewStarted) else None


def understood(payload: Text) -> Event | None:
    """The event in a payload; ``None`` where it is none that this version knows, or its time names no zone."""
    try:
        event = EVENT.validate_json(payload or b"")
    except ValidationError:
        return None
    return event if event.at.tzinfo is not None else None


def stored_text(text: Text) -> bytes:
    """A text as the database stores it."""
    return text.encode() if isinstance(text, str) else bytes(text or b"")


def readable(stored: Text) -> str:
    """A text for a person, though it be damaged."""
    return stored if isinstance(stored, str) else bytes(stored or b"").decode(errors="replace")


def time_of(stored: Text) -> datetime:
    """A time as it was stored; the beginning of 1970 where it is none."""
    try:
        text = stored if isinstance(stored, str) else (stored or b"").decode()
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return _UNKNOWN_TIME
