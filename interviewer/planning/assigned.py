"""An assignment as a mentor wishes it, and the plan of an interview that is held for it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from interviewer.assignments.assignment import (
    LONGEST_NOTE,
    LONGEST_TITLE,
    MOST_QUESTIONS,
    MOST_TRIES,
    AssignedInterview,
    Assignment,
)
from interviewer.assignments.due_time import read_due
from interviewer.planning.agenda import InterviewOptions, make_plan
from interviewer.planning.agenda_text import read_agenda
from interviewer.session.clock import TALK_MINUTES
from interviewer.session.plan import Mode, Plan
from interviewer.session.style import Style
from knowledge.model import Level, Question
from serving.errors import BadInputError

SHORTEST, LONGEST = 5, 180
"""Minutes of an interview by the clock."""


def minutes(interview: AssignedInterview) -> int:
    """How long an assigned interview takes, warm-up and the candidate's own questions included."""
    body = sum(item.minutes for item in interview.agenda)
    return max(SHORTEST, body + (2 * TALK_MINUTES if interview.talks else 0))


def check_length(interview: AssignedInterview) -> None:
    """See that an interview can be so long.

    Raises:
        BadInputError: it cannot.

    """
    if minutes(interview) > LONGEST:
        raise BadInputError(
            f"This agenda takes {minutes(interview)} minutes; an interview has {LONGEST} at most.",
            hint="Remove something.",
        )


def assigned_plan(assignment: Assignment, questions: Iterable[Question], *, seed: int, editor: bool) -> Plan:
    """The plan of an interview for an assignment: its agenda as it stands now, and nothing of the candidate's own.

    Args:
        assignment: what is done.
        questions: all there are.
        seed: makes the choice of questions repeatable.
        editor: whether code can be run here.

    """
    given = assignment.interview
    topics = tuple(dict.fromkeys(item.topic for item in given.agenda)) if given.only_listed else ()
    wish = InterviewOptions(
        topics=topics,
        level=given.level,
        minutes=minutes(given),
        mode=given.mode,
        style=given.style,
        talks=given.talks,
        agenda=given.agenda,
    )
    plan = make_plan(wish, questions, seed=seed, editor=editor)
    return plan.model_copy(update={"assignment": assignment.id})


class AssignmentWish(NamedTuple):
    """What a mentor wishes to give, as they write it.

    Attributes:
        title: what it is called.
        group: whom it is for.
        candidates: for whom of the group alone; empty for all of it.
        agenda: one question a line: topic, kind, minutes.
        level: seniority to aim at.
        style: the manner in which the interviewer speaks.
        mode: practice or exam.
        only_listed: whether to ask on topics of the agenda alone.
        talks: with a warm-up and the candidate's own questions.
        note: what the mentor adds.
        due: date and time, such as ``2026-12-04 18:00``.
        zone: the time zone in which that is meant.
        tries: how many interviews may be begun for it, as a number; empty for as many as one likes.

    """

    title: str
    group: str
    agenda: str
    due: str
    zone: str
    candidates: tuple[str, ...] = ()
    level: str = Level.MID.value
    style: str = Style.NEUTRAL.value
    mode: str = Mode.PRACTICE.value
    only_listed: bool = True
    talks: bool = True
    note: str = ""
    tries: str = ""


def assignment_of(wish: AssignmentWish, by: str, name: str, now: datetime, topics: Sequence[str]) -> Assignment:
    """The assignment that fulfills a wish.

    Args:
        wish: what the mentor wrote.
        by: their name.
        name: the assignment's id.
        now: the present time.
        topics: every topic there is a question on.

    Raises:
        BadInputError: something in it cannot be used.

    """
    title, note = " ".join(wish.title.split()), wish.note.strip()
    if not title:
        raise BadInputError("An assignment needs a title.")
    for what, text, most in (("title", title, LONGEST_TITLE), ("note", note, LONGEST_NOTE)):
        if len(text) > most:
            raise BadInputError(f"The {what} has {len(text):,} characters; it may have {most:,}.", hint="Shorten it.")
    agenda = read_agenda(wish.agenda, topics)
    if not agenda:
        raise BadInputError("The agenda is empty.", hint="Add a question to it, or have it drawn up.")
    if len(agenda) > MOST_QUESTIONS:
        raise BadInputError(f"The agenda has {len(agenda)} questions; it may have {MOST_QUESTIONS}.")
    tries = wish.tries.strip()
    if tries and not (tries.isascii() and tries.isdigit() and 1 <= int(tries) <= MOST_TRIES):
        raise BadInputError(
            f"“{tries[:20]}” is not a number of interviews.",
            hint=f"Give a number from 1 to {MOST_TRIES}, or leave it empty for as many as they like.",
        )
    try:
        interview = AssignedInterview(
            agenda=agenda,
            level=Level(wish.level),
            style=Style(wish.style),
            mode=Mode(wish.mode),
            only_listed=wish.only_listed,
            talks=wish.talks,
        )
        check_length(interview)
        return Assignment(
            id=name,
            title=title,
            by=by,
            given=now,
            group=wish.group,
            candidates=wish.candidates,
            interview=interview,
            note=note,
            due=read_due(wish.due, wish.zone, now),
            zone=wish.zone,
            tries=int(tries) if tries else None,
        )
    except ValueError as error:
        raise BadInputError("What was chosen cannot be used.", hint="Reload the page and choose again.") from error
