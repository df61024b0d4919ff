"""Opens the assignments of all who share a home or a database."""

from __future__ import annotations

from pathlib import Path

from interviewer.assignments.store import AssignmentStore
from interviewer.storage.assignments.sqlite import SqliteAssignments
from interviewer.storage.registry import is_shared
from serving import paths

_FILE = "assignments.db"


def open_assignments(home: Path, url: str | None = None) -> AssignmentStore:
    """Opens the assignments.

    Args:
        home: the home below which accounts have their folders, or one of these folders.
        url: a database; where it holds the interviews of many, assignments are there, and in the home otherwise.

    Raises:
        BadInputError: no journal has that scheme, or the URL cannot be read.
        ServiceMissingError: a package that it needs is not installed.
        StorageError: it cannot be opened.

    """
    if url is not None and is_shared(url):
        # Imported here: whoever keeps interviews in a file does not wait for it.
        from interviewer.storage.assignments.postgres import PostgresAssignments  # noqa: PLC0415

        return PostgresAssignments(url)
    return SqliteAssignments(paths.shared_home(home) / _FILE)
