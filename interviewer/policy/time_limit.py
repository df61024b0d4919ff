"""Whether the time for the open question has run out."""

from __future__ import annotations

from datetime import datetime

from interviewer.policy.actions import Listen
from interviewer.policy.next_action import next_action
from interviewer.session.clock import is_over, left_s, since_last
from interviewer.session.state import State


def runs_over(state: State, now: datetime) -> bool:
    """Whether it is the person's turn, the time for the open question is used up, and nobody has said so yet."""
    question, plan = state.current, state.plan
    if question is None or plan is None or question.time_called or not isinstance(next_action(state), Listen):
        return False
    more = since_last(state, now)
    left = left_s(state)
    return is_over(question, plan, more) or (left is not None and left <= more)
