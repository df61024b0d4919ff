"""Sentences on how answers were spoken, the same in every format of the report. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from interviewer.report.schema.delivery import Manner, Moment, SpokenExample
from interviewer.text import count

SPOKEN = "How you spoke"
IN_DETAIL = "How you spoke, in detail"
APART = "Measured from your recordings. None of it affects your score."

SLOW, FAST = 110, 200
"""Words a minute. Lectures are held at about 140 and interviews at about 190 (Tauroza and Allison, "Speech rates in
British English", 1990)."""

_LONG_PAUSE_S = 4.0
_MANY_FILLERS = 4.0
"""A minute."""

_MANY_HEDGES, _HEDGES_A_MINUTE = 4, 2.0
"""From where on hedging is a habit worth a word: "maybe a couple of hundred" is how one gives an estimate."""


def summary(found: Manner) -> Iterator[str]:
    """What a listener would tell the person first, at most three sentences."""
    if found.pace is not None:
        yield f"You spoke {round(found.pace)} words a minute: {_pace_said(found.pace)}."
    if _heard(found):
        many = " A short silence sounds more confident." if _filler_rate(found) >= _MANY_FILLERS else ""
        yield f"Fillers: {_counted(_heard(found))}, {_filler_rate(found):.1f} a minute.{many}"
    pause = found.longest_pause
    if pause.seconds >= _LONG_PAUSE_S:
        yield (
            f"Your longest pause was {pause.seconds:.1f} seconds ({_place(pause)}). Say that you need a "
            "moment; nobody minds."
        )


def details(found: Manner) -> Iterator[str]:
    """What else was measured, one sentence each."""
    answers = count(found.answers, "spoken answer")
    talking = f"you were talking {round(100 * found.talking)}% of that time"
    yield f"{answers}: {found.words} words in {_length(found.seconds)}; {talking}."
    pause = found.longest_pause
    if 1 <= pause.seconds < _LONG_PAUSE_S:
        yield f"Longest pause: {pause.seconds:.1f} seconds, in {_place(pause)}, at {_time(pause.at)}."
    sounds = dict(found.fillers).get(_UNWRITTEN, 0)
    if sounds:
        yield f"{count(sounds, 'sound')} between words {'was' if sounds == 1 else 'were'} not recognized."
    if found.restarts:
        yield f"You restarted a sentence {'once' if found.restarts == 1 else count(found.restarts, 'time')}."
    if found.hedges:
        number = sum(number for _, number in found.hedges)
        many = number >= _MANY_HEDGES and 60 * number / max(found.seconds, 1.0) >= _HEDGES_A_MINUTE
        yield f"Hedges: {_counted(found.hedges)}.{' Hedge only what you are not sure of.' if many else ''}"


def _filler_rate(found: Manner) -> float:
    """Fillers a minute."""
    return 60 * sum(number for _, number in _heard(found)) / max(found.seconds, 1.0)


def _heard(found: Manner) -> tuple[tuple[str, int], ...]:
    """The fillers that were recognized as words: of other sounds nobody knows what they were."""
    return tuple((word, number) for word, number in found.fillers if word != _UNWRITTEN)


def heard_lines(found: Manner) -> Iterator[str]:
    """How surely the answers were heard, and what hangs on it."""
    if found.sure is not None:
        yield f"{round(100 * found.sure)}% of your words were recognized with certainty."
    if found.doubtful:
        yield f"Unclear words: {', '.join(found.doubtful)}."
    if found.corrected:
        yield f"You corrected {count(found.corrected, 'answer')} before sending; the corrected text was graded."
    if found.hanging:
        yield f"A misheard word may have cost you a point: {'; '.join(found.hanging)}."


TO_HEAR = "Where to listen"
SOUNDS = (
    "Each clip is eight seconds long. It plays the moment named here or, next to an answer, its beginning. The "
    "clips are stored in this file."
)


def example(found: SpokenExample) -> str:
    """A place to listen to."""
    said = f", “{_I.sub('I', found.said)}”" if found.said else ""
    return f"{_HABITS[found.habit]}{said}: {_place(found)}, at {_time(found.at)}"


_HABITS = {
    "pause": "Longest pause",
    "filler": "Filler",
    "restart": "Restart",
    "hedge": "Hedge",
}


def _pace_said(pace: float) -> str:
    if pace < SLOW:
        return "on the slow side"
    if pace > FAST:
        return "fast, so pause after each point"
    return "easy to follow"


def _place(found: Moment | SpokenExample) -> str:
    """Which answer it was: to a question there may be several, and each has its own recording."""
    return f"question {found.number}, answer {found.answer}"


def _counted(counts: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"“{_I.sub('I', word)}” {number}" for word, number in counts)


_I = re.compile(r"\bi\b")


_UNWRITTEN = "unwritten"


def _length(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _time(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
