"""How long an interview has lasted, pauses left out. Pure: time is read off the events."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from interviewer.session.events import Event, InterviewPaused, InterviewResumed
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion, State

LONGEST_GAP_S = 900.0
"""Seconds between two events that still count as work; whoever is silent for longer has left without a pause."""

# A question begun with less than this left would be broken off.
_SHORTEST_QUESTION_S = 90.0


def elapsed(events: Sequence[Event]) -> dict[str, float]:
    """Seconds of the interview at each event, by its id.

    Args:
        events: in the order of their times.

    """
    stamps: dict[str, float] = {}
    total, paused, before = 0.0, False, None
    for event in events:
        if before is not None and not paused:
            total += min((event.at - before).total_seconds(), LONGEST_GAP_S)
        stamps[event.id] = total
        before = event.at
        if isinstance(event, InterviewPaused | InterviewResumed):
            paused = isinstance(event, InterviewPaused)
    return stamps


def since_last(state: State, now: datetime) -> float:
    """Seconds since the latest event, as far as they count."""
    if state.last_at is None or state.paused or state.ended is not None:
        return 0.0
    return min(max((now - state.last_at).total_seconds(), 0.0), LONGEST_GAP_S)


def left_s(state: State) -> float | None:
    """Seconds that the plan has left at the latest event; ``None`` where the clock does not count."""
    if state.plan is None or state.plan.minutes is None:
        return None
    return 60.0 * state.plan.minutes - state.active_s


def allowance_s(question: AskedQuestion, plan: Plan) -> float:
    """Seconds that a question may take, follow-ups included: by the agenda, else by the question itself."""
    place = question.number - 1
    minutes = plan.agenda[place].minutes if place < len(plan.agenda) else question.question.minutes
    return 60.0 * minutes


def is_over(question: AskedQuestion, plan: Plan, more_s: float = 0.0) -> bool:
    """Whether the time for a question is used up; never where the clock does not count.

    Args:
        question: the open one.
        plan: tells how long it may take.
        more_s: seconds that have passed since the latest event.

    """
    return plan.minutes is not None and question.active_s + more_s >= allowance_s(question, plan)


def another_fits(state: State) -> bool:
    """Whether there is time to begin another question."""
    left = left_s(state)
    return left is None or left >= _SHORTEST_QUESTION_S


TALK_MINUTES = 2
"""Minutes that are kept for a part in which nothing is graded: the warm-up, and the person's own questions."""


def body_minutes(minutes: int | None, *, talks: bool) -> int | None:
    """Minutes for questions, of those that an interview has; ``None`` where the clock does not count."""
    return None if minutes is None else minutes - (2 * TALK_MINUTES if talks else 0)


def spare_minutes(state: State) -> int:
    """Minutes for one more question beyond the plan, since the person was faster than it; 0 where there are none.

    Only an agenda by the clock has any, held for nobody else: an assignment and the rounds of a loop ask what was
    planned. Who skipped the last question wants no more, and as many as were planned are the most.
    """
    plan, left = state.plan, left_s(state)
    if plan is None or left is None or not plan.agenda or plan.question_ids or plan.loop or plan.assignment:
        return 0
    if state.asked[-1].skipped or len(state.asked) >= 2 * len(plan.agenda):
        return 0
    spare = int(left // 60) - (TALK_MINUTES if plan.talks else 0)
    return spare if spare >= min(item.minutes for item in plan.agenda) else 0
