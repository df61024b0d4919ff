"""What a candidate was given, and how they begin it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from interviewer.assignments.assignment import Assignment, Status, known
from interviewer.assignments.progress import Progress, Try, check_begin, progress
from interviewer.assignments.store import AssignmentStore
from interviewer.planning.assigned import assigned_plan
from interviewer.session.journal import EventJournal, SessionSummary, new_seed
from interviewer.session.queries import answered, ended_early, planned_length
from interviewer.session.reducer import fold
from interviewer.session.state import State
from interviewer.web.assignments.mentor_assignments import Directory, member_of
from interviewer.web.controller import PageController
from knowledge.model import Question


class GivenAssignment(NamedTuple):
    """An assignment as its candidate has it.

    Attributes:
        assignment: what it is.
        tries: the interviews that they began for it, the first begun first.
        progress: how far they are.

    """

    assignment: Assignment
    tries: tuple[Try, ...]
    progress: Progress


class CandidateAssignments:
    """Answers for every candidate. Safe to use from several threads.

    Args:
        store: keeps assignments.
        directory: knows groups.

    """

    def __init__(self, store: AssignmentStore, directory: Directory) -> None:
        self._store = store
        self._directory = directory

    def readers(self, name: str | None) -> tuple[str, ...]:
        """Who reads what a candidate holds."""
        return self._directory.mentors_of(name)

    def given(self, name: str | None, journal: EventJournal, now: datetime) -> tuple[GivenAssignment, ...]:
        """What was given to a candidate, the first due first; nothing to anybody else.

        Args:
            name: of their account.
            journal: theirs.
            now: the present time.

        Raises:
            StorageError: it cannot be read.

        """
        member = member_of(self._directory, name)
        if member.mentor or not member.groups:
            return ()
        there = [one for one in self._store.seen_by(member) if one.status is not Status.WITHDRAWN]
        summaries = journal.sessions() if there else ()
        found = [self._given(one, summaries, journal, now) for one in there]
        return tuple(sorted(found, key=lambda each: each.assignment.due))

    def one(self, name: str | None, assignment: str, journal: EventJournal) -> GivenAssignment:
        """What was given to a candidate under an id.

        Raises:
            BadInputError: it is not there for them.
            StorageError: it cannot be read.

        """
        given = self.given(name, journal, datetime.now().astimezone())
        named = known([each.assignment for each in given], assignment)
        return next(each for each in given if each.assignment is named)

    def begin(
        self, name: str | None, assignment: str, draft: str, at: PageController, questions: Sequence[Question]
    ) -> State:
        """Begin an interview for an assignment, or return to the one of that id when a second click comes.

        Args:
            name: of the candidate's account.
            assignment: its id.
            draft: the interview's id.
            at: begins it.
            questions: all that can be asked.

        Raises:
            InterviewerError: it cannot begin; nothing was stored.

        """
        # Two pages that are open at once begin no more than they may.
        with at.journal.lock(f"assignment {assignment}"):
            held = at.find(draft)
            if held is not None:
                return held
            given = self.one(name, assignment, at.journal)
            check_begin(given.assignment, given.tries)
            return at.begin(
                draft, lambda: assigned_plan(given.assignment, questions, seed=new_seed(), editor=at.runs_code)
            )

    def _given(
        self, assignment: Assignment, summaries: Sequence[SessionSummary], journal: EventJournal, now: datetime
    ) -> GivenAssignment:
        held = sorted(
            (one for one in summaries if one.plan.assignment == assignment.id), key=lambda summary: summary.started
        )
        tries = tuple(_try(one, journal) for one in held)
        return GivenAssignment(assignment, tries, progress(assignment, tries, now))


def _try(summary: SessionSummary, journal: EventJournal) -> Try:
    if not summary.ended:
        return Try(summary.id, summary.started)
    state = fold(journal.events(summary.id))
    ended = state.ended.at if state.ended else summary.last_activity
    questions = planned_length(summary.plan)
    return Try(summary.id, summary.started, ended, ended_early(state), answered(state), questions)
