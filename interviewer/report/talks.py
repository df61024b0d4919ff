"""The parts of an interview in which nothing is graded, for the report. Pure."""

from __future__ import annotations

from interviewer.events import InterviewerReplied, PersonSpoke, TalkOpened
from interviewer.report.model import TalkFinding, Turn, TurnKind
from interviewer.state import State


def talks(state: State) -> tuple[TalkFinding, ...]:
    """What was said in them, in order."""
    return tuple(TalkFinding(part=talk.part, transcript=tuple(map(_turn, talk.turns))) for talk in state.talks)


def _turn(event: TalkOpened | PersonSpoke | InterviewerReplied) -> Turn:
    if isinstance(event, PersonSpoke):
        return Turn(kind=TurnKind.TALK, event_id=event.id, speaker="person", at=event.at, text=event.text)
    place = event.place if isinstance(event, InterviewerReplied) else ""
    return Turn(kind=TurnKind.TALK, event_id=event.id, speaker="interviewer", at=event.at, text=event.said, place=place)
