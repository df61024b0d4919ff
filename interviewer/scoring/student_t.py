"""Quantiles of Student's t, for the mean of a few scores: pure.

scipy has them too, and would bring twenty megabytes into every page.
"""

from __future__ import annotations

from math import atan, cos, pi, sin, sqrt

_STEPS = 60


def quantile(degrees: int, probability: float) -> float:
    """The value below which a variable of Student's t lies with a probability.

    Args:
        degrees: of freedom, at least 1.
        probability: from 0.5 to below 1.

    Raises:
        ValueError: there are no such degrees, or there is no such probability.

    """
    if degrees < 1 or not 0.5 <= probability < 1:
        raise ValueError(f"There is no quantile of t for {degrees} degrees and a probability of {probability}.")
    low, high = 0.0, 1.0
    while _below(high, degrees) < probability:
        low, high = high, 2 * high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _below(middle, degrees) < probability else (low, middle)
    return (low + high) / 2


def _below(value: float, degrees: int) -> float:
    """Probability of at most a value that is not negative (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4)."""
    angle = atan(value / sqrt(degrees))
    odd = degrees % 2 == 1
    term, total = (cos(angle) if odd else 1.0), 0.0
    for step in range(degrees // 2):
        total += term
        number = 2 * step + 1
        term *= cos(angle) ** 2 * ((number + 1) / (number + 2) if odd else number / (number + 1))
    within = 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
    return (1 + within) / 2
