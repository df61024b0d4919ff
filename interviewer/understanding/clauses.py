"""The clauses of a text: where something that can be quoted alone may begin. Pure."""

from __future__ import annotations

import re

from rubric.grading.evidence import sentences
from rubric.model import Span

_FEWEST_LETTERS = 12
"""Letters of the shortest rest of a sentence that is worth quoting."""

_BEGINS = re.compile(
    r"(?<=[,;:])\s+"
    r"|(?<!\s)(?<!\band)\s++(?=(?:because|since|so|but|which|whereas|while|although|where|then)\b)"
    # "and" joins clauses where somebody or something follows that does something; else it joins two names.
    r"|(?<!\s)\s++(?=and (?:then |so |that )?"
    r"(?:i|you|we|they|he|she|it|this|that|these|those|there|each|the|its|their)\b)",
    re.IGNORECASE,
)


def clause_starts(text: str, sentence: Span) -> list[int]:
    """Where the clauses of a sentence begin, in characters of the text; the sentence's own beginning comes first."""
    start, end = sentence
    starts = [start, *(match.end() for match in _BEGINS.finditer(text, start, end))]
    return [place for place in dict.fromkeys(starts) if end - place >= _FEWEST_LETTERS or place == start]


def clauses(text: str) -> list[Span]:
    """From each clause's beginning to the end of its sentence."""
    return [(start, end) for begin, end in sentences(text) for start in clause_starts(text, (begin, end))]
