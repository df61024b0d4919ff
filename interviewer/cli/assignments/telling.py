"""Assignments as lines of text and as JSON. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interviewer.assignments.assignment import Assignment
    from interviewer.web.assignments.candidate_assignments import GivenAssignment
    from interviewer.web.assignments.mentor_assignments import FollowedAssignment


def due(one: Assignment) -> str:
    """When it is due, in the mentor's time zone."""
    from interviewer.assignments.due_time import time_told

    return time_told(one.due, one.zone)


def given_line(each: GivenAssignment) -> str:
    """What a candidate was given, in a line."""
    from interviewer.assignments.progress import stage_told

    one = each.assignment
    return f"{one.id}  {one.title}  due {due(one)}, {one.status.value}, {stage_told(each.progress, each.tries)}"


def line(each: FollowedAssignment) -> str:
    """An assignment as a mentor has it, in a line."""
    from interviewer.assignments.progress import Stage

    one = each.assignment
    stages = [row.progress.stage for row in each.rows if row.progress is not None]
    early = stages.count(Stage.ENDED_EARLY)
    state = f"{one.status.value}, {stages.count(Stage.DONE)} of {len(each.rows)} done"
    state += f", {early} ended early" if early else ""
    return f"{one.id}  {one.title}  for {one.whom}, due {due(one)}, {state}"


def details(one: Assignment) -> Iterator[str]:
    """What is assigned: agenda, manner, tries, note."""
    from interviewer.planning.assigned import minutes
    from interviewer.text import count

    held = one.interview
    tries = f"{count(one.tries, 'interview')} each" if one.tries else "as many interviews as each likes"
    topics = "topics of the agenda only" if held.only_listed else "any topic where the agenda has no questions left"
    talks = "with" if held.talks else "without"
    yield f"  {held.level.value} level, {held.style.value} tone, {held.mode.value}, {topics}"
    yield f"  about {count(minutes(held), 'minute')}, {talks} a warm-up and the candidate's own questions"
    yield f"  {tries}"
    if one.note:
        yield f"  Note: {' '.join(one.note.split())}"
    yield f"  Agenda, {count(len(held.agenda), 'question')}:"
    for number, item in enumerate(held.agenda, 1):
        yield f"    {number}. {item.topic}, {item.kind or 'any'}, {item.minutes} min"


def candidates(each: FollowedAssignment) -> Iterator[str]:
    """How far everybody is, and with which interviews."""
    from interviewer.assignments.due_time import time_told
    from interviewer.assignments.progress import Stage, end_told, stage_told
    from interviewer.text import percent

    for row in each.rows:
        if row.progress is None:
            yield f"  {row.candidate}: cannot be read at present"
            continue
        word = "late" if row.progress.stage is Stage.DONE else "overdue"
        stage = stage_told(row.progress, [held for held, _ in row.tries])
        yield f"  {row.candidate}: {stage}{f', {word}' if row.progress.late else ''}"
        for held, score in row.tries:
            told = end_told(held, time_told(held.ended, each.assignment.zone)) if held.ended else "in progress"
            yield f"    {held.session}  {told}, score {percent(score.score)}"


def as_row(each: FollowedAssignment) -> dict[str, Any]:
    """An assignment with how far everybody is, as JSON."""
    return {
        **each.assignment.model_dump(mode="json"),
        "progress": [
            {
                "candidate": row.candidate,
                "stage": row.progress.stage.value if row.progress else None,
                "late": row.progress.late if row.progress else None,
                "interviews": [
                    {
                        "session": held.session,
                        "begun": held.begun.isoformat(),
                        "ended": held.ended.isoformat() if held.ended else None,
                        "ended_early": held.early,
                        "answered": held.answered,
                        "questions": held.questions,
                        "score": score.score,
                    }
                    for held, score in row.tries
                ],
            }
            for row in each.rows
        ],
    }
