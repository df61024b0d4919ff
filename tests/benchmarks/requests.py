"""What one request costs by the length of the interview: time, reads of the journal, folds.

``python -m tests.benchmarks.requests``: a question is asked for again in interviews of 5, 89 and 400 events, so that
what is measured is the journal, the fold and the policy.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

from interviewer.engine import session_store
from interviewer.engine.service import InterviewService
from interviewer.session.events import QuestionRepeated
from interviewer.session.plan import Plan
from interviewer.session.reducer import fold
from interviewer.storage.sqlite_journal import Journal
from tests.interviewer.builders import KeywordGrader, Shelf, at, question

LENGTHS = (5, 89, 400)
RUNS = 20
FIGURES = {
    f"request.events_{events}.{what}": unit
    for events in LENGTHS
    for what, unit in (("ms", "ms"), ("reads", ""), ("folds", ""))
}
"""The names of the figures that are measured here, with their units."""


def measured(events: int, runs: int) -> tuple[float, float, float]:
    """Returns the median of seconds, and the reads of the journal and folds of one answer."""
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.db") as journal:
        bank = [question(f"q{number}") for number in range(3)]
        with InterviewService(journal, Shelf(bank), KeywordGrader(), patience_s=60.0) as held:
            session = held.start(Plan(length=3))
            stored = len(journal.events(session))
            for number in range(max(events - stored, 0)):
                when = journal.last_at(session) or at(0)
                journal.append(
                    session, QuestionRepeated(id=f"r{number}", at=when, asked_id="question:1", said="Again.")
                )
            return _of(held, journal, session, runs)


def _of(held: InterviewService, journal: Journal, session: str, runs: int) -> tuple[float, float, float]:
    counts = {"read": 0, "fold": 0}

    def counted(name: str, function: Any) -> Any:
        def call(*given: Any, **named: Any) -> Any:
            counts[name] += 1
            return function(*given, **named)

        return call

    seconds = []
    held.state(session)
    with (
        patch.object(journal, "events", counted("read", journal.events)),
        patch.object(session_store, "fold", counted("fold", fold)),
    ):
        for number in range(runs):
            begun = time.perf_counter()
            held.repeat(session, f"request{number}")
            seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds), counts["read"] / runs, counts["fold"] / runs


def measure(*, quick: bool = False) -> dict[str, float]:
    """Ask again in interviews of each length.

    Args:
        quick: only a few times, to see that it works.

    """
    figures: dict[str, float] = {}
    for events in LENGTHS:
        seconds, reads, folds = measured(events, 3 if quick else RUNS)
        name = f"request.events_{events}"
        figures |= {f"{name}.ms": 1000 * seconds, f"{name}.reads": reads, f"{name}.folds": folds}
    return figures


def lines(figures: Mapping[str, float]) -> Iterator[str]:
    """The figures as they are printed: a table."""
    yield "| events | ms a request | reads | folds |"
    yield "|---|---|---|---|"
    for events in LENGTHS:
        milliseconds, reads, folds = (figures[f"request.events_{events}.{what}"] for what in ("ms", "reads", "folds"))
        yield f"| {events} | {milliseconds:.1f} | {reads:.1f} | {folds:.1f} |"


def main() -> None:
    """Prints the table."""
    print("\n".join(lines(measure())))


if __name__ == "__main__":
    main()
