"""The journals there are, by the scheme of their URL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import unquote

from interviewer.session.journal import EventJournal
from interviewer.storage.sqlite_journal import Journal
from serving import paths
from serving.errors import BadInputError


def _sqlite(rest: str) -> EventJournal:
    return Journal(Path(unquote(rest)))


JOURNALS: Mapping[str, Callable[[str], EventJournal]] = {"sqlite": _sqlite}
"""Opens a journal, by scheme; each gets what follows ``scheme:///``."""


def open_journal(url: str | None = None) -> EventJournal:
    """Opens a journal.

    Args:
        url: such as ``sqlite:///FILE``; left out, the file in the person's home.

    Raises:
        BadInputError: no journal has that scheme.
        StorageError: it cannot be opened.

    """
    if url is None:
        return Journal(paths.journal())
    scheme, separator, rest = url.partition(":///")
    if not separator or scheme not in JOURNALS:
        known = ", ".join(f"{name}:///…" for name in JOURNALS)
        raise BadInputError(f"{url} does not name a journal.", hint=f"A journal is named by a URL: {known}.")
    return JOURNALS[scheme](rest)
