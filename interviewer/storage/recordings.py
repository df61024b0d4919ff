"""The sound of spoken answers, where the person wants it kept: one folder an interview, theirs to delete."""

from __future__ import annotations

import hashlib
import re
import secrets
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from serving import paths
from serving.atomic import write_atomic
from serving.errors import StorageError

_PLAIN = re.compile(r"[\w-]{1,80}", re.ASCII)
_NAME = re.compile(r"[0-9a-f]{16}\.webm")


def folder_of(home: Path, session: str | None) -> Path:
    """Where the recordings of an interview are kept, or those of all where none is named; it may be missing."""
    every = home / "recordings"
    if session is None:
        return every
    # An id that came with somebody's file may be any text; nothing outside is ever touched.
    return every / (session if _PLAIN.fullmatch(session) else hashlib.sha256(session.encode()).hexdigest())


def keep(home: Path, session: str, recording: bytes) -> Path:
    """Keep a recording of an interview; returns where.

    Args:
        home: the folder of the person's data.
        session: the interview's id.
        recording: the file, as the browser made it.

    Raises:
        StorageError: the disk refused.

    """
    place = paths.made(folder_of(home, session)) / f"{secrets.token_hex(8)}.webm"
    try:
        write_atomic(place, recording)
    except StorageError as error:
        raise StorageError(
            f"The recording could not be kept: {error.message}",
            hint="Free some space, or start without --keep-recordings.",
        ) from error
    return place


def is_recording(name: str) -> bool:
    """Whether a file is called as recordings are."""
    return _NAME.fullmatch(name) is not None


def take(home: Path, session: str, name: str, content: Callable[[], bytes]) -> bool:
    """Take in a recording of an interview that came from elsewhere, unless it is there; returns whether it was new.

    Args:
        home: the folder of the person's data.
        session: the interview's id, or what its folder is called.
        name: the file's; one that is no recording's is passed over.
        content: gives the file.

    Raises:
        StorageError: the disk refused.

    """
    if not is_recording(name):
        return False
    place = paths.made(folder_of(home, session)) / name
    if place.exists():
        return False
    write_atomic(place, content())
    return True


def kept(home: Path, session: str | None = None) -> tuple[Path, ...]:
    """The recordings of an interview, or of all where none is named."""
    return tuple(sorted(path for path in folder_of(home, session).glob("**/*.webm") if path.is_file()))


def content(recording: Path) -> bytes:
    """What is in a recording.

    Raises:
        StorageError: it cannot be read.

    """
    try:
        return recording.read_bytes()
    except OSError as error:
        raise StorageError(f"The recording {recording} cannot be read: {error.strerror}.") from error


def discard(recording: Path) -> None:
    """Delete one recording; one that is gone already is no error.

    Raises:
        StorageError: the disk refused.

    """
    try:
        # Its folder stays: the next recording may be about to be put there.
        recording.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"The recording {recording} cannot be deleted: {error.strerror}.") from error


def delete(home: Path, session: str | None = None) -> int:
    """Delete the recordings of an interview, or of all where none is named; returns how many there were.

    Raises:
        StorageError: the disk refused; some may be left.

    """
    folder = folder_of(home, session)
    count = len(kept(home, session))
    try:
        if folder.is_dir():
            shutil.rmtree(folder)
    except OSError as error:
        raise StorageError(f"The recordings in {folder} cannot be deleted: {error.strerror}.") from error
    return count


def bring_home(home: Path, sessions: Callable[[], Iterable[str]]) -> int:
    """Move what earlier versions kept for all who share a machine in one place to the person whose it is.

    Args:
        home: the folder of one person's data; where it is no profile of a shared machine, nothing is done.
        sessions: gives the ids of their interviews; asked for only where there may be something to move.

    Returns:
        How many recordings were moved.

    Raises:
        StorageError: the disk refused; some may have been moved.

    """
    shared = home.parent.parent
    if home.parent.name != paths.PROFILES or not folder_of(shared, None).is_dir():
        return 0
    moved = 0
    for session in sessions():
        before = folder_of(shared, session)
        found = tuple(before.glob("*.webm"))
        try:
            for recording in found:
                shutil.move(recording, paths.made(folder_of(home, session)) / recording.name)
            if found:
                before.rmdir()
        except OSError as error:
            raise StorageError(f"The recordings in {before} cannot be moved to {home}: {error.strerror}.") from error
        moved += len(found)
    return moved
