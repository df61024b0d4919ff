"""The parts of an interview in which nothing is graded, for the report. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from interviewer.report.schema.question import TalkFinding, Turn, TurnKind
from interviewer.session.events import InterviewerReplied, PersonSpoke, ReturnWished, SegmentOpened
from interviewer.session.state import State


def talks(state: State) -> tuple[TalkFinding, ...]:
    """What was said in them, in order."""
    return tuple(
        TalkFinding(part=segment.part, transcript=tuple(turn for event in segment.turns for turn in _turns(event)))
        for segment in state.segments
    )


def _turns(event: SegmentOpened | PersonSpoke | InterviewerReplied | ReturnWished) -> Iterator[Turn]:
    words = event.person_words
    if words is not None:
        yield Turn(kind=TurnKind.TALK, event_id=event.id, speaker="person", at=event.at, text=words)
    if not isinstance(event, PersonSpoke):
        place = event.place if isinstance(event, InterviewerReplied) else ""
        said = event.said
        yield Turn(kind=TurnKind.TALK, event_id=event.id, speaker="interviewer", at=event.at, text=said, place=place)
