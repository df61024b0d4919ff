"""What earlier interviews came to, by topic: read from the journal, to stand behind a report's pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from interviewer.report.analysis.findings import findings
from interviewer.report.schema.findings import EarlierScore
from interviewer.session.events import Event
from interviewer.session.journal import SessionSummary
from interviewer.session.reducer import fold

_MOST = 5


class Journal(Protocol):
    """Where interviews are kept."""

    def sessions(self) -> tuple[SessionSummary, ...]:
        """All interviews."""
        ...

    def events(self, session_id: str) -> tuple[Event, ...]:
        """The events of an interview."""
        ...


def earlier_scores(journal: Journal, session_id: str) -> tuple[EarlierScore, ...]:
    """The scores by topic of the last five interviews that had ended before this one began, the oldest first.

    Raises:
        StorageError: the journal cannot be read.

    """
    known = {summary.id: summary for summary in journal.sessions()}
    if session_id not in known:
        return ()
    before = [one for one in known.values() if one.ended and one.last_activity <= known[session_id].started]
    before = sorted((one for one in before if one.id != session_id), key=lambda one: one.started)[-_MOST:]
    return tuple(score for one in before for score in _scores(journal.events(one.id), one))


def _scores(events: Sequence[Event], summary: SessionSummary) -> list[EarlierScore]:
    topics = findings(summary.id, fold(events)).topics
    return [
        EarlierScore(session_id=summary.id, started=summary.started, topic=topic.topic, final=topic.final)
        for topic in topics
        if topic.final is not None
    ]
