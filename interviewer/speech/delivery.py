"""How something was said: pace, pauses, fillers, restarts, hedging. Pure.

Nothing of this is marked; it is what a friend in the room would have noticed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from pydantic import Field

from serving.frozen import FrozenModel
from serving.speech.stt.transcript import Transcript, Word

PAUSE_S = 1.0
"""Seconds of silence from which it is a pause."""

HUM_S = 0.28
"""Seconds of voice without a word from which it counts as a filler that was not written down."""

_EDGE_S = 0.12
_SOUNDS = {
    "um": "um", "umm": "um", "ummm": "um", "uhm": "um", "mm": "hm", "mmm": "hm", "hmm": "hm", "hm": "hm", "erm": "um",
    "uh": "uh", "uhh": "uh", "er": "uh", "err": "uh", "ah": "uh", "eh": "uh",
}  # fmt: skip
_ASIDES = frozenset({"like"})
_PHRASES = (("you", "know"), ("i", "mean"))
_HEDGES = (
    "i think", "i guess", "i believe", "i suppose", "i am not sure", "i'm not sure", "not entirely sure", "maybe",
    "probably", "perhaps", "possibly", "sort of", "kind of", "more or less", "or something", "i would say", "somehow",
)  # fmt: skip
_TWICE = frozenset({"that", "had", "very", "really", "no", "yes", "much", "many", "so", "again", "on", "zero", "one"})


Habit = Literal["filler", "restart", "hedge"]
"""What a listener may notice and a place can be named for."""


class Delivery(FrozenModel):
    """How an answer was spoken.

    Attributes:
        duration: of the recording, in seconds.
        words: how many were said, fillers not counted.
        pace: words a minute, from the first word to the last, pauses included; 0 below five words.
        talking: share of the time from first to last word in which somebody speaks, 0 to 1.
        longest_pause: between the first word and the last, in seconds.
        longest_pause_at: where it begins, in seconds.
        pauses: how many are longer than a second.
        fillers: how often each was heard; ``unwritten`` are those that the recognizer left out, told by voice without
            a word.
        restarts: words or beginnings that were said again at once.
        hedges: how often each was said.

    """

    duration: float = Field(ge=0)
    words: int = Field(ge=0)
    pace: float = Field(ge=0)
    talking: float = Field(ge=0, le=1)
    longest_pause: float = Field(ge=0)
    longest_pause_at: float = Field(ge=0)
    pauses: int = Field(ge=0)
    fillers: dict[str, int] = Field(default_factory=dict)
    restarts: int = Field(ge=0)
    hedges: dict[str, int] = Field(default_factory=dict)


def delivery(transcript: Transcript) -> Delivery:
    """How a recording was spoken, from its words' times and from where a voice was heard."""
    words = transcript.words
    tokens = [_token(word.text) for word in words]
    written, used = _written_fillers(words, tokens)
    hums = len(unwritten(words, transcript.voiced))
    fillers = {**written, **({"unwritten": hums} if hums else {})}
    spoken = [token for place, token in enumerate(tokens) if place not in used]
    restarts = _restarts(spoken, [word.text for place, word in enumerate(words) if place not in used])
    pauses = _pauses(transcript)
    longest = max(pauses, key=lambda gap: gap[1] - gap[0], default=(0.0, 0.0))
    span = words[-1].end - words[0].start if words else 0.0
    return Delivery(
        duration=round(transcript.duration, 2),
        words=len(spoken),
        pace=round(60 * len(spoken) / span, 1) if span > 0 and len(spoken) >= 5 else 0.0,
        talking=round(_talking(transcript, span), 3),
        longest_pause=round(longest[1] - longest[0], 2),
        longest_pause_at=round(longest[0], 2),
        pauses=sum(end - start >= PAUSE_S for start, end in pauses),
        fillers=fillers,
        restarts=len(restarts),
        hedges=_hedges(spoken),
    )


def unwritten(words: Sequence[Word], voiced: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Stretches of voice that no word covers: what Whisper heard and did not write, mostly "um" and "uh".

    Args:
        words: with their times, in order.
        voiced: where a voice was heard, in order.

    """
    covered = [(word.start - _EDGE_S, word.end + _EDGE_S) for word in words]
    found = []
    for start, end in voiced:
        at = start
        for begin, finish in (*covered, (end, end)):
            if begin > at and min(begin, end) - at >= HUM_S:
                found.append((round(at, 2), round(min(begin, end), 2)))
            at = max(at, finish)
            if at >= end:
                break
    return tuple(found)


def first_heard(words: Sequence[Word]) -> dict[Habit, tuple[float, str]]:
    """Where each habit shows for the first time, and in which words: seconds from the first recording's beginning."""
    tokens = [_token(word.text) for word in words]
    _, used = _written_fillers(words, tokens)
    rest = [place for place in range(len(words)) if place not in used]
    restarts = _restarts([tokens[place] for place in rest], [words[place].text for place in rest])
    found: dict[Habit, tuple[float, str]] = {}
    if used:
        found["filler"] = _said(words, min(used), 1)
    if restarts:
        begin = restarts[0]
        found["restart"] = _said(words, rest[begin], rest[min(begin + 3, len(rest) - 1)] - rest[begin] + 1)
    hedges = [(place, len(hedge)) for hedge in map(str.split, _HEDGES) for place in _places(tokens, hedge)]
    if hedges:
        found["hedge"] = _said(words, *min(hedges))
    return found


def _said(words: Sequence[Word], place: int, count: int) -> tuple[float, str]:
    return words[place].start, " ".join(word.text.strip() for word in words[place : place + count])


def _places(tokens: Sequence[str], phrase: Sequence[str]) -> list[int]:
    return [place for place in range(len(tokens)) if list(tokens[place : place + len(phrase)]) == list(phrase)]


def _token(text: str) -> str:
    return re.sub(r"[^\w'-]", "", text.lower()).strip("-")


def _written_fillers(words: Sequence[Word], tokens: Sequence[str]) -> tuple[dict[str, int], set[int]]:
    """How often each filler stands there, and the places of their words."""
    counts: Counter[str] = Counter()
    places: set[int] = set()
    for place, token in enumerate(tokens):
        before = words[place - 1].text if place else "."
        after = words[place].text
        if token in _SOUNDS:
            counts[_SOUNDS[token]] += 1
            places.add(place)
        elif token in _ASIDES and before[-1] in ",.;" and after[-1] in ",…":
            counts[token] += 1
            places.add(place)
        for phrase in _PHRASES:
            end = place + len(phrase)
            if tuple(tokens[place:end]) == phrase and (before[-1] in ",.;?!" or words[end - 1].text[-1] == ","):
                counts[" ".join(phrase)] += 1
                places.update(range(place, end))
    return dict(counts), places


def _pauses(transcript: Transcript) -> list[tuple[float, float]]:
    stretches = transcript.voiced or tuple((word.start, word.end) for word in transcript.words)
    return [(before[1], after[0]) for before, after in pairwise(stretches)]


def _talking(transcript: Transcript, span: float) -> float:
    stretches = transcript.voiced or tuple((word.start, word.end) for word in transcript.words)
    return min(1.0, sum(end - start for start, end in stretches) / span) if span > 0 else 0.0


def _restarts(tokens: Sequence[str], texts: Sequence[str]) -> list[int]:
    """The places of words cut off with a dash, and of one to three words said twice in a row."""
    found = [place for place, text in enumerate(texts) if text.rstrip(",.").endswith(("-", "—", "…"))]
    place = 0
    while place < len(tokens):
        for size in (3, 2, 1):
            first, second = tokens[place : place + size], tokens[place + size : place + 2 * size]
            if first and first == second and not (size == 1 and first[0] in _TWICE):
                found.append(place)
                place += size
                break
        else:
            place += 1
    return sorted(found)


def _hedges(tokens: Sequence[str]) -> dict[str, int]:
    said = f" {' '.join(tokens)} "
    counts = {hedge: said.count(f" {hedge} ") for hedge in _HEDGES}
    return {hedge: count for hedge, count in counts.items() if count}
