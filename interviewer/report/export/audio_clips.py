"""What can be listened to in a report: short pieces of the recordings that the person had kept.

A report stays one file that loads nothing, so the pieces stand in it, few and short. What was deleted meanwhile is left
out without a word.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path, PurePath
from types import MappingProxyType

from interviewer.report.schema.findings import Findings
from interviewer.session.state import State
from serving.errors import BadInputError
from serving.speech.clips import clip

LONGEST_S = 8.0
"""Seconds of a piece."""

MOST = 18
LARGEST = 500_000
"""Characters that all pieces together may take in a page."""

_BEFORE_S = 1.0
"""Seconds that stand before what is to be heard, to find one's way into the sentence."""

Sounds = Mapping[tuple[str, float], str]
"""By answer and by the second that is to be heard: an address that holds the sound itself."""

SILENT: Sounds = MappingProxyType({})


def sounds(state: State, findings: Findings, folder: Path) -> Sounds:
    """The pieces for the examples of how it was spoken, then for the answers' beginnings, as far as there is room.

    Args:
        state: the interview.
        findings: what the report says about it.
        folder: where recordings of this interview lie; of what the journal says of a file its name alone counts, since
            a journal may come from elsewhere.

    """
    kept = {
        answer.id: tuple(folder / PurePath(name).name for name in answer.spoken.recordings)
        for asked in state.asked
        for answer in asked.answers
        if answer.spoken is not None and answer.spoken.recordings
    }
    found: dict[tuple[str, float], str] = {}
    room = LARGEST
    for answer_id, at in dict.fromkeys(_wanted(findings)):
        sound = _sound(kept.get(answer_id, ()), at)
        if sound and len(sound) <= room and len(found) < MOST:
            found[answer_id, at] = sound
            room -= len(sound)
    return found


def places(state: State) -> tuple[str, ...]:
    """Where the journal says that the recordings of an interview's answers are, in their order."""
    spoken = (answer.spoken for asked in state.asked for answer in asked.answers)
    return tuple(place for each in spoken if each is not None for place in each.recordings)


def _wanted(findings: Findings) -> Iterator[tuple[str, float]]:
    for example in findings.manner.examples if findings.manner else ():
        yield example.answer_id, example.at
    for question in findings.questions:
        for turn in question.transcript:
            if turn.kind == "answer":
                yield turn.event_id, 0.0


def _sound(recordings: tuple[Path, ...], at: float) -> str:
    """The sound as an address; empty where there is none (any more)."""
    try:
        changed = tuple(path.stat().st_mtime_ns for path in recordings)
        return _cut(recordings, changed, max(at - _BEFORE_S, 0.0)) if recordings else ""
    except (BadInputError, OSError):
        return ""


@lru_cache(maxsize=64)
def _cut(recordings: tuple[Path, ...], _changed: tuple[int, ...], start: float) -> str:
    return "data:audio/ogg;base64," + b64encode(clip(recordings, start, LONGEST_S)).decode()
