"""Which statements of a reference become criteria, and what each weighs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from rubric.authoring.statements import Statement
from rubric.words import content_words

MOST = 6
"""Criteria of a derived rubric at most; more make each of them light and the marks noisy."""

_SAME = 0.8
"""Share of the words of the shorter of two statements from which they make the same point."""

_NEGATION = re.compile(r"\b(?:not|no|never|without|cannot|\w+n't|less|lower|fewer)\b", re.IGNORECASE)
_FIGURE = re.compile(r"\d+(?:\.\d+)?")


def choose(found: Sequence[Statement], question: str) -> list[tuple[Statement, float]]:
    """At most ``MOST`` statements spread over the reference's sections, in its order, with weights 1 to 3.

    A statement matters more the earlier it stands, when the question names what it speaks of, when it is in bold,
    when the reference says more about it or what it is for, and when its section is one of the long ones; less, when
    it leans on what was said before it.
    """
    kept = distinct(found)
    worth = importance(kept, question)
    chosen = sorted(_spread(kept, worth))
    return [(kept[at], _weight(worth[at])) for at in chosen]


def distinct(found: Sequence[Statement]) -> list[Statement]:
    """The statements without those that make the same point as another; the first is kept, unless another is fuller."""
    kept: list[tuple[Statement, _Profile]] = []
    for item in found:
        own = _profile(item)
        same = next((at for at, (_, other) in enumerate(kept) if _same(own, other)), None)
        if same is None:
            kept.append((item, own))
            continue
        first, profile = kept[same]
        if len(own.stems) > len(profile.stems) + 1:
            first, profile = item._replace(section=first.section, later=first.later), own
        kept[same] = first._replace(elaborated=True), profile
    return [item for item, _ in kept]


def importance(found: Sequence[Statement], question: str) -> list[float]:
    """How much each statement matters among these, from about 0 to 4."""
    asked = content_words(question)
    words = [_stems(item.text) for item in found]
    usual = Counter(word for own in words for word in own)
    rare = {_stem(word) for word in asked if usual[_stem(word)] <= max(1, len(found) // 2)}
    sizes = Counter(item.section for item in found)
    set_off = 0.75 if sum(item.bold for item in found) <= len(found) / 2 else 0.25
    return [
        (1.0 if at == 0 else 0.5 if at < len(found) / 3 else 0.0)
        + 0.5 * min(2, len(own & rare))
        + set_off * item.bold
        + 0.5 * item.elaborated
        + 0.25 * (sizes[item.section] > len(found) / len(sizes))
        - 1.0 * item.aside
        - 0.75 * item.later
        - 1.5 * item.unclear
        for at, (item, own) in enumerate(zip(found, words, strict=True))
    ]


def _spread(found: Sequence[Statement], worth: Sequence[float]) -> list[int]:
    """The sections take turns, that with the statement that matters most first."""
    if len(found) <= MOST:
        return list(range(len(found)))
    sections: dict[int, list[int]] = defaultdict(list)
    for at in sorted(range(len(found)), key=lambda at: (-worth[at], at)):
        sections[found[at].section].append(at)
    chosen: list[int] = []
    turn = 0
    while len(chosen) < MOST:
        fresh = [own[turn] for own in sections.values() if len(own) > turn]
        chosen += sorted(fresh, key=lambda at: (-worth[at], at))
        turn += 1
    return chosen[:MOST]


def _weight(worth: float) -> float:
    return 3.0 if worth >= 1.5 else 2.0 if worth >= 0.5 else 1.0


class _Profile(NamedTuple):
    """What tells whether two statements make the same point."""

    stems: frozenset[str]
    negations: frozenset[str]
    figures: frozenset[str]
    labels: tuple[str, ...]


def _profile(item: Statement) -> _Profile:
    return _Profile(
        _stems(item.text),
        frozenset(word.lower() for word in _NEGATION.findall(item.text)),
        frozenset(_FIGURE.findall(item.text)),
        item.labels,
    )


def _same(one: _Profile, other: _Profile) -> bool:
    shared = len(one.stems & other.stems)
    return (
        shared > 0
        and shared >= _SAME * min(len(one.stems), len(other.stems))
        and shared >= 0.5 * max(len(one.stems), len(other.stems))
        and one.negations == other.negations
        and (not one.figures or not other.figures or one.figures == other.figures)
        and (not one.labels or not other.labels or one.labels == other.labels)
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in content_words(text))


def _stem(word: str) -> str:
    """The word without the commonest endings, enough to tell "scales" and "scaling" from others."""
    return re.sub(r"(?:ing|ed|es|s|e)$", "", word) if len(word) > 4 else word
