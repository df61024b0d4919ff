"""Measures what a journal's rules and triggers cost: ``python -m tests.benchmarks.journal_costs``.

These are summaries, and in PostgreSQL row-level security, the list of left-over answers, and the question whether this
version of the program may still write.
The same journal with and without them, by turns, so that other work on the machine slows both alike; medians, and their
ratio. Interviews have 400 events. SQLite has no row-level security; it waits for the disk with the folder for temporary
files. The server of PostgreSQL is that of the tests, which waits for no disk: what is told of it is work alone.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from statistics import median

import sqlalchemy as sa

from interviewer.session.journal import EventJournal
from interviewer.storage.postgres_journal import _APPEND, PostgresJournal, _transaction
from interviewer.storage.registry import open_journal
from interviewer.storage.schema import HEAD
from tests import postgres
from tests.benchmarks.lists import LENGTH, event, filled
from tests.benchmarks.timing import seconds

TRIES = 150

_NO_SUMMARIES = {
    "SQLite": "DROP TRIGGER events_summarize",
    "PostgreSQL": "ALTER TABLE events DISABLE TRIGGER events_summarize",
}
_NO_ROW_SECURITY = (
    "ALTER TABLE events NO FORCE ROW LEVEL SECURITY",
    "ALTER TABLE summaries NO FORCE ROW LEVEL SECURITY",
    "ALTER TABLE left_over NO FORCE ROW LEVEL SECURITY",
)
_APPEND_ALONE = sa.text(_APPEND.text.partition(" RETURNING ")[0])
_NO_LEFT_OVER = ("ALTER TABLE summaries DISABLE TRIGGER USER",)


class _NamesNobody(PostgresJournal):
    """A journal as it was before row-level security: no transaction names an account."""

    @contextmanager
    def _connection(self, *, writes: bool = False) -> Iterator[sa.Connection]:
        settings = self._patiently if writes else {}
        with self._own_connection() as connection, self._translated(), _transaction(connection, settings):
            yield connection


class _AsksNothing(PostgresJournal):
    """A journal as it was before a newer version could keep it from writing."""

    def _insert(self, connection: sa.Connection, row: dict[str, str]) -> str | None:
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(self._key(row["session_id"]))))
        stored = connection.execute(_APPEND_ALONE, {**row, "owner": self.owner}).rowcount == 1
        return HEAD if stored else None


class _Without:
    """A journal of which one thing is taken away; nobody else uses it meanwhile."""

    def __init__(
        self,
        url: str,
        *statements: str,
        server: postgres.PostgresServer | None = None,
        opened: Callable[[str], EventJournal] = open_journal,
    ) -> None:
        filled(url, interviews=20)
        for statement in statements:
            if server is not None:
                server.sql(statement, url.rpartition("/")[2])
            else:
                with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as raw:
                    raw.execute(statement)
        self.journal = opened(url)
        self.journal.sessions()


def _operations(journal: EventJournal, number: int) -> dict[str, Callable[[], object]]:
    session = f"interview-{number % 20:03}"
    return {
        "append": lambda: journal.append(session, event(LENGTH + 1 + number)),
        "read one event": lambda: journal.events(session, LENGTH),
        "read 400 events": lambda: journal.events(session),
        "list": journal.sessions,
    }


def measured(journals: Mapping[str, EventJournal]) -> dict[str, dict[str, float]]:
    """Median milliseconds of each operation for each of some journals, taken by turns."""
    taken: dict[str, dict[str, list[float]]] = {}
    for number in range(TRIES):
        for name, journal in journals.items():
            for what, operation in _operations(journal, number).items():
                taken.setdefault(what, {}).setdefault(name, []).append(1000 * seconds(operation))
    return {what: {name: median(values) for name, values in each.items()} for what, each in taken.items()}


def main() -> int:
    """Print the figures."""
    print("| database | operation | without, ms | with, ms | ratio |\n|---|---|---|---|---|")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = None if postgres.lacking() else stack.enter_context(postgres.running())
        made = iter(range(10))

        def url(kind: str) -> str:
            if kind == "SQLite" or server is None:
                return f"sqlite:///{folder / f'journal{next(made)}.db'}"
            return server.database()

        kinds = ["SQLite", *(["PostgreSQL"] if server is not None else [])]
        pairs: list[tuple[str, str, tuple[str, ...], Callable[[str], EventJournal]]]
        pairs = [(kind, "summaries", (_NO_SUMMARIES[kind],), open_journal) for kind in kinds]
        if server is not None:
            pairs.append(("PostgreSQL", "row-level security", _NO_ROW_SECURITY, _NamesNobody))
            # Each event that is appended here is an answer, so this is the most that it costs.
            pairs.append(("PostgreSQL", "left-over answers", _NO_LEFT_OVER, open_journal))
            pairs.append(("PostgreSQL", "whether it may write", (), _AsksNothing))
        for kind, what, statements, opened in pairs:
            there = server if kind == "PostgreSQL" else None
            both = {
                "with": _Without(url(kind), server=there),
                "without": _Without(url(kind), *statements, server=there, opened=opened),
            }
            found = measured({name: each.journal for name, each in both.items()})
            for operation, times in found.items():
                ratio = times["with"] / times["without"]
                figures = f"{times['without']:.2f} | {times['with']:.2f} | {ratio:.2f}"
                print(f"| {kind}, {what} | {operation} | {figures} |", flush=True)
            for each in both.values():
                each.journal.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
