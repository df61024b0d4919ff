"""Reads the interviews of a mentor's group, and overrides their marks. Whose those are is asked each time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from cachetools import LRUCache

from interviewer.dialogue.utterances import replies
from interviewer.engine.review_service import ReviewService
from interviewer.engine.session_store import SessionStore
from interviewer.report.aggregate.comparison import Cell, total
from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.redaction import for_interviewer
from interviewer.report.schema.findings import Findings
from interviewer.session.journal import EventJournal, SessionSummary
from interviewer.session.queries import answered, ended_early
from interviewer.session.reducer import fold
from interviewer.session.state import State
from interviewer.storage.registry import open_journal_of, open_journal_to_read
from interviewer.web.mentor.phrases import NO_REASON, NOT_THERE
from rubric.grading.prompt_calibration import known_cards
from serving import paths
from serving.errors import BadInputError, InterviewerError

LISTED = 100
"""Interviews that are listed, the latest ones; each that is over has its report made once for its score."""

_KEPT = 1000

_LOG = logging.getLogger(__name__)


class Directory(Protocol):
    """Knows groups; ``interviewer.web.accounts.Accounts`` is one."""

    def candidates_of(self, name: str | None) -> tuple[str, ...]:
        """The candidates of somebody's group where they are its mentor; nobody for everybody else."""
        ...


class Outcome(NamedTuple):
    """What came of an interview.

    Attributes:
        score: what it came to; empty until it is over.
        ended: when it was over; ``None`` while it goes on, or where it cannot be read.
        early: whether the candidate ended it before they had answered every question.
        answered: how many questions they answered.

    """

    score: Cell
    ended: datetime | None = None
    early: bool = False
    answered: int = 0


class GroupInterview(NamedTuple):
    """An interview in the list.

    Attributes:
        candidate: whose it is.
        summary: what it is.
        score: what it came to; empty until it is over.

    """

    candidate: str
    summary: SessionSummary
    score: Cell


class GroupList(NamedTuple):
    """The list.

    Attributes:
        interviews: the latest active first.
        more: how many older ones there are.
        unread: candidates whose interviews cannot be read at present.

    """

    interviews: tuple[GroupInterview, ...]
    more: int = 0
    unread: tuple[str, ...] = ()


class OverrideWish(NamedTuple):
    """A mark that a mentor wishes to override.

    Attributes:
        candidate: whose interview it is.
        session: its id.
        point: the question's number and the criterion's id, with a colon between them.
        verdict: the name of the verdict.
        reason: why.
        request: names the request.

    """

    candidate: str
    session: str
    point: str
    verdict: str
    reason: str
    request: str


class GroupReader:
    """Answers for every mentor. Safe to use from several threads.

    Args:
        directory: knows who is whose mentor.
        to_read: opens a candidate's journal, which then takes nothing; ``None`` where they have none.
        to_write: opens a candidate's journal, for a mark that is overridden.

    """

    def __init__(
        self,
        directory: Directory,
        to_read: Callable[[str], EventJournal | None],
        to_write: Callable[[str], EventJournal],
    ) -> None:
        self._directory = directory
        self._to_read = to_read
        self._to_write = to_write
        self._lock = threading.Lock()
        self._outcomes: LRUCache[tuple[str, str, datetime], Outcome] = LRUCache(_KEPT)

    def has_candidates(self, mentor: str | None) -> bool:
        """Whether there is anybody in a mentor's group."""
        return bool(self._directory.candidates_of(mentor))

    def listed(self, mentor: str | None) -> GroupList:
        """The interviews of a mentor's group; none for everybody else."""
        held: list[tuple[str, SessionSummary]] = []
        unread: list[str] = []
        for candidate in self._directory.candidates_of(mentor):
            try:
                with self._reading(candidate) as journal:
                    held += [(candidate, one) for one in journal.sessions()] if journal else []
            except InterviewerError as error:
                _LOG.warning("%s", error)
                unread.append(candidate)
        held.sort(key=lambda each: each[1].last_activity, reverse=True)
        shown = tuple(GroupInterview(*each, self.outcome(*each).score) for each in held[:LISTED])
        return GroupList(shown, max(0, len(held) - LISTED), tuple(unread))

    def report(self, mentor: str | None, candidate: str, session: str) -> Findings:
        """The report of an interview, with all that was said in it, as it is for a mentor.

        Raises:
            BadInputError: it is not one of the mentor's group.
            StorageError: it cannot be read.

        """
        self._check(mentor, candidate)
        with self._reading(candidate) as journal:
            if journal is None or not journal.holds(session):
                raise BadInputError(NOT_THERE)
            return for_interviewer(_findings(journal, session))

    def override(self, mentor: str | None, wish: OverrideWish) -> None:
        """Put a mark in the place of the judge's, in the mentor's name, once for each request.

        Raises:
            BadInputError: it is not one of the mentor's group, there is no such mark, or no reason; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        self._check(mentor, wish.candidate)
        if not wish.reason.strip():
            raise BadInputError(NO_REASON)
        with self._reading(wish.candidate) as journal:
            if journal is None or not journal.holds(wish.session):
                raise BadInputError(NOT_THERE)
        asked, _, point = wish.point.partition(":")
        with self._to_write(wish.candidate) as writable:
            ReviewService(SessionStore(writable, lambda: datetime.now(UTC))).override(
                *(wish.session, asked, point, wish.verdict),
                by=mentor or "",
                note=wish.reason,
                request_id=wish.request,
            )

    def _check(self, mentor: str | None, candidate: str) -> None:
        if candidate not in self._directory.candidates_of(mentor):
            raise BadInputError(NOT_THERE)

    @contextmanager
    def _reading(self, candidate: str) -> Iterator[EventJournal | None]:
        journal = self._to_read(candidate)
        if journal is None:
            yield None
            return
        with journal:
            yield journal

    def interviews_of(self, mentor: str | None, candidate: str) -> tuple[SessionSummary, ...]:
        """A candidate's interviews, the latest active first.

        Raises:
            BadInputError: they are not in the mentor's group.
            StorageError: they cannot be read.

        """
        self._check(mentor, candidate)
        with self._reading(candidate) as journal:
            return journal.sessions() if journal else ()

    def outcome(self, candidate: str, summary: SessionSummary) -> Outcome:
        """What came of a candidate's interview, of which a mentor knows the summary."""
        if not summary.ended:
            return Outcome(Cell())
        key = (candidate, summary.id, summary.last_activity)
        with self._lock:
            known = self._outcomes.get(key)
        if known is None:
            try:
                with self._reading(candidate) as journal:
                    known = _outcome(journal, summary.id) if journal else Outcome(Cell())
            except InterviewerError as error:
                _LOG.warning("%s", error)
                return Outcome(Cell())
            with self._lock:
                self._outcomes[key] = known
        return known


def reader_in(profiles: Callable[[], Path], directory: Directory, database: str | None) -> GroupReader:
    """What reads the interviews of the accounts of one machine.

    Args:
        profiles: gives the folder that has a folder for each of them.
        directory: knows whose mentor somebody is.
        database: where interviews are, if not in these folders.

    """
    return GroupReader(
        directory,
        lambda name: open_journal_to_read(profiles() / name, database),
        lambda name: open_journal_of(profiles() / name, database),
    )


def _outcome(journal: EventJournal, session: str) -> Outcome:
    stored = journal.read(session)
    state = fold(stored.events, len(stored.damaged))
    ended = state.ended.at if state.ended else None
    return Outcome(total(_findings_of(session, state)), ended, ended_early(state), answered(state))


def _findings(journal: EventJournal, session: str) -> Findings:
    stored = journal.read(session)
    return _findings_of(session, fold(stored.events, len(stored.damaged)))


def _findings_of(session: str, state: State) -> Findings:
    return findings(session, state, known_cards(paths.judges()), replies=replies(state))
