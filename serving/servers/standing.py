"""How a server elsewhere fares, as this process has noticed, and what operators are told of it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Generic, TypeVar

from prometheus_client import Gauge

State = TypeVar("State", bound=str)

_SAID = {
    "stopping": "is stopping",
    "not answering": "does not answer",
    "refuses the key": "refuses the key",
    "other version": "runs another version of this program",
    "no judge": "is no judge",
    "no runner": "is no runner",
}


class Change(StrEnum):
    """What is new where a server was looked at."""

    NONE = "none"
    GONE = "gone"
    BACK = "back"

    @property
    def level(self) -> int:
        """How loud the log is about what was noticed: a server goes once, however often it is tried afterwards."""
        return logging.INFO if self is Change.NONE else logging.WARNING


class Standing(Generic[State]):
    """How one server fares.

    Attributes:
        seen: the last that was noticed; ``None`` before anything was.
        since: when that was new.

    """

    def __init__(self) -> None:
        self.seen: State | None = None
        self.since: datetime | None = None

    def note(self, seen: State) -> Change:
        """Note how the server fares, and since when where that is new; returns whether it went or came back."""
        before = self.seen
        if before != seen:
            self.seen, self.since = seen, datetime.now(UTC)
        answered = before in {None, "answering"}
        if answered == (seen == "answering"):
            return Change.NONE
        return Change.GONE if answered else Change.BACK


def told(what: str, url: str, state: str) -> str:
    """What the log is told of a server that went or came back."""
    return f"The {what} at {url} {_SAID.get(state, 'answers again')}."


def count(gauge: Gauge, states: Iterable[str], known: Iterable[str]) -> None:
    """Have Prometheus told how many servers fare in each of the ways that are known."""
    found = list(states)
    for state in known:
        gauge.labels(state).set(found.count(state))
