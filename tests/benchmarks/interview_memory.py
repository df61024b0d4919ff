"""Measures the memory of an interview: ``make memory-bench``. Proportional set size of the page and the model server.

The page is started as a person starts it, with recognizer and voice and a model server of its own. One candidate
answers six times and reads the report. Memory is read when everything has come up, and again a minute and a half after
the report: the page gives free memory back once a minute.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import psutil

from serving.llm.server_state import ServerState
from serving.models import catalogue
from tests.benchmarks.load import Load, Served, hold_all, linked_models, served, warm
from tests.benchmarks.memory import held_by

ANSWERS = 6
GIVEN_BACK_S = 90.0
"""Seconds within which the page gives back what is free, in any case."""
SAMPLE_S = 2.0
FIGURES = dict.fromkeys(
    (
        "memory.page_before_mb",
        "memory.server_before_mb",
        "memory.page_peak_mb",
        "memory.page_mb",
        "memory.server_mb",
        "memory.both_mb",
    ),
    "MB",
)
"""The names of the figures that are measured here, with their units."""


class Held(NamedTuple):
    """Megabytes, pages shared with other processes counted by their share.

    Attributes:
        page: held by the page's process and what it started, without the model server.
        server: held by the model server, its guardian included.

    """

    page: float
    server: float


def held_now(page: Served, models_folder: Path) -> Held:
    """What the page and its model server hold at this moment."""
    program, server = parts(page, models_folder)
    return Held(held_by(program), held_by(server))


def parts(page: Served, models_folder: Path) -> tuple[set[psutil.Process], set[psutil.Process]]:
    """The processes of the page, and those of its model server."""
    state = ServerState.model_validate_json((models_folder / "run" / "judge.json").read_text())
    server, program = _with_children(state.pid), _with_children(page.pid)
    return program - server, server


def _with_children(pid: int) -> set[psutil.Process]:
    process = psutil.Process(pid)
    return {process, *process.children(recursive=True)}


def measure(*, quick: bool = False) -> dict[str, float]:
    """Hold an interview and read the memory before and after it.

    Args:
        quick: two answers, and no wait at the end, to see that it works.

    Raises:
        RuntimeError: something went wrong in the interview, so that the figures say nothing.

    """
    catalogue.ensure_embedder()
    catalogue.ensure_judge()
    load = Load(1, 0.0, (0.0, 0.0), 0.0, least=2 if quick else ANSWERS, memory_s=SAMPLE_S)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        models_folder = linked_models(place / "models")
        with served(place, models_folder, talks=True) as page:
            asyncio.run(warm(page.url))
            before = held_now(page, models_folder)
            interview = asyncio.run(hold_all(page, load))
            if interview.wrong:
                raise RuntimeError("; ".join(interview.wrong))
            time.sleep(0.0 if quick else GIVEN_BACK_S)
            after = held_now(page, models_folder)
    return {
        "memory.page_before_mb": before.page,
        "memory.server_before_mb": before.server,
        "memory.page_peak_mb": max(sample.pss for sample in interview.samples),
        "memory.page_mb": after.page,
        "memory.server_mb": after.server,
        "memory.both_mb": after.page + after.server,
    }


def lines(figures: Mapping[str, float]) -> Iterator[str]:
    """The figures as they are printed: a table."""
    page_before, server_before, peak, page, server, both = (figures[name] for name in FIGURES)
    yield "| MB | page | model server | both |"
    yield "|---|---|---|---|"
    yield f"| before the interview | {page_before:.0f} | {server_before:.0f} | {page_before + server_before:.0f} |"
    yield f"| after it | {page:.0f} | {server:.0f} | {both:.0f} |"
    yield f"\nThe most that the page's own process held meanwhile: {peak:.0f} MB"


def main() -> None:
    """Print the memory."""
    print("\n".join(lines(measure())))


if __name__ == "__main__":
    main()
