"""Words that carry meaning, for the lexical signals, and numbers as they are said."""

from __future__ import annotations

import re

WORD = re.compile(r"[a-z0-9_]+")
STOP = frozenset(
    [
        *("a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "has", "have", "how"),
        *("i", "if", "in", "is", "it", "its", "of", "on", "or", "that", "the", "their", "this", "to", "use", "used"),
        *("using", "was", "when", "which", "with", "you", "your"),
    ]
)

NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
"""Numbers as they are said, from 0."""

TENS_WORDS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
"""Tens as they are said, from 20."""


def content_words(text: str) -> frozenset[str]:
    """The text's words in lower case without those that carry no meaning of their own."""
    return frozenset(word for word in WORD.findall(text.lower()) if word not in STOP)
