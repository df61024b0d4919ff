"""Measures how long a list of interviews takes: ``python -m tests.benchmarks.lists``.

200 interviews of 400 events, in SQLite and, where there is one, in PostgreSQL. The list of a journal that has just been
opened, the same list again, the list after one more event, and the list with every event checked; medians of five, in
wall-clock time.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import sqlalchemy as sa

from interviewer.session.events import EVENT, AnswerGiven, Event, InterviewStarted
from interviewer.session.plan import Plan
from interviewer.storage.registry import open_journal
from interviewer.storage.sql_journal import DIGESTED, EVENTS, event_digest
from tests import postgres
from tests.benchmarks.load import WORDS
from tests.benchmarks.timing import seconds

INTERVIEWS, LENGTH, TRIES = 200, 400, 5
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def event(number: int) -> Event:
    """The event of a place in an interview."""
    at = BEGIN + timedelta(seconds=number)
    if number == 1:
        return InterviewStarted(id="interview:started", at=at, plan=Plan())
    return AnswerGiven(id=f"answer-{number}", at=at, asked_id="question", text=WORDS.format(marker=number))


def rows(session: str) -> Iterator[dict[str, Any]]:
    """An interview as it is stored."""
    for number in range(1, LENGTH + 1):
        made = event(number)
        row: dict[str, Any] = {"session_id": session, "event_id": made.id, "type": made.type}
        row |= {"at": made.at.isoformat(timespec="microseconds"), "payload": EVENT.dump_json(made).decode()}
        yield {**row, "seq": number, "digest": event_digest(*(row[name].encode() for name in DIGESTED))}


def filled(url: str, interviews: int = INTERVIEWS) -> None:
    """Fill a database, all at once: to append each event would take a disk minutes."""
    open_journal(url).close()
    many = url.startswith("postgresql")
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        if many:
            connection.execute(sa.text("SELECT set_config('interviewer.owner', '=', true)"))
        for number in range(interviews):
            owner = {"owner": ""} if many else {}
            connection.execute(sa.insert(EVENTS), [{**row, **owner} for row in rows(f"interview-{number:03}")])
    engine.dispose()


def measured(url: str) -> tuple[float, float, float, float]:
    """Medians: the first list, it again, it after another event, and the first one that checks every event."""
    first, again, after, checked = [], [], [], []
    for number in range(TRIES):
        with open_journal(url) as journal:
            first.append(seconds(journal.sessions))
            again.append(seconds(journal.sessions))
            journal.append("interview-007", event(LENGTH + 1 + number))
            after.append(seconds(journal.sessions))
            checked.append(seconds(lambda: journal.sessions(checked=True)))
    return median(first), median(again), median(after), median(checked)


def main() -> int:
    """Print the figures."""
    print("| database | first list, s | again | after another event | checked |\n|---|---|---|---|---|")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = {"SQLite": f"sqlite:///{folder / 'journal.db'}"}
        if not postgres.lacking():
            urls["PostgreSQL"] = stack.enter_context(postgres.running()).database()
        for name, url in urls.items():
            filled(url)
            print(f"| {name} | {' | '.join(f'{each:.3f}' for each in measured(url))} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
