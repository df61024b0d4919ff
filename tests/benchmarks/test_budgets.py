"""Figures are compared with their budgets, and the budgets name only figures that the benchmarks give."""

from __future__ import annotations

import math
import re

import pytest

from tests.benchmarks.bench_all import BENCHMARKS, BUDGETS, main
from tests.benchmarks.budgets import (
    Budget,
    Budgets,
    compared,
    read,
    sentences,
    table,
    too_costly,
    with_measured,
    written,
)
from tests.locations import ROOT


def some(**budgets: float) -> Budgets:
    figures = {name: Budget(unit="s", budget=budget, basis="goal") for name, budget in budgets.items()}
    return Budgets(tolerance=0.2, figures=figures)


def test_a_fifth_more_is_allowed_and_no_more() -> None:
    budgets = some(quick=1.0, edge=0.9, slow=1.0, faster=1.0)
    rows = compared(budgets, {"quick": 1.1, "edge": 1.08, "slow": 1.21, "faster": 0.1})
    assert [row.name for row in too_costly(rows, budgets.tolerance)] == ["slow"]
    assert list(sentences(rows, 0.2)) == ["slow costs 1.21 s, 1.21 times its budget of 1 s."]


def test_nothing_too_costly_is_said_too() -> None:
    rows = compared(some(quick=1.0), {"quick": 1.1})
    assert list(sentences(rows, 0.2)) == ["No figure costs more than 20% beyond its budget."]


def test_only_what_was_measured_and_has_a_budget_is_compared() -> None:
    rows = compared(some(one=1.0, other=2.0), {"other": 1.0, "unknown": 5.0})
    assert [(row.name, row.ratio) for row in rows] == [("other", 0.5)]
    assert list(table(rows))[2:] == ["| other | 1 s | 2 s | 0.50 |"]


def test_a_budget_of_nothing_allows_nothing() -> None:
    budgets = some(kept=0.0, broken=0.0)
    rows = compared(budgets, {"kept": 0.0, "broken": 0.1})
    assert [row.ratio for row in rows] == [1.0, math.inf]
    assert [row.name for row in too_costly(rows, budgets.tolerance)] == ["broken"]


def test_what_is_measured_is_written_and_the_budget_stays() -> None:
    budgets = with_measured(some(one=1.0, other=2.0), {"one": 1.23456}, 'a "quick" machine')
    assert read(written(budgets)) == budgets
    assert budgets.figures["one"].measured == 1.23
    assert budgets.figures["one"].budget == 1.0
    assert budgets.figures["other"].measured is None


def test_a_misspelled_field_is_refused() -> None:
    with pytest.raises(ValueError, match="budgte"):
        read('tolerance = 0.2\n[figures.one]\nunit = "s"\nbudgte = 1\nbasis = "goal"\n')


def test_the_budgets_name_figures_that_exist_in_their_units() -> None:
    budgets = read(BUDGETS.read_text())
    given = {name: unit for benchmark in BENCHMARKS.values() for name, unit in benchmark.FIGURES.items()}
    assert {name: budget.unit for name, budget in budgets.figures.items() if given.get(name) != budget.unit} == {}
    assert BUDGETS.read_text() == written(budgets), "the file is as --write writes it"
    assert budgets.tolerance == 0.2


def test_a_figure_begins_with_its_benchmark_and_ends_with_its_unit() -> None:
    for name, benchmark in BENCHMARKS.items():
        for figure, unit in benchmark.FIGURES.items():
            assert figure.startswith(f"{name}.")
            assert not unit or re.search(rf"[._]{unit.lower()}$", figure), figure


def test_every_benchmark_has_a_budget() -> None:
    names = read(BUDGETS.read_text()).figures
    assert {name.partition(".")[0] for name in names} == set(BENCHMARKS)


def test_an_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only", "turn,nothing"])
    assert "there is no benchmark nothing" in capsys.readouterr().err


def test_what_a_quick_run_gives_is_never_written(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--quick", "--write"])
    assert "mean nothing" in capsys.readouterr().err


def test_the_documentation_names_every_benchmark() -> None:
    text = (ROOT / "docs" / "benchmarks.md").read_text()
    section = text.partition("\n## Budgets\n")[2].partition("\n## ")[0]
    assert [name for name in BENCHMARKS if f"`{name}`" not in section] == []
