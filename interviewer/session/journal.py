"""What a journal of sessions is: the protocol, and the summary of a session."""

from __future__ import annotations

import secrets
from datetime import datetime

from interviewer.session.plan import Plan
from serving.frozen import Frozen


class SessionSummary(Frozen):
    """An interview at a glance.

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

    """

    id: str
    started: datetime
    last_activity: datetime
    plan: Plan
    asked: int
    ungraded: int
    ended: bool
    damaged: int = 0


def new_session_id() -> str:
    """An id that nobody can guess, and that no command takes for an option."""
    return secrets.token_hex(16)
