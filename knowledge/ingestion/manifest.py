"""What was read of which file, so that a file whose bytes did not change is not read again.

Kept beside the index, which alone says which questions there are: an entry counts only while the index holds exactly
the questions that were read then. So nothing is lost with a ledger that is old, damaged or gone but time.
"""

from __future__ import annotations

import hashlib
import logging
from functools import cache
from importlib.metadata import version
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import TypeAdapter, ValidationError

from knowledge.documents.formats.registry import libraries
from serving.atomic import write_atomic
from serving.errors import InterviewerError
from serving.frozen import FrozenModel

_NAME = "files.json"
_LOCK_TIMEOUT_S = 60.0
_LOG = logging.getLogger(__name__)


class ManifestEntry(FrozenModel):
    """How a file was read.

    Attributes:
        content: SHA-256 of its bytes.
        reader: ``reader_version()`` of the program that read it.
        questions: ``knowledge.index.disk_store.digest_of`` the questions found; empty where there were none.

    """

    content: str
    reader: str
    questions: str


_READ_BY = ("documents", "extraction", "code")
"""Packages that decide how a document is read."""

_ENTRIES = TypeAdapter(dict[str, ManifestEntry])


@cache
def reader_version() -> str:
    """A digest that changes whenever the code that reads documents does, or a library it reads with."""
    digest = hashlib.sha256()
    knowledge = Path(__file__).parents[1]
    for path in sorted(path for part in _READ_BY for path in (knowledge / part).rglob("*.py")):
        digest.update(f"{path.relative_to(knowledge)}\n".encode() + path.read_bytes())
    for name in libraries():
        digest.update(f"{name} {version(name)}\n".encode())
    return digest.hexdigest()


def load(folder: Path) -> dict[str, ManifestEntry]:
    """The entries by source; none where the ledger is missing or damaged."""
    try:
        return _ENTRIES.validate_json((folder / _NAME).read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValidationError):
        _LOG.warning("The list of files read in %s is damaged; they are read again when they are given.", folder)
        return {}


def update(folder: Path, entries: dict[str, ManifestEntry | None]) -> None:
    """Puts entries in the place of those the sources had; ``None`` takes one out.

    Where the disk refuses, the log says so: the files are only read again next time.
    """
    path = folder / _NAME
    try:
        with FileLock(folder / "files.lock", timeout=_LOCK_TIMEOUT_S):
            merged = {**load(folder), **entries}
            kept = {source: entry for source, entry in merged.items() if entry is not None}
            write_atomic(path, _ENTRIES.dump_json(kept, indent=1))
    except (OSError, Timeout, InterviewerError) as error:
        _LOG.warning("The list of files read in %s cannot be written: %s.", folder, error)
