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
    """Where an ability stands and how sure that is, in one sentence: the same wherever it is told."""
    at, low, high = (level_of(value) for value in (ability.mean, ability.low, ability.high))
    if low is high:
        return f"{_at(at)}, with little doubt."
    if low is None or high is None:
        top = (high or Level.JUNIOR).value
        return (
            f"{_at(at)}, very likely no higher than {top}." if at is None else f"{_at(at)}, but possibly up to {top}."
        )
    return f"{_at(at)}, very likely between {low.value} and {high.value}."


def _at(level: Level | None) -> str:
    return f"At {level.value} level" if level else BELOW.capitalize()
