"""What stores of assignments in a database share: everything that is SQL on both databases."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import sqlalchemy as sa
from pydantic import ValidationError

from interviewer.assignments.assignment import Assignment, Member, no_assignment, sees
from serving.errors import BadInputError, StorageError

TABLE = sa.Table(
    "assignments",
    sa.MetaData(),
    sa.Column("group_name", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("candidates", sa.Text, nullable=False),
    sa.Column("content", sa.Text, nullable=False),
)
"""The table; the migration 0009 makes it in PostgreSQL, with row-level security."""

_GIVE = sa.text(
    "INSERT INTO assignments (group_name, id, candidates, content) VALUES (:group_name, :id, :candidates, :content) "
    "ON CONFLICT (group_name, id) DO NOTHING"
)


class SqlAssignments(ABC):
    """Assignments in a database; see ``AssignmentStore``."""

    @abstractmethod
    def _transaction(self, member: Member, *, writes: bool = False) -> AbstractContextManager[sa.Connection | None]:
        """A transaction for what a member may see and do; ``None`` where nothing was ever stored."""

    @abstractmethod
    def _held(self, query: sa.Select[Any]) -> sa.Select[Any]:
        """The query, which keeps what it finds from others until the transaction is over."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the database."""

    def give(self, by: Member, assignment: Assignment) -> None:
        """Keep a new assignment, once; see ``AssignmentStore``."""
        if not by.mentor or assignment.group not in by.groups:
            raise BadInputError("Only a mentor of the group gives it an assignment.")
        row = {
            "group_name": assignment.group,
            "id": assignment.id,
            "candidates": json.dumps(assignment.candidates),
            "content": assignment.model_dump_json(),
        }
        with self._transaction(by, writes=True) as connection:
            _there(connection).execute(_GIVE, row)

    def seen_by(self, member: Member) -> tuple[Assignment, ...]:
        """What is there for a member, the latest first; see ``AssignmentStore``."""
        if not member.groups:
            return ()
        with self._transaction(member) as connection:
            if connection is None:
                return ()
            rows = connection.execute(sa.select(TABLE.c.content).where(self._of(member))).scalars().all()
        found = [each for each in map(_read, rows) if self._may_see(member, each)]
        return tuple(sorted(found, key=lambda each: (each.given, each.id), reverse=True))

    def change(self, by: Member, name: str, how: Callable[[Assignment], Assignment]) -> Assignment:
        """Change an assignment; see ``AssignmentStore``."""
        if not by.mentor:
            raise no_assignment()
        wanted = sa.and_(self._of(by), TABLE.c.id == name)
        with self._transaction(by, writes=True) as connection:
            held = self._held(sa.select(TABLE.c.content).where(wanted))
            row = _there(connection).execute(held).scalars().first()
            if row is None:
                raise no_assignment()
            before = _read(row)
            changed = how(before)
            here = sa.and_(TABLE.c.group_name == before.group, TABLE.c.id == name)
            _there(connection).execute(sa.update(TABLE).where(here).values(content=changed.model_dump_json()))
        return changed

    def _of(self, member: Member) -> sa.ColumnElement[bool]:
        """Whether a row is of a group of theirs."""
        return TABLE.c.group_name.in_(member.groups)

    def _may_see(self, member: Member, assignment: Assignment) -> bool:
        return sees(member, assignment)


def _read(content: str) -> Assignment:
    try:
        return Assignment.model_validate_json(content)
    except ValidationError as error:
        raise StorageError(
            "An assignment is damaged, or was stored by a newer version of this program.",
            hint="Update the program, or restore the assignments from a copy.",
        ) from error


def _there(connection: sa.Connection | None) -> sa.Connection:
    if connection is None:
        raise no_assignment()
    return connection
