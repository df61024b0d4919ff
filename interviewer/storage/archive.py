"""All of a person's data as one file: interviews and documents, out and in again."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import ValidationError

from interviewer.session.events import EVENT, Event
from interviewer.session.journal import EventJournal, Stored
from serving.atomic import replacement, write_atomic
from serving.errors import BadInputError
from serving.frozen import FrozenModel

FORMAT = 1
"""Version of the file's layout."""

_MANIFEST = "manifest.json"
_SESSIONS, _DOCUMENTS, _DAMAGED = "sessions", "documents", "damaged"

# A document of more than this was not put in by us: the readers take no larger one.
_LARGEST = 200 * 2**20


class Taken(FrozenModel):
    """What came out of a file, or went into it.

    Attributes:
        sessions: number of interviews.
        events: number of events that were new.
        documents: names of the documents.
        damaged: number of events that are damaged; they lie in a folder of their own in the file, as they were found,
            and do not come in again, where they would pass for whole ones.
        newer: number of events that only a newer version of this program knows; they are in the file as they stand.

    """

    sessions: int
    events: int
    documents: tuple[str, ...]
    damaged: int = 0
    newer: int = 0


def export_all(journal: EventJournal, documents: Path, target: Path) -> Taken:
    """Write every interview and every document into one zip file, whole or not at all.

    Args:
        journal: the interviews.
        documents: folder of the person's documents; it may be missing.
        target: the file to write.

    Raises:
        BadInputError: the target is no regular file, or its folder does not exist.
        StorageError: the disk refused.

    """
    files = sorted(path for path in documents.glob("*") if path.is_file())
    events = damaged = newer = 0
    with replacement(target) as partial, zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_MANIFEST, json.dumps({"format": FORMAT}))
        summaries = journal.sessions(checked=True)
        for summary in summaries:
            stored = journal.read(summary.id)
            lines = list(_lines(stored))
            broken = [one for one in stored.damaged if not one.newer]
            events += len(lines)
            newer += len(lines) - len(stored.events)
            damaged += len(broken)
            archive.writestr(f"{_SESSIONS}/{summary.id}.jsonl", "".join(lines))
            if broken:
                lines = [one.model_dump_json() + "\n" for one in broken]
                archive.writestr(f"{_DAMAGED}/{summary.id}.jsonl", "".join(lines))
        for path in files:
            archive.write(path, f"{_DOCUMENTS}/{path.name}")
    names = tuple(path.name for path in files)
    return Taken(sessions=len(summaries), events=events, documents=names, damaged=damaged, newer=newer)


def import_all(source: Path, journal: EventJournal, documents: Path) -> Taken:
    """Take everything in that ``export_all`` wrote; what is there already stays as it is.

    The whole file is read and checked before anything is stored.

    Raises:
        BadInputError: the file is none of ours, damaged, or of a newer version.
        StorageError: the disk refused; what was stored stays, and importing again goes on.

    """
    try:
        with zipfile.ZipFile(source) as archive:
            _check(archive, source)
            sessions = {name: _events(archive, name, source) for name in _names(archive, _SESSIONS)}
            files = {name: archive.read(name) for name in _names(archive, _DOCUMENTS)}
    except OSError as error:
        raise BadInputError(f"{source} cannot be read: {error.strerror}.") from error
    except zipfile.BadZipFile as error:
        raise _none_of_ours(source) from error
    new = 0
    for name, events in sessions.items():
        new += sum(journal.append(PurePosixPath(name).stem, event) for event in events)
    taken: list[str] = []
    for name, data in files.items():
        target = documents / PurePosixPath(name).name
        if not target.exists():
            write_atomic(target, data)
            taken.append(target.name)
    return Taken(sessions=len(sessions), events=new, documents=tuple(taken))


def _lines(stored: Stored) -> Iterator[str]:
    """What is whole of an interview, an event a line, in the order in which it was stored."""
    left_out = {one.number: one for one in stored.damaged}
    known = iter(stored.events)
    for number in range(1, len(stored.events) + len(left_out) + 1):
        one = left_out.get(number)
        if one is None:
            yield EVENT.dump_json(next(known)).decode() + "\n"
        elif one.newer:
            # A line break in JSON is never a part of a text.
            yield " ".join(re.split(r"[\r\n]+", one.stored)) + "\n"


def _check(archive: zipfile.ZipFile, source: Path) -> None:
    try:
        manifest: Any = json.loads(archive.read(_MANIFEST))
        version = manifest["format"]
    except (KeyError, ValueError, TypeError) as error:
        raise _none_of_ours(source) from error
    if version != FORMAT:
        raise BadInputError(f"{source} was written by another version of this program.", hint="Update the program.")


def _names(archive: zipfile.ZipFile, folder: str) -> list[str]:
    """The files that lie directly in a folder of the archive; anything else in it is passed over."""
    found = [info for info in archive.infolist() if not info.is_dir() and info.file_size <= _LARGEST]
    paths = [PurePosixPath(info.filename) for info in found]
    return [str(path) for path in paths if path.parts == (folder, path.name) and "\\" not in path.name]


def _events(archive: zipfile.ZipFile, name: str, source: Path) -> list[Event]:
    try:
        return [EVENT.validate_json(line) for line in archive.read(name).splitlines()]
    except ValidationError as error:
        raise BadInputError(
            f"An event of {name} in {source} cannot be understood.",
            hint="The file is damaged, or a newer version of this program wrote it. Nothing was imported.",
        ) from error


def _none_of_ours(source: Path) -> BadInputError:
    return BadInputError(
        f"{source} is not a file of exported interviews.", hint="`python app.py data export` writes one."
    )
