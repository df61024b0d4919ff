"""Two groups with their mentors and interviews, in files or in PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from interviewer.assignments.store import AssignmentStore
from interviewer.session.events import Event
from interviewer.session.journal import EventJournal
from interviewer.storage.account_file import IN_MEMORY, Role, made
from interviewer.storage.assignments.registry import open_assignments
from interviewer.storage.registry import open_journal_of, open_journal_to_read
from interviewer.web.accounts import Accounts
from interviewer.web.mentor.group_reader import GroupReader
from serving import paths
from tests.interviewer.report.hour import QUESTIONS, hour
from tests.interviewer.report.sample_session import Telling, telling
from tests.interviewer.report.sample_session import question as asked

OVER, LIVE, HIS = "a" * 32, "b" * 32, "c" * 32
"""Ada's interviews, one over and one going on, and Ben's."""

SAID = "A leaf that requires grad keeps its own."
"""What Ada said last in the one that goes on."""

PASSWORD = "correct horse"


def line(name: str, role: Role, group: str) -> str:
    """A line of the file of accounts."""
    return made(name, PASSWORD, role, group, cost=IN_MEMORY).line


_MENTORS = {"grace": "autumn", "alan": "spring", "joan": "winter"}
_CANDIDATES = {"ada": "autumn", "new": "autumn", "ben": "spring"}
LINES = (
    *(line(name, Role.MENTOR, group) for name, group in _MENTORS.items()),
    *(line(name, Role.CANDIDATE, group) for name, group in _CANDIDATES.items()),
    f"eve:{PASSWORD}",
)


def live() -> tuple[Event, ...]:
    """An interview that goes on, with an answer that is not graded."""
    told = Telling()
    name = told.ask(asked("leaves", [("own", "A leaf keeps its grad.", 1)], text="Which tensors keep .grad?"))
    told.answer(name, SAID)
    return tuple(told.events)


class Groups(NamedTuple):
    """The groups, and where their interviews are."""

    home: Path
    url: str | None

    @property
    def accounts(self) -> Accounts:
        """Who logs in."""
        return Accounts(LINES)

    @property
    def reader(self) -> GroupReader:
        """Reads for their mentors."""
        return GroupReader(self.accounts, self.to_read, self.journal)

    def journal(self, name: str) -> EventJournal:
        """Somebody's own journal."""
        return open_journal_of(paths.made(self.home / paths.PROFILES / name), self.url)

    def to_read(self, name: str) -> EventJournal | None:
        """The same, to be read only."""
        return open_journal_to_read(self.home / paths.PROFILES / name, self.url)

    @property
    def store(self) -> AssignmentStore:
        """What keeps their assignments."""
        return open_assignments(self.home, self.url)

    def fill(self) -> None:
        """Hold the interviews."""
        over = tuple(hour({key: QUESTIONS[key] for key in list(QUESTIONS)[:2]}).events)
        for name, session, events in (("ada", OVER, over), ("ada", LIVE, live()), ("ben", HIS, telling().events)):
            with self.journal(name) as journal:
                for event in events:
                    assert journal.append(session, event)
