"""Sentences on how answers were spoken, the same in every format of the report. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interviewer.report.schema.delivery import Manner, SpokenExample

MANNER = "How you spoke"
APART = "Measured from the sound and its words' times. None of it is part of any score."

SLOW, FAST = 110, 200
"""Words a minute. Lectures are held at about 140 and interviews at about 190 (Tauroza and Allison, "Speech rates in
British English", 1990)."""

_LONG_PAUSE_S = 4.0
_MANY_FILLERS = 4.0
"""A minute."""


def lines(found: Manner) -> Iterator[str]:
    """What was measured, one sentence each."""
    answers = f"{found.answers} answer{'' if found.answers == 1 else 's'}"
    talking = round(100 * found.talking)
    yield f"{answers} spoken, {found.words} words in {_time(found.seconds)}; {talking} % of it talking."
    if found.pace is not None:
        yield f"Pace: {round(found.pace)} words a minute. {_pace_said(found.pace)}"
    yield from _flow(found)
    if found.hedges:
        yield f"Hedging: {_counted(found.hedges)}. Say what you are sure of plainly, and name what you are not."


def heard_lines(found: Manner) -> Iterator[str]:
    """How surely the answers were heard, and what hangs on it."""
    if found.sure is not None:
        yield f"{round(100 * found.sure)} % of the words were recognized with certainty."
    if found.doubtful:
        yield f"Doubtful: {', '.join(found.doubtful)}."
    if found.corrected:
        yield f"{found.corrected} of the answers you corrected before sending; what you sent is what was graded."
    if found.hanging:
        yield f"A misheard word may have cost a point here: {'; '.join(found.hanging)}."


TO_HEAR = "Where one can hear it"
SOUNDS = (
    "Each sound is eight seconds of your kept recordings: around the place that is named, or, beside an answer, of its "
    "beginning. They stand in this file; nothing is loaded from elsewhere."
)


def example(found: SpokenExample) -> str:
    """A place to listen to."""
    said = f", “{found.said}”" if found.said else ""
    return f"{_HABITS[found.habit]}{said}: question {found.number}, at {_time(found.at)}"


_HABITS = {
    "pause": "The longest pause",
    "filler": "A filler",
    "restart": "Begun again",
    "hedge": "Hedging",
}


def _flow(found: Manner) -> Iterator[str]:
    pause = found.longest_pause
    if pause.seconds >= 1:
        long = " Say that you need a moment; nobody minds." if pause.seconds >= _LONG_PAUSE_S else ""
        yield f"Longest pause: {pause.seconds:.1f} s, in question {pause.number} at {_time(pause.at)}.{long}"
    if found.fillers:
        rate = 60 * sum(count for _, count in found.fillers) / max(found.seconds, 1.0)
        many = " A silent pause sounds surer." if rate >= _MANY_FILLERS else ""
        yield f"Fillers: {_counted(found.fillers)}; {rate:.1f} a minute.{many}"
    if found.restarts:
        yield f"Begun again: {found.restarts} time{'' if found.restarts == 1 else 's'}."


def _pace_said(pace: float) -> str:
    if pace < SLOW:
        return "That is slow; listeners lose the thread between the words."
    if pace > FAST:
        return "That is fast; leave a pause after each point."
    return "That is easy to follow."


def _counted(counts: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"“{_NAMES.get(word, word)}” {count}" for word, count in counts)


_NAMES = {"unwritten": "um, uh"}


def _time(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
