"""What mentors do with the assignments of their groups. Whose those are is asked each time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from interviewer.assignments.assignment import Assignment, Member, closed, extended, known, withdrawn
from interviewer.assignments.due_time import read_due
from interviewer.assignments.progress import Progress, Try, progress
from interviewer.assignments.store import AssignmentStore
from interviewer.planning.assigned import AssignmentWish, assignment_of
from interviewer.planning.known_names import topics_of
from interviewer.report.aggregate.comparison import Cell
from interviewer.session.journal import SessionSummary
from interviewer.session.queries import planned_length
from interviewer.text import listed
from interviewer.web.mentor.group_reader import Outcome
from knowledge.model import Question
from serving.errors import BadInputError, StorageError


class Directory(Protocol):
    """Knows groups; ``interviewer.web.accounts.Accounts`` is one."""

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody it knows."""
        ...

    def candidates_of(self, name: str | None) -> tuple[str, ...]:
        """The candidates of somebody's group where they are its mentor; nobody for everybody else."""
        ...

    def mentors_of(self, name: str | None) -> tuple[str, ...]:
        """The mentors of a candidate's group; nobody for everybody else."""
        ...

    def groups_of(self, name: str | None) -> tuple[str, ...]:
        """The groups that somebody belongs to."""
        ...

    def is_mentor(self, name: str | None) -> bool:
        """Whether that is a mentor."""
        ...


class Interviews(Protocol):
    """Reads interviews for mentors; ``interviewer.web.mentor.group_reader.GroupReader`` is one."""

    def interviews_of(self, mentor: str | None, candidate: str) -> tuple[SessionSummary, ...]:
        """A candidate's interviews, the latest active first."""
        ...

    def outcome(self, candidate: str, summary: SessionSummary) -> Outcome:
        """What came of one of them."""
        ...


class HeldTry(NamedTuple):
    """An interview for an assignment, and what it came to."""

    held: Try
    score: Cell


class CandidateRow(NamedTuple):
    """How far a candidate is with an assignment.

    Attributes:
        candidate: their name.
        progress: how far; ``None`` where their interviews cannot be read at present.
        tries: what they held for it, the first begun first.

    """

    candidate: str
    progress: Progress | None
    tries: tuple[HeldTry, ...] = ()


class FollowedAssignment(NamedTuple):
    """An assignment, and how far those are whom it was given to."""

    assignment: Assignment
    rows: tuple[CandidateRow, ...]


def member_of(directory: Directory, name: str | None) -> Member:
    """Somebody as the store of assignments asks for them."""
    return Member(name or "", directory.groups_of(name), directory.is_mentor(name))


class MentorAssignments:
    """Answers for every mentor. Safe to use from several threads.

    Args:
        store: keeps assignments.
        directory: knows who is whose mentor.
        interviews: reads candidates' interviews.
        questions: all that can be asked about.

    """

    def __init__(
        self,
        store: AssignmentStore,
        directory: Directory,
        interviews: Interviews,
        questions: Callable[[], Sequence[Question]],
    ) -> None:
        self._store = store
        self._directory = directory
        self._interviews = interviews
        self._questions = questions

    def groups(self, mentor: str | None) -> dict[str, tuple[str, ...]]:
        """The candidates of each of a mentor's groups."""
        candidates = self._directory.candidates_of(mentor)
        groups = self._directory.groups_of(mentor) if self._directory.is_mentor(mentor) else ()
        return {group: tuple(one for one in candidates if group in self._directory.groups_of(one)) for group in groups}

    def followed(self, mentor: str | None, now: datetime) -> tuple[FollowedAssignment, ...]:
        """All assignments of a mentor's groups, the latest first.

        Raises:
            StorageError: they cannot be read.

        """
        return self._followed(mentor, self._given(mentor), now)

    def one(self, mentor: str | None, name: str, now: datetime) -> FollowedAssignment:
        """The assignment of an id.

        Raises:
            BadInputError: it is none of their groups'.
            StorageError: it cannot be read.

        """
        (found,) = self._followed(mentor, [known(self._given(mentor), name)], now)
        return found

    def give(self, mentor: str | None, wish: AssignmentWish, name: str, now: datetime) -> Assignment:
        """Give an assignment, once for each id.

        Raises:
            BadInputError: something in it cannot be used, or it is for somebody else's group; nothing was stored.
            StorageError: it cannot be stored.

        """
        candidates = self.groups(mentor).get(wish.group)
        if candidates is None:
            raise BadInputError("There is no such group of yours.", hint="Choose one of your groups.")
        strangers = tuple(one for one in wish.candidates if one not in candidates)
        if strangers:
            raise BadInputError(f"{listed(strangers)}: not in the group {wish.group}.", hint="Choose from your group.")
        assignment = assignment_of(wish, mentor or "", name, now, topics_of(self._questions()))
        self._store.give(member_of(self._directory, mentor), assignment)
        return assignment

    def extend(self, mentor: str | None, name: str, due: str, zone: str, now: datetime) -> Assignment:
        """Give an assignment another due time, and open it again where it was closed.

        Raises:
            BadInputError: it is none of their groups', was withdrawn, or that is no due time; nothing was changed.
            StorageError: it cannot be stored.

        """
        until = read_due(due, zone, now)
        return self._store.change(self._member(mentor), name, lambda one: extended(one, until, zone))

    def close(self, mentor: str | None, name: str) -> Assignment:
        """Let nobody begin an assignment any more.

        Raises:
            BadInputError: it is none of their groups', or was withdrawn.
            StorageError: it cannot be stored.

        """
        return self._store.change(self._member(mentor), name, closed)

    def withdraw(self, mentor: str | None, name: str) -> Assignment:
        """Take an assignment back; what was done for it stays.

        Raises:
            BadInputError: it is none of their groups'.
            StorageError: it cannot be stored.

        """
        return self._store.change(self._member(mentor), name, withdrawn)

    def _member(self, mentor: str | None) -> Member:
        return member_of(self._directory, mentor)

    def _given(self, mentor: str | None) -> tuple[Assignment, ...]:
        member = self._member(mentor)
        return self._store.seen_by(member) if member.mentor else ()

    def _followed(
        self, mentor: str | None, assignments: Sequence[Assignment], now: datetime
    ) -> tuple[FollowedAssignment, ...]:
        groups = self.groups(mentor)
        known_of: dict[str, tuple[SessionSummary, ...] | None] = {}

        def row(assignment: Assignment, candidate: str) -> CandidateRow:
            if candidate not in known_of:
                known_of[candidate] = self._readable(mentor, candidate)
            summaries = known_of[candidate]
            if summaries is None:
                return CandidateRow(candidate, None)
            held = [one for one in summaries if one.plan.assignment == assignment.id]
            tries = tuple(self._try(candidate, one) for one in sorted(held, key=lambda one: one.started))
            return CandidateRow(candidate, progress(assignment, [one.held for one in tries], now), tries)

        return tuple(
            FollowedAssignment(
                one,
                tuple(
                    row(one, candidate)
                    for candidate in groups.get(one.group, ())
                    if not one.candidates or candidate in one.candidates
                ),
            )
            for one in assignments
        )

    def _readable(self, mentor: str | None, candidate: str) -> tuple[SessionSummary, ...] | None:
        try:
            return self._interviews.interviews_of(mentor, candidate)
        except StorageError:
            return None

    def _try(self, candidate: str, summary: SessionSummary) -> HeldTry:
        outcome = self._interviews.outcome(candidate, summary)
        ended = (outcome.ended or summary.last_activity) if summary.ended else None
        questions = planned_length(summary.plan)
        held = Try(summary.id, summary.started, ended, outcome.early, outcome.answered, questions)
        return HeldTry(held, outcome.score)
