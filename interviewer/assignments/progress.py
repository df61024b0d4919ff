"""How far somebody is with an assignment, by the interviews that they held for it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from interviewer.assignments.assignment import Assignment, Status
from interviewer.text import count
from serving.errors import BadInputError


class Try(NamedTuple):
    """An interview that was begun for an assignment.

    Attributes:
        session: its id.
        begun: when it began.
        ended: when it ended; ``None`` while it goes on.
        early: whether the candidate ended it before they had answered every question.
        answered: how many questions they answered.
        questions: how many the plan has.

    """

    session: str
    begun: datetime
    ended: datetime | None = None
    early: bool = False
    answered: int = 0
    questions: int = 0


class Stage(StrEnum):
    """How far somebody is."""

    NOT_BEGUN = "not begun"
    IN_PROGRESS = "in progress"
    ENDED_EARLY = "ended early"
    """The candidate ended each interview before they had answered every question."""
    DONE = "done"


class Progress(NamedTuple):
    """How far somebody is with an assignment.

    Attributes:
        stage: how far.
        at: when they were first done, or else when they ended the latest interview early, or began; ``None`` where they
            have not.
        late: whether they were first done after the due time, or are not done and it is over.

    """

    stage: Stage
    at: datetime | None
    late: bool


def progress(assignment: Assignment, tries: Sequence[Try], now: datetime) -> Progress:
    """How far somebody is who has begun these interviews."""
    ends = [each.ended for each in tries if each.ended is not None and not each.early]
    if ends:
        return Progress(Stage.DONE, min(ends), min(ends) > assignment.due)
    if tries and unfinished(tries) is None:
        return Progress(Stage.ENDED_EARLY, max(each.ended for each in tries if each.ended), now > assignment.due)
    begun = min((each.begun for each in tries), default=None)
    return Progress(Stage.IN_PROGRESS if tries else Stage.NOT_BEGUN, begun, now > assignment.due)


def stage_told(held: Progress, tries: Sequence[Try]) -> str:
    """How far somebody is, in words; with how many questions they answered who ended the interview early."""
    if held.stage is not Stage.ENDED_EARLY:
        return held.stage.value
    return f"{held.stage.value}, {answered_told(tries[-1])}"


def end_told(held: Try, time: str) -> str:
    """That an interview is over, in words.

    Args:
        held: the interview.
        time: when it ended, as it is told.

    """
    return f"{Stage.ENDED_EARLY if held.early else Stage.DONE} {time}, {answered_told(held)}"


def answered_told(held: Try) -> str:
    """How many of how many questions were answered."""
    return f"{held.answered} of {held.questions} answered"


def unfinished(tries: Sequence[Try]) -> Try | None:
    """The interview that goes on; ``None`` where none does."""
    return next((each for each in tries if each.ended is None), None)


def tries_left(assignment: Assignment, tries: Sequence[Try]) -> int | None:
    """How many interviews may still be begun; ``None`` for as many as they like."""
    return None if assignment.tries is None else max(0, assignment.tries - len(tries))


def check_begin(assignment: Assignment, tries: Sequence[Try]) -> None:
    """See that another interview may be begun for an assignment.

    Raises:
        BadInputError: it may not.

    """
    if assignment.status is not Status.OPEN:
        raise BadInputError(f"The assignment “{assignment.title}” is closed.", hint=f"Ask {assignment.by}.")
    if unfinished(tries) is not None:
        raise BadInputError(f"An interview for “{assignment.title}” is in progress.", hint="Continue that one.")
    if tries_left(assignment, tries) == 0:
        held = count(len(tries), "interview")
        raise BadInputError(
            f"You have begun {held} for “{assignment.title}”, and no more can be begun.", hint=f"Ask {assignment.by}."
        )
