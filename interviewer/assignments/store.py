"""What keeps assignments: the protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from interviewer.assignments.assignment import Assignment, Member


class AssignmentStore(Protocol):
    """Keeps assignments, and shows each member only theirs. Safe to use from several threads and processes."""

    def give(self, by: Member, assignment: Assignment) -> None:
        """Keeps a new assignment; one whose id the group has already is left as it is, so a request can be repeated.

        Args:
            by: a mentor of its group.
            assignment: what is kept.

        Raises:
            BadInputError: they are not; nothing was kept.
            StorageError: the store refused; nothing was kept.

        """
        ...

    def seen_by(self, member: Member) -> tuple[Assignment, ...]:
        """Returns what was given to a candidate, or what was given in the groups of a mentor, the latest first.

        Raises:
            StorageError: the store refused.

        """
        ...

    def change(self, by: Member, name: str, how: Callable[[Assignment], Assignment]) -> Assignment:
        """Changes an assignment; nobody else changes it meanwhile.

        Args:
            by: a mentor of its group.
            name: its id.
            how: makes the changed assignment of the present one.

        Returns:
            The changed assignment.

        Raises:
            BadInputError: there is none of that id in a group of theirs; nothing was changed.
            StorageError: the store refused; nothing was changed.

        """
        ...

    def close(self) -> None:
        """Lets go of the store."""
        ...
