"""What a person's interviews amount to, as their journal has them: each is read once for all that is told of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from interviewer.planning.progress import History, history
from interviewer.session.journal import EventJournal, SessionSummary
from interviewer.session.reducer import fold
from interviewer.session.state import State
from knowledge.model import Question

REMEMBERED = 50
"""Interviews that the history is made of; enough for a year of weekly practice."""


class PastInterviews:
    """Reads them.

    Args:
        journal: holds them.

    """

    def __init__(self, journal: EventJournal) -> None:
        self._journal = journal

    def all(self) -> list[SessionSummary]:
        """All interviews, the latest first.

        Raises:
            StorageError: the journal cannot be read.

        """
        return list(self._journal.sessions())

    def states(self) -> dict[str, State]:
        """The latest ``REMEMBERED`` interviews by id, the latest first.

        Raises:
            StorageError: the journal cannot be read.

        """
        return {summary.id: fold(self._journal.events(summary.id)) for summary in self.all()[:REMEMBERED]}

    def history(self, questions: Sequence[Question], states: Mapping[str, State] | None = None) -> History:
        """What the latest interviews amount to.

        Args:
            questions: those there are; what is due is asked with them.
            states: the interviews, where they have been read already.

        Raises:
            StorageError: the journal cannot be read.

        """
        held = self.states() if states is None else states
        return history(list(held.values()), questions, datetime.now().astimezone())

    def delete(self) -> int:
        """Delete every interview, whatever is damaged of them; returns how many there were.

        Raises:
            StorageError: the disk refused; nothing was deleted.

        """
        count = len(self.all())
        self._journal.delete(None)
        return count
