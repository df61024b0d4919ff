"""When a person is cut short who goes on without a new point. Pure; the engine tells how long they have gone on."""

from __future__ import annotations

from interviewer.policy.actions import Listen
from interviewer.policy.next_action import next_action
from interviewer.session.events import PersonCutShort
from interviewer.session.state import State

AFTER_S = 90.0
"""Seconds of speaking or typing without a new point after which the person is cut short."""


def may_be_cut_short(state: State) -> bool:
    """Whether the person may be cut short where the interview stands: they answer, and were not cut short on it yet.

    Without criteria nobody can tell what a new point is.
    """
    asked, plan = state.current, state.plan
    if asked is None or plan is None or not plan.cut_short:
        return False
    return is_answering(state) and not any(isinstance(turn, PersonCutShort) for turn in asked.turns)


def is_answering(state: State) -> bool:
    """Whether what the person says is an answer that will be graded."""
    asked = state.current
    if asked is None or asked.question.rubric is None or state.segment is not None:
        return False
    return isinstance(next_action(state), Listen)
