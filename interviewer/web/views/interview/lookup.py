"""What the person asks at the end is looked up in the documents, which takes a while: what is shown meanwhile. Pure."""

from __future__ import annotations

from datetime import datetime

from interviewer.dialogue import ungraded_segments
from interviewer.dialogue.interpretation import interpret_in_segment, reply_in_talk
from interviewer.policy.actions import Reply
from interviewer.policy.next_action import next_action
from interviewer.session.events import PersonSpoke
from interviewer.session.plan import SegmentKind
from interviewer.session.state import State
from interviewer.understanding.utterance import Utterance

LOOKING_UP = "Looking that up…"
"""Told until the reply is there."""


def is_looked_up(state: State) -> bool:
    """Whether the reply to what the person said last has to be looked up, and is not there yet."""
    segment = state.segment
    if segment is None or segment.part is not SegmentKind.THEIR_QUESTIONS:
        return False
    said = segment.turns[-1]
    if not isinstance(said, PersonSpoke) or not isinstance(next_action(state), Reply):
        return False
    return not reply_in_talk(state, said.text) and ungraded_segments.is_looked_up(said.text)


def looked_up(state: State | None, text: str, *, at: datetime) -> State | None:
    """The interview as it will stand while what is sent now is looked up; ``None`` where nothing will be."""
    segment = state.segment if state is not None else None
    if state is None or segment is None or segment.part is not SegmentKind.THEIR_QUESTIONS or not text.strip():
        return None
    said = interpret_in_segment(state, segment.part, Utterance(text.strip()), "supposed", at=at)[-1]
    if not isinstance(said, PersonSpoke):
        return None
    asked = segment.model_copy(update={"turns": (*segment.turns, said)})
    supposed = state.model_copy(update={"segments": (*state.segments[:-1], asked)})
    return supposed if is_looked_up(supposed) else None
