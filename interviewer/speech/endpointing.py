"""When a person who talks hands-free has ended their turn. Pure.

A fixed pause cuts off whoever thinks aloud: with 1.2 s half of all answers were cut. So the pause that ends a turn is
about two seconds, longer where the sentence plainly goes on, where the person asked for a moment, or where they have
made long pauses before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from serving.speech.stt.transcript import Transcript

WAIT_S = 2.0
"""Seconds of silence that end a turn when nothing speaks against it."""

UNFINISHED_S = 5.0
"""Seconds after a sentence that is not finished."""

THINKING_S = 45.0
"""Seconds after somebody asked for a moment."""

LONGEST_S = 6.0
"""Most seconds that earlier pauses can make it."""

# After these a sentence goes on, whatever mark the recognizer put behind them.
_JOINS = frozenset(
    (
        *("and", "or", "but", "because", "if", "when", "while", "which", "whose", "than", "the", "a", "an", "of", "my"),
        *("your", "its", "their", "between", "under", "um", "uh", "er", "erm"),
    )
)
# After these it goes on when no full stop follows.
_OPEN = frozenset(
    (
        *("so", "then", "that", "who", "where", "as", "like", "with", "without", "to", "for", "from", "in", "on", "at"),
        *("by", "into", "over", "about", "is", "are", "was", "were", "be", "has", "have", "had", "do", "does", "will"),
        *("would", "can", "could", "should", "must", "may", "might", "not", "also", "i", "you", "we", "they", "it"),
        *("well", "basically"),
    )
)
_LENGTH = "(?:moment|second|sec|minute)"
_MOMENT = re.compile(
    rf"\b(?:(?:give|need|want) (?:me )?(?:just )?(?:a|one|another) {_LENGTH}|hold on|(?:just a|one) {_LENGTH}"
    r"|bear with me|(?:let me|i have to|i need to) think(?: about (?:it|that|this))?)[^.?!]{0,24}[.?!…]*\s*$",
    re.IGNORECASE,
)


def endpoint_delay(said: str, pauses: Sequence[float] = (), wait_s: float = WAIT_S) -> float:
    """Seconds of silence that end the turn of somebody who has said this so far.

    Args:
        said: what was recognized so far.
        pauses: seconds of the pauses that they made before going on, in this turn.
        wait_s: seconds that end a turn of theirs when nothing speaks against it.

    """
    if _MOMENT.search(said):
        return THINKING_S
    usual = max(wait_s, min(LONGEST_S, max((1.3 * pause for pause in pauses), default=0.0)))
    words = re.findall(r"[\w'.]+", said.lower())
    last = words[-1].rstrip(".") if words else ""
    goes_on = said.rstrip().endswith((",", "...", "…", "-", "—", ":"))
    stopped = said.rstrip().endswith((".", "?", "!"))
    unfinished = goes_on or last in _JOINS or (last in _OPEN and not stopped)
    return max(usual, UNFINISHED_S) if unfinished else usual


def silence_at_end(voiced: Sequence[tuple[float, float]], duration: float) -> float:
    """Seconds since somebody last spoke; the whole recording where nobody did."""
    return max(0.0, duration - (voiced[-1][1] if voiced else 0.0))


def turn_ended(transcript: Transcript, wait_s: float = WAIT_S) -> bool:
    """Whether the person has ended their turn, as far as can be told from what was recorded so far.

    Args:
        transcript: what was recognized so far.
        wait_s: seconds of silence that end a turn of theirs when nothing speaks against it.

    """
    if not transcript.text:
        return False
    pauses = [after[0] - before[1] for before, after in pairwise(transcript.voiced)]
    waited = silence_at_end(transcript.voiced, transcript.duration)
    return waited >= endpoint_delay(transcript.text, pauses, wait_s)
