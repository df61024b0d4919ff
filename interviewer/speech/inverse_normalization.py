"""Spoken names, numbers and symbols as one writes them. Pure.

Only what cannot be meant otherwise is rewritten: a name that nothing else sounds like, a member behind a known
namespace, a keyword with a value. Everything else stays as it was heard; what was misheard is not guessed here
(``interviewer.speech.misrecognition`` proposes, the person decides).
"""

from __future__ import annotations

import re

from rubric.words import NUMBER_WORDS, TENS_WORDS


def inverse_normalize(text: str) -> str:
    """A transcript with its names, numbers and symbols as one writes them; what is written so already stays."""
    # Three hundred patterns: a tenth of a second that only whoever listens or reports waits for.
    from interviewer.speech.rewriting_rules import RULES  # noqa: PLC0415

    for pattern, replacement in RULES:
        text = pattern.sub(replacement, text)
    return text


def number(said: str) -> str:
    """A number in digits: ``sixteen`` → ``16``, ``thirty-two`` → ``32``; digits stay as they are.

    Raises:
        KeyError: it is no number below a hundred.

    """
    if said[0].isdigit():
        return said
    value = 0
    for word in re.split(r"[\s-]+", said.lower()):
        value += VALUES[word]
    return str(value)


VALUES = {word: value for value, word in enumerate(NUMBER_WORDS)}
VALUES |= {word: 10 * (place + 2) for place, word in enumerate(TENS_WORDS)} | {"oh": 0}
"""What a word for a number stands for."""
