"""The loops in a journal."""

from __future__ import annotations

from interviewer.loop.rounds import HeldRound, loops
from interviewer.session.journal import EventJournal
from interviewer.session.reducer import fold


def held_loops(journal: EventJournal) -> dict[str, tuple[HeldRound, ...]]:
    """The loops that were begun, by id, the one begun last first.

    Args:
        journal: the person's.

    Raises:
        StorageError: the disk refused.

    """
    summaries = sorted((one for one in journal.sessions() if one.plan.loop), key=lambda one: one.started)
    found = loops({one.id: fold(journal.events(one.id)) for one in summaries})
    return dict(reversed(found.items()))
