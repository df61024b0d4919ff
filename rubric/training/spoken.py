"""Statements as somebody may say them, with fillers and without the marks that recognition does not print. Pure."""

from __future__ import annotations

import random
from collections.abc import Sequence

_FILLED, _JOINED = 0.3, 0.2
"""Shares of answers with fillers, and with words that join sentences."""
_OFTEN = 0.5
_UNMARKED = 0.2
"""Share without capitals and marks, as recognition may print it."""
_FILLERS = ("um, ", "so, ", "I mean, ", "well, ", "you know, ", "right, ", "okay so ", "hmm, ")
_JOINTS = ("And ", "Also, ", "Then ", "Plus ", "Besides, ")


def as_spoken(statements: Sequence[str], draw: random.Random) -> str:
    """Statements one after another, as somebody may say them."""
    manner = draw.random()
    before: Sequence[str] = _FILLERS if manner < _FILLED else _JOINTS if manner < _FILLED + _JOINED else ()
    said = [
        draw.choice(before) + text[:1].lower() + text[1:] if before and draw.random() < _OFTEN else text
        for text in statements
    ]
    text = " ".join(said)
    return "".join(mark for mark in text.lower() if mark not in ",.`") if draw.random() < _UNMARKED else text
