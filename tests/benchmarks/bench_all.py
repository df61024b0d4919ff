"""Runs the benchmarks that have budgets and compares: ``make bench-all ARGS="--only turn,memory"``.

Each runs in a process of its own, one after the other, and prints its table. At the end stands a table of every figure
that has a budget (``budgets.toml``) with what it costs now. Ends with status 1 where a figure costs more than the
tolerance beyond its budget, or where a benchmark did not end well. Nothing else should run on the machine meanwhile.

``--write`` keeps what was measured, and on which machine, in ``budgets.toml``; what a figure may cost is changed there
by hand. ``--quick`` repeats little and compares nothing: it shows that the benchmarks work.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import psutil

from serving.atomic import write_atomic
from tests.benchmarks import index_growth, indexing, interview_memory, load, report, requests, start, turns
from tests.benchmarks.budgets import compared, read, sentences, table, too_costly, with_measured, written
from tests.locations import ROOT

BUDGETS = Path(__file__).with_name("budgets.toml")


class Benchmark(Protocol):
    """A module that measures.

    Attributes:
        FIGURES: the names of the figures that it gives, with their units.

    """

    FIGURES: dict[str, str]

    def measure(self, *, quick: bool = False) -> dict[str, float]:
        """Measure all figures; repeat little and with little where it should be quick."""
        ...

    def lines(self, figures: Mapping[str, float]) -> Iterator[str]:
        """The figures as they are printed."""
        ...


BENCHMARKS: dict[str, Benchmark] = {
    "request": requests,
    "report": report,
    "start": start,
    "turn": turns,
    "memory": interview_memory,
    "index": indexing,
    "growth": index_growth,
    "load": load,
}
"""Those that have budgets, the short ones first. The names of their figures begin with these names."""


def run_here(name: str, *, quick: bool) -> dict[str, float]:
    """Run a benchmark in this process and print its table.

    Raises:
        ValueError: it gave other figures than it says it does.

    """
    benchmark = BENCHMARKS[name]
    figures = benchmark.measure(quick=quick)
    print("\n".join(benchmark.lines(figures)), flush=True)
    if unlike := sorted(figures.keys() ^ benchmark.FIGURES.keys()):
        raise ValueError(f"The benchmark {name} gives other figures than it says: {', '.join(unlike)}.")
    return figures


def run_apart(name: str, *, quick: bool) -> dict[str, float] | None:
    """Run a benchmark in a process of its own, so that none finds imported or loaded what another one needed.

    Returns:
        Its figures; ``None`` where it did not end well, which it has printed the reason of.

    """
    with tempfile.TemporaryDirectory() as folder:
        into = Path(folder) / "figures.json"
        command = [sys.executable, "-m", "tests.benchmarks.bench_all", "--one", name, "--into", str(into)]
        ended = subprocess.run([*command, *(["--quick"] if quick else [])], cwd=ROOT, check=False)
        if ended.returncode or not into.is_file():
            return None
        figures: dict[str, float] = json.loads(into.read_text())
        return figures


def machine() -> str:
    """What this is run on: processor, cores that may be used, memory."""
    cores, memory = len(os.sched_getaffinity(0)), psutil.virtual_memory().total / 2**30
    return f"{_processor()}, {cores} cores, {memory:.0f} GiB"


def _processor() -> str:
    try:
        told = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        told = []
    named = [line.partition(":")[2].strip() for line in told if line.startswith("model name")]
    return named[0] if named else platform.machine()


def chosen(only: str, ask: argparse.ArgumentParser) -> list[str]:
    """The benchmarks to run, in their order; all where none is named."""
    named = [name.strip() for name in only.split(",") if name.strip()]
    if unknown := [name for name in named if name not in BENCHMARKS]:
        ask.error(f"there is no benchmark {unknown[0]}; there are {', '.join(BENCHMARKS)}")
    return [name for name in BENCHMARKS if not named or name in named]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks, print the comparison, and keep what was measured if that is wanted."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--only", default="", help=f"names of benchmarks, with commas: {', '.join(BENCHMARKS)}")
    ask.add_argument("--write", action="store_true", help="keep what was measured in budgets.toml")
    ask.add_argument("--quick", action="store_true", help="see that the benchmarks work; the figures mean nothing")
    ask.add_argument("--one", choices=BENCHMARKS, help=argparse.SUPPRESS)
    ask.add_argument("--into", type=Path, help=argparse.SUPPRESS)
    given = ask.parse_args(arguments)
    if given.quick and given.write:
        ask.error("figures of a quick run mean nothing and are not kept")
    if given.one:
        given.into.write_text(json.dumps(run_here(given.one, quick=given.quick)))
        return 0
    names = chosen(given.only, ask)
    budgets = read(BUDGETS.read_text())
    measured: dict[str, float] = {}
    failed = []
    for name in names:
        print(f"\n… {name}", flush=True)
        figures = run_apart(name, quick=given.quick)
        if figures is None:
            failed.append(name)
        measured |= figures or {}
    rows = [] if given.quick else compared(budgets, measured)
    if rows:
        print(f"\n{machine()}\n")
        print("\n".join([*table(rows), "", *sentences(rows, budgets.tolerance)]))
    if failed:
        print(f"\nDid not end well: {', '.join(failed)}.")
    if given.write:
        write_atomic(BUDGETS, written(with_measured(budgets, measured, machine())))
    return 1 if failed or too_costly(rows, budgets.tolerance) else 0


if __name__ == "__main__":
    sys.exit(main())
