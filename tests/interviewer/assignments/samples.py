"""Assignments for tests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from interviewer.assignments.assignment import AssignedInterview, Assignment, Member
from interviewer.session.plan import AgendaItem
from knowledge.model import Kind

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
DUE = datetime(2026, 3, 6, 17, 0, tzinfo=UTC)

GRACE = Member("grace", ("autumn",), mentor=True)
ALAN = Member("alan", ("spring",), mentor=True)
ADA = Member("ada", ("autumn",))
NEW = Member("new", ("autumn",))
BEN = Member("ben", ("spring",))
NOBODY = Member("eve")


def assignment(number: int = 1, **changed: Any) -> Assignment:
    """One that Grace gave to her whole group."""
    given: dict[str, Any] = {
        "id": f"{number:032x}",
        "title": "Autograd basics",
        "by": "grace",
        "given": NOW,
        "group": "autumn",
        "interview": AssignedInterview(
            agenda=(
                AgendaItem(topic="autograd", kind=Kind.CONCEPT, minutes=5),
                AgendaItem(topic="distributed training", minutes=10),
            )
        ),
        "due": DUE,
        "zone": "Europe/Berlin",
    }
    return Assignment(**given | changed)
