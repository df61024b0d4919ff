"""The journals there are, by the scheme of their URL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from interviewer.session.journal import EventJournal
from interviewer.storage.sqlite_journal import Journal
from serving import paths
from serving.errors import BadInputError


class JournalBackend(NamedTuple):
    """A kind of database that interviews can be kept in.

    Attributes:
        open: opens a journal, given its URL, whose interviews they are, and whether they are only read.
        example: how its URLs look.
        many: whether one database holds the interviews of many people, each of whom sees only their own.

    """

    open: Callable[[str, str, bool], EventJournal]
    example: str
    many: bool


def _sqlite(url: str, _owner: str, reads_only: bool) -> EventJournal:
    return Journal(Path(unquote(url.removeprefix("sqlite:///"))), reads_only=reads_only)


def _postgresql(url: str, owner: str, reads_only: bool) -> EventJournal:
    # Imported here: whoever keeps interviews in a file does not wait for it.
    from interviewer.storage.postgres_journal import PostgresJournal  # noqa: PLC0415

    return PostgresJournal(url, owner, reads_only=reads_only)


JOURNALS: Mapping[str, JournalBackend] = {
    "sqlite": JournalBackend(_sqlite, "sqlite:///FILE", many=False),
    "postgresql": JournalBackend(_postgresql, "postgresql://USER@HOST/DATABASE", many=True),
}
"""The kinds of database, by scheme."""


def open_journal(url: str | None = None) -> EventJournal:
    """Opens the journal of the person whose home is used.

    Args:
        url: such as ``sqlite:///FILE``; left out, the file in the home.

    Raises:
        BadInputError: no journal has that scheme, or the URL cannot be read.
        ServiceMissingError: a package that it needs is not installed.
        StorageError: it cannot be opened.

    """
    if url is None:
        return Journal(paths.journal())
    return _backend(url).open(url, paths.owner(paths.home()), False)


def open_journal_of(home: Path, url: str | None = None) -> EventJournal:
    """Opens the journal of somebody who logs in.

    Args:
        home: the folder of their data.
        url: a database; where it holds the interviews of many, theirs are there, and in their folder otherwise.

    Raises:
        BadInputError: no journal has that scheme, or the URL cannot be read.
        ServiceMissingError: a package that it needs is not installed.
        StorageError: it cannot be opened.

    """
    shared = _of_many(home, url, reads_only=False)
    return shared if shared is not None else Journal(home / paths.journal().name)


def open_journal_to_read(home: Path, url: str | None = None) -> EventJournal | None:
    """Opens the journal of somebody who logs in for somebody else, who may only read it; ``None`` where there is none.

    Args:
        home: the folder of their data.
        url: a database; where it holds the interviews of many, theirs are there, and in their folder otherwise.

    Raises:
        BadInputError: no journal has that scheme, or the URL cannot be read.
        ServiceMissingError: a package that it needs is not installed.
        StorageError: it cannot be opened.

    """
    shared = _of_many(home, url, reads_only=True)
    if shared is not None:
        return shared
    file = home / paths.journal().name
    return Journal(file, reads_only=True) if file.exists() else None


def is_shared(url: str) -> bool:
    """Whether a database holds the interviews of many people, each of whom sees only their own.

    Raises:
        BadInputError: no journal has that scheme, or the URL cannot be read.

    """
    return _backend(url).many


def _of_many(home: Path, url: str | None, *, reads_only: bool) -> EventJournal | None:
    """Somebody's journal in a database that holds the interviews of many; ``None`` where theirs are in their folder."""
    if url is None or not (backend := _backend(url)).many:
        return None
    return backend.open(url, paths.owner(home), reads_only)


def _backend(url: str) -> JournalBackend:
    scheme, separator, rest = url.partition("://")
    backend = JOURNALS.get(scheme)
    if backend is None or not separator or (not backend.many and not rest.startswith("/")):
        # Only as much of it as cannot hold a password.
        named = f"“{scheme}://…”" if separator and scheme.isidentifier() else "What was given"
        known = ", ".join(each.example for each in JOURNALS.values())
        raise BadInputError(f"{named} does not name a journal.", hint=f"A journal is named by a URL: {known}.")
    return backend
