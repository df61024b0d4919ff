"""A rubric for a question that came without one: atomic criteria out of its reference answer.

Bullets, numbered steps and sentences become criteria; what introduces a list, what is too short to be a point
and what says a point again is left out. The same reference always gives the same rubric.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rubric.model import Criterion, Rubric
from rubric.words import WORD, content_words
from serving.errors import BadInputError

MOST = 6
"""Criteria of a derived rubric at most; more make each of them light and the marks noisy."""

FENCE = re.compile(r"^\s*(```|~~~).*?^\s*\1[^\n]*$", re.DOTALL | re.MULTILINE)
BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+")
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*\"'(])")
MARKUP = re.compile(r"\*\*|__|`|^#+\s*", re.MULTILINE)


def derive_rubric(question: str, reference: str) -> Rubric:
    """Make a rubric out of a reference answer.

    Args:
        question: the question, to leave out sentences that only repeat it.
        reference: the reference answer, Markdown.

    Returns:
        One to six criteria in the reference's order, those from the first statements weighing more.

    Raises:
        BadInputError: the reference holds nothing that could be a criterion.
    """
    points = _distinct(_statements(reference), content_words(question))
    if not points and reference.strip():
        points = [_clean(reference)[:300]]
    if not points:
        raise BadInputError("The reference answer is empty, so no rubric can be derived from it.")
    kept = _spread(points)
    criteria = (
        Criterion(id=f"c{number}", text=text, weight=2.0 if number <= 2 else 1.0)
        for number, text in enumerate(kept, start=1)
    )
    return Rubric(criteria=tuple(criteria), origin="derived")


def _clean(text: str) -> str:
    return " ".join(MARKUP.sub("", text).split())


def _statements(reference: str) -> Iterable[str]:
    """Bullets and sentences that could be points."""
    for paragraph in _paragraphs(FENCE.sub("\n\n", reference)):
        for sentence in SENTENCE.split(paragraph):
            text = _clean(sentence)
            if not text.endswith((":", "?")) and len(WORD.findall(text.lower())) >= 4:
                yield text


def _paragraphs(text: str) -> list[str]:
    """Paragraphs and list items, each on one line."""
    result: list[str] = []
    fresh = True
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith(("#", "|")):
            fresh = True
        elif BULLET.match(line) or fresh:
            result.append(BULLET.sub("", line).strip())
            fresh = False
        else:
            result[-1] += " " + line.strip()
    return result


def _distinct(statements: Iterable[str], question: frozenset[str]) -> list[str]:
    kept: list[tuple[str, frozenset[str]]] = []
    for text in statements:
        words = content_words(text)
        if not words - question:
            continue
        if any(len(words & other) > 0.7 * min(len(words), len(other)) for _, other in kept):
            continue
        kept.append((text, words))
    return [text for text, _ in kept]


def _spread(points: list[str]) -> list[str]:
    """At most ``MOST`` points, taken evenly over the whole reference, the first one always."""
    if len(points) <= MOST:
        return points
    step = len(points) / MOST
    return [points[int(number * step)] for number in range(MOST)]
