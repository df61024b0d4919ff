"""What a silence of the person calls for, in steps. Pure; whoever hears or sees the person tells how long it lasts."""

from __future__ import annotations

from enum import StrEnum

from interviewer.policy.actions import Listen
from interviewer.policy.next_action import next_action
from interviewer.session.events import AnswerGraded, AsideTaken, Event, GradingFailed, InterviewResumed
from interviewer.session.state import State
from interviewer.understanding.intent import Intent


class SilenceStep(StrEnum):
    """What a silence calls for; before the first step the person is thinking, which calls for nothing."""

    LONG = "long"
    """A word that there is no hurry."""
    STUCK = "stuck"
    """A smaller step is offered."""
    GONE = "gone"
    """The interview pauses."""


AFTER_S = {SilenceStep.LONG: 30.0, SilenceStep.STUCK: 75.0, SilenceStep.GONE: 300.0}
"""Seconds of silence after which each step is due."""

_BEHIND_THE_SCENES = (AnswerGraded, GradingFailed)


def silence_step(state: State, quiet_s: float) -> SilenceStep | None:
    """The step that is due; ``None`` where there is none, or it is not the person's turn on a question.

    Args:
        state: the interview's.
        quiet_s: seconds since the person last spoke or touched a key, or were last spoken to; what was said into this
            silence does not end it.

    """
    step = next_step(state)
    return step if step is not None and quiet_s >= AFTER_S[step] else None


def next_step(state: State) -> SilenceStep | None:
    """The step that comes next if the person stays silent.

    Every step comes once a silence, and after the one before it; that there is no hurry is said in the first silence
    only. A silence ends with a word of the person, and with their return from a pause.

    Returns:
        ``None`` where it is not their turn on a question, or the plan leaves silences unanswered.

    """
    if state.plan is None or not state.plan.silence_steps:
        return None
    if state.current is None or state.segment is not None or not isinstance(next_action(state), Listen):
        return None
    taken = _taken(state)
    # Whoever has just heard that the time is used up is not told that there is no hurry; nobody is told so twice.
    earlier = sum(is_into_silence(event) for asked in state.asked for event in asked.turns) - taken
    hurried = state.current.time_called or earlier > 0
    steps = [step for step in SilenceStep if step is not SilenceStep.LONG or not hurried]
    return steps[taken] if taken < len(steps) else None


def is_into_silence(event: Event) -> bool:
    """Whether it was said into a silence: nobody asked for it."""
    return isinstance(event, AsideTaken) and event.intent is Intent.WAIT and not event.words


def _taken(state: State) -> int:
    """How many steps this silence had already."""
    turns = state.current.turns if state.current else ()
    back = max((event.at for event in state.others if isinstance(event, InterviewResumed)), default=None)
    count = 0
    for event in reversed([turn for turn in turns if not isinstance(turn, _BEHIND_THE_SCENES)]):
        if not is_into_silence(event) or (back is not None and event.at < back):
            break
        count += 1
    return count
