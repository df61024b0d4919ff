"""The one scale that levels, abilities and standings are told on, and the one sentence that tells a place on it. Pure.

A person is at the level whose questions are nearest to their ability in difficulty: those of which they make about half
of the points alone, and from which their answers tell most.
"""

from __future__ import annotations

from interviewer.planning.ability import DIFFICULTY, LEVEL_STEP, Ability
from interviewer.text import count
from knowledge.model import Level

BELOW = "below junior"


def level_of(ability: float) -> Level | None:
    """The level whose difficulty is nearest to an ability in logits; ``None`` for one that is below all."""
    reached = [level for level in Level if ability >= DIFFICULTY[level] - LEVEL_STEP / 2]
    return max(reached, key=lambda level: DIFFICULTY[level], default=None)


def place(ability: Ability) -> str:
    """Where an ability stands, and what so few questions leave open, in one sentence: the same wherever it is told.

    Nobody is told to be at a level of which no question was asked: what lies above the hardest one is "or above".
    """
    at, low, high = (level_of(value) for value in (ability.mean, ability.low, ability.high))
    beyond = at is not None and ability.highest is not None and DIFFICULTY[at] > DIFFICULTY[ability.highest]
    if beyond:
        at = high = ability.highest
    others = [BELOW] if low is None and at is not None else []
    others += [level.value for level in Level if level is not at and _between(low, level, high)]
    best = f"{at.value if at else BELOW} level{' or above' if beyond else ''}"
    after = f"after {count(ability.questions, 'question')}" if ability.questions else "before any question"
    if len(others) > _MOST_NAMED:
        anything = f"anything from {others[0]} to {others[-1]}"
        return f"Too early to tell {after}: {best} is most likely, but {anything} is possible."
    if 0 < ability.questions < _FEWEST:
        return f"Too early to tell {after}; so far {best} is most likely."
    harder = " No harder question was asked." if beyond else ""
    if not others:
        return f"{'At ' + best if at else best.capitalize()}.{harder}"
    return f"Most likely {best}; {after}, {' or '.join(others)} is still possible.{harder}"


_FEWEST = 3
"""Questions from which a level is told: of one or two answers nobody would be told one to their face."""

_MOST_NAMED = 2
"""Other levels that are named; of more than these a person learns nothing."""


def _between(low: Level | None, level: Level, high: Level | None) -> bool:
    order = list(Level)
    return high is not None and (order.index(low) if low else 0) <= order.index(level) <= order.index(high)
