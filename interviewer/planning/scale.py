"""The one scale that levels, abilities and standings are told on, and the one sentence that tells a place on it. Pure.

A person is at the level whose questions are nearest to their ability in difficulty: those of which they make about half
of the points alone, and from which their answers tell most.
"""

from __future__ import annotations

from interviewer.planning.ability import DIFFICULTY, LEVEL_STEP, Ability
from knowledge.model import Level

BELOW = "below junior level"


def level_of(ability: float) -> Level | None:
    """The level whose difficulty is nearest to an ability in logits; ``None`` for one that is below all."""
    reached = [level for level in Level if ability >= DIFFICULTY[level] - LEVEL_STEP / 2]
    return max(reached, key=lambda level: DIFFICULTY[level], default=None)


def place(ability: Ability) -> str:
    """Where an ability stands and at which levels it may be besides, in one sentence: the same wherever it is told."""
    at, low, high = (level_of(value) for value in (ability.mean, ability.low, ability.high))
    said = f"At {at.value} level" if at else BELOW.capitalize()
    others = [BELOW] if low is None and at is not None else []
    others += [level.value for level in Level if level is not at and _between(low, level, high)]
    if len(others) > 2:
        return f"{said}, possibly anything from {others[0]} to {others[-1]}."
    return f"{said}, possibly {' or '.join(others)}." if others else f"{said}."


def _between(low: Level | None, level: Level, high: Level | None) -> bool:
    order = list(Level)
    return high is not None and (order.index(low) if low else 0) <= order.index(level) <= order.index(high)
