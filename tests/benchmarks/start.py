"""Measures how long starting takes: ``make start-bench``. The models are on the machine already.

- *the page*: from ``app.py serve`` to the page's answer to a first request; once in an empty home, and then, the median
  of several, in the same home, as for a person who starts the program the next day.
- *the model server*: from its start until it says that it is ready, and until it has answered a first prompt.

The page is started beside a model server that does nothing meanwhile (``tests.benchmarks.paced_server``), since the
real one is started only once the page answers.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from unittest.mock import patch

from interviewer.cli.container import Container
from serving import paths
from serving.models import catalogue
from tests.benchmarks.load import linked_models, paced_models, served, take_vectors, warm

STARTS = 3
FIGURES = {
    "start.first_page_s": "s",
    "start.page_s": "s",
    "start.server_ready_s": "s",
    "start.server_s": "s",
}
"""The names of the figures that are measured here, with their units."""


def page_seconds(folder: Path, models_folder: Path, starts: int) -> list[float]:
    """Start the page in an empty home, and then several times more; how long each start took."""
    # Copied before the clock runs.
    take_vectors(folder / "home")
    taken = []
    for number in range(1 + starts):
        begin = time.perf_counter()
        with served(folder, models_folder) as page:
            taken.append(time.perf_counter() - begin)
            if number == 0:
                # The bank is in the index before anybody comes a second time.
                asyncio.run(warm(page.url))
    return taken


def server_seconds(models_folder: Path) -> tuple[float, float]:
    """Start the model server; seconds until it is ready, and until its first answer."""
    with patch.dict(os.environ, {paths.MODELS_VARIABLE: str(models_folder)}):
        container = Container(linger_s=0.0)
        try:
            container.judge_service.fetch()
            begin = time.perf_counter()
            container.judge_service.start()
            ready = time.perf_counter() - begin
            container.judge_service.client.states(["The gradient of a leaf tensor is kept."])
            return ready, time.perf_counter() - begin
        finally:
            container.close()


def measure(*, quick: bool = False) -> dict[str, float]:
    """Start the page and the model server.

    Args:
        quick: the page in a home that is not empty only once, to see that it works.

    """
    catalogue.ensure_embedder()
    catalogue.ensure_judge()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "paced").mkdir()
        with paced_models(place / "paced") as models_folder:
            first, *later = page_seconds(place, models_folder, 1 if quick else STARTS)
        ready, answered = server_seconds(linked_models(place / "models"))
    return {
        "start.first_page_s": first,
        "start.page_s": median(later),
        "start.server_ready_s": ready,
        "start.server_s": answered,
    }


def lines(figures: Mapping[str, float]) -> Iterator[str]:
    """The figures as they are printed."""
    yield f"the page: {figures['start.first_page_s']:.1f} s in an empty home, then {figures['start.page_s']:.1f} s"
    yield (
        f"the model server: ready after {figures['start.server_ready_s']:.1f} s, "
        f"its first answer after {figures['start.server_s']:.1f} s"
    )


def main() -> None:
    """Print the seconds."""
    print("\n".join(lines(measure())))


if __name__ == "__main__":
    main()
