"""What came of a step, the bounds that decide it, and the file in which steps are kept. Pure but for the file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from serving.frozen import FrozenModel

READY_S = 60.0
"""Seconds in which a server has to be ready."""

TURN_S = 0.3
"""Median seconds of an answer's marks."""

AT_ONCE = 64
AT_ONCE_S = 1.0
"""95th percentile of the seconds of an answer's marks, so many at once."""

SAME_KAPPA = 0.01
"""By how much two fits from the same seed may differ."""


class Outcome(FrozenModel):
    """What came of a step.

    Attributes:
        step: its name.
        passed: whether what it proves holds.
        message: what was found, or why it failed, one sentence.
        figures: what was measured.
        seconds: that it took.

    """

    step: str
    passed: bool
    message: str
    figures: dict[str, Any] = {}  # noqa: RUF012 - frozen
    seconds: float = 0.0


def bounded(values: Mapping[str, float], most: float, what: str) -> tuple[bool, str]:
    """Whether all values are within a bound, and a sentence that names those that are not."""
    over = {name: value for name, value in values.items() if not value <= most}
    told = ", ".join(f"{name} {value:.3g}" for name, value in (over or values).items())
    return not over, f"{what}: {told} ({'more than' if over else 'at most'} {most:g})."


def percentile(values: Sequence[float], share: float) -> float:
    """The value that a share of all values does not exceed; infinite where there is none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("inf")


def tasks_verdict(results: Mapping[str, tuple[str, int, bool]]) -> tuple[bool, str]:
    """Whether our own solutions pass on the card, and each task that can has a test there.

    Args:
        results: of each task, its status, how many of its tests ran on the card, and whether some can.

    """
    wrong = [f"{name} {status}" for name, (status, _, _) in results.items() if status != "passed"]
    unproved = [f"{name} no test on the card" for name, (_, ran, can) in results.items() if can and not ran]
    ran = sum(count for _, count, _ in results.values())
    if wrong or unproved:
        return (
            False,
            f"{len(wrong)} false failures, {len(unproved)} without a test: {'; '.join(wrong + unproved)[:600]}.",
        )
    return True, f"{len(results)} tasks pass, {ran} of their tests ran on the card."


def matrix_verdict(matrix: Mapping[str, str]) -> tuple[bool, str]:
    """Whether CUDA starts as a job would start it; where it does not, which change would help.

    Args:
        matrix: why it does not, empty where it does; of "as a job" and of what was changed.

    """
    if not matrix["as a job"]:
        needless = [name for name, why in matrix.items() if not why and name != "as a job"]
        return True, f"CUDA starts in the sandbox; it also does {', '.join(needless) or 'in no other layout'}."
    helps = [name for name, why in matrix.items() if not why]
    return False, f"{matrix['as a job']} It starts {' and '.join(helps) or 'in no layout that was tried'}."


def kept(path: Path) -> dict[str, Outcome]:
    """The outcomes of a file, by step; none where it cannot be read."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["steps"]
        return {row["step"]: Outcome.model_validate(row) for row in rows}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def keep(path: Path, outcomes: Iterable[Outcome], about: Mapping[str, Any]) -> None:
    """Write outcomes with what they are about, as the file that is sent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    rows = [each.model_dump() for each in outcomes]
    partial.write_text(json.dumps({**about, "steps": rows}, indent=2, ensure_ascii=False), encoding="utf-8")
    partial.replace(path)


def table(outcomes: Iterable[Outcome]) -> str:
    """A line for each step."""
    lines = [
        f"{'✓' if each.passed else '✗'} {each.step:<10} {each.seconds:>6.0f} s  {each.message}" for each in outcomes
    ]
    return "\n".join(lines)
