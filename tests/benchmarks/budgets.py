"""What the benchmarks' figures may cost: ``budgets.toml`` read, compared and written. All of it is pure.

All figures are costs: seconds, megabytes, counts. A figure that costs more than its budget and a tolerance on top is
seen by ``make bench-all`` (``tests.benchmarks.bench_all``).
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from serving.frozen import FrozenModel

FIELDS = ("unit", "budget", "basis", "measured", "machine")
"""Of a budget, in the order in which they are written."""


class Budget(FrozenModel):
    """What one figure may cost.

    Attributes:
        unit: of both values, as its benchmark names it: ``s``, ``ms``, ``MB``; empty for a count.
        budget: what it may cost.
        basis: where the budget comes from: a value in docs/benchmarks, a goal that may not have been reached yet,
            or a value that was measured for this file.
        measured: what it cost when it was measured last; ``None`` before that.
        machine: what that was measured on.
    """

    unit: str
    budget: float
    basis: Literal["documented", "goal", "measured"]
    measured: float | None = None
    machine: str = ""


class Budgets(FrozenModel):
    """All budgets.

    Attributes:
        tolerance: share of a budget that a figure may cost on top of it; figures are noisy.
        figures: the budgets by the figures' names.
    """

    tolerance: float
    figures: dict[str, Budget]


class Compared(NamedTuple):
    """A figure beside its budget.

    Attributes:
        name: of the figure.
        unit: of both values.
        measured: what it costs now.
        budget: what it may cost.
    """

    name: str
    unit: str
    measured: float
    budget: float

    @property
    def ratio(self) -> float:
        """What it costs as a multiple of its budget; where the budget is nothing, anything is infinitely much."""
        if self.budget:
            return self.measured / self.budget
        return math.inf if self.measured else 1.0


def read(text: str) -> Budgets:
    """Read budgets from TOML: the tolerance, then a table for each figure.

    Raises:
        ValueError: it is no TOML, or has other fields.

    """
    return Budgets.model_validate(tomllib.loads(text))


def written(budgets: Budgets) -> str:
    """Budgets as TOML; ``read`` gives them back."""
    lines = [f"tolerance = {budgets.tolerance:g}"]
    for name, budget in budgets.figures.items():
        lines += ["", f"[figures.{_text(name)}]"]
        for field in FIELDS:
            value = getattr(budget, field)
            if field == "machine" and not value:
                continue
            if value is not None:
                lines.append(f"{field} = {_text(value) if isinstance(value, str) else f'{value:g}'}")
    return "\n".join(lines) + "\n"


def _text(value: str) -> str:
    # A JSON string without escaped surrogates is a TOML string.
    return json.dumps(value, ensure_ascii=False)


def with_measured(budgets: Budgets, measured: Mapping[str, float], machine: str) -> Budgets:
    """The budgets with what was measured now; what may be spent stays, and so do figures that were not measured."""
    figures = {
        name: budget.model_copy(update={"measured": float(f"{measured[name]:.3g}"), "machine": machine})
        if name in measured
        else budget
        for name, budget in budgets.figures.items()
    }
    return budgets.model_copy(update={"figures": figures})


def compared(budgets: Budgets, measured: Mapping[str, float]) -> list[Compared]:
    """The figures that were measured and have a budget, in the budgets' order."""
    return [
        Compared(name, budget.unit, measured[name], budget.budget)
        for name, budget in budgets.figures.items()
        if name in measured
    ]


def too_costly(rows: Sequence[Compared], tolerance: float) -> list[Compared]:
    """The figures that cost more than their budget and the tolerance."""
    # What is a fifth more in decimals may be a bit more in binary.
    return [row for row in rows if row.ratio > 1 + tolerance + 1e-9]


def table(rows: Sequence[Compared]) -> Iterator[str]:
    """The figures beside their budgets, as Markdown."""
    yield "| figure | measured | budget | ratio |"
    yield "|---|---|---|---|"
    for row in rows:
        yield f"| {row.name} | {_amount(row.measured, row.unit)} | {_amount(row.budget, row.unit)} | {row.ratio:.2f} |"


def sentences(rows: Sequence[Compared], tolerance: float) -> Iterator[str]:
    """What costs too much, a sentence for each; one sentence where nothing does."""
    dear = too_costly(rows, tolerance)
    for row in dear:
        yield (
            f"{row.name} costs {_amount(row.measured, row.unit)}, "
            f"{row.ratio:.2f} times its budget of {_amount(row.budget, row.unit)}."
        )
    if not dear:
        yield f"No figure costs more than {tolerance:.0%} beyond its budget."


def _amount(value: float, unit: str) -> str:
    return f"{value:.4g} {unit}".rstrip()
