"""What an assignment is, who sees it, and how it changes. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from pydantic import AwareDatetime, Field

from interviewer.session.plan import AgendaItem, Mode
from interviewer.session.style import Style
from interviewer.text import listed
from knowledge.model import Level
from serving.errors import BadInputError
from serving.frozen import FrozenModel

LONGEST_TITLE = 120
"""Characters of a title."""

LONGEST_NOTE = 2_000
"""Characters of a note."""

MOST_TRIES = 20

MOST_QUESTIONS = 50

_NO_ID_OF_OURS = "There is no such assignment."


class Status(StrEnum):
    """What has become of an assignment."""

    OPEN = "open"
    CLOSED = "closed"
    """Nobody begins it any more; candidates still see it."""
    WITHDRAWN = "withdrawn"
    """Candidates no longer see it; what they did for it stays."""


class AssignedInterview(FrozenModel):
    """The interview that is assigned.

    Attributes:
        agenda: what each question is on, in order.
        level: seniority to aim at.
        style: the manner in which the interviewer speaks.
        mode: practice or exam.
        only_listed: where no question is left on a topic of the agenda, another one of the agenda is asked about, and
            no other topic.
        talks: begin with a warm-up and end with the candidate's own questions.

    """

    agenda: tuple[AgendaItem, ...] = Field(min_length=1, max_length=MOST_QUESTIONS)
    level: Level = Level.MID
    style: Style = Style.NEUTRAL
    mode: Mode = Mode.PRACTICE
    only_listed: bool = True
    talks: bool = True


class Assignment(FrozenModel):
    """What a mentor gives their group, or some of its candidates.

    Attributes:
        id: names it; the plan of an interview that is held for it carries it.
        title: what it is called.
        by: the mentor who gave it.
        given: when.
        group: whom it was given to.
        candidates: to whom of the group alone; empty for all of it, whoever joins later included.
        interview: what is assigned.
        note: what the mentor adds; may be empty.
        due: by when it is to be done.
        zone: the mentor's time zone, in which that is told, such as ``Europe/Berlin``.
        tries: how many interviews a candidate may begin for it; ``None`` for as many as they like.
        status: what has become of it.

    """

    id: str = Field(pattern=r"^[0-9a-f]{32}$")
    title: str = Field(min_length=1, max_length=LONGEST_TITLE)
    by: str = Field(min_length=1)
    given: AwareDatetime
    group: str = Field(min_length=1)
    candidates: tuple[str, ...] = Field(default=(), max_length=1_000)
    interview: AssignedInterview
    note: str = Field(default="", max_length=LONGEST_NOTE)
    due: AwareDatetime
    zone: str
    tries: int | None = Field(default=None, ge=1, le=MOST_TRIES)
    status: Status = Status.OPEN

    @property
    def whom(self) -> str:
        """Whom it is for, as it is told."""
        return f"{listed(self.candidates)} of {self.group}" if self.candidates else self.group


class Member(NamedTuple):
    """Who asks for assignments.

    Attributes:
        name: of their account.
        groups: those that they belong to.
        mentor: whether they are a mentor of these; a candidate otherwise.

    """

    name: str
    groups: tuple[str, ...] = ()
    mentor: bool = False


def sees(member: Member, assignment: Assignment) -> bool:
    """Whether an assignment is there for somebody: for its group's mentors, and for the candidates it was given to."""
    if assignment.group not in member.groups:
        return False
    return member.mentor or not assignment.candidates or member.name in assignment.candidates


def extended(assignment: Assignment, due: datetime, zone: str) -> Assignment:
    """The assignment with another due time; it is open again where it was closed.

    Raises:
        BadInputError: it was withdrawn.

    """
    return _present(assignment).model_copy(update={"due": due, "zone": zone, "status": Status.OPEN})


def closed(assignment: Assignment) -> Assignment:
    """The assignment, which nobody begins any more.

    Raises:
        BadInputError: it was withdrawn.

    """
    return _present(assignment).model_copy(update={"status": Status.CLOSED})


def withdrawn(assignment: Assignment) -> Assignment:
    """The assignment, which candidates no longer see."""
    return assignment.model_copy(update={"status": Status.WITHDRAWN})


def known(assignments: Sequence[Assignment], name: str) -> Assignment:
    """The assignment of an id.

    Raises:
        BadInputError: it is not among them.

    """
    found = next((each for each in assignments if each.id == name), None)
    if found is None:
        raise no_assignment()
    return found


def no_assignment() -> BadInputError:
    """The error about an assignment that is not there, or not for whoever asks."""
    return BadInputError(_NO_ID_OF_OURS, hint="It may have been withdrawn.")


def _present(assignment: Assignment) -> Assignment:
    if assignment.status is Status.WITHDRAWN:
        raise BadInputError("This assignment was withdrawn.", hint="Give a new one.")
    return assignment
