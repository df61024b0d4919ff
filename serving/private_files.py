"""Files that nobody else on the machine may read: those made from now on, and those of older versions."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

UMASK = 0o077
"""What is withheld from the group and from others."""

PERSONAL = (
    "journal.db",
    "journal.db-wal",
    "journal.db-shm",
    "background.json",
    "cache",
    "documents",
    "index",
    "judges",
    "profiles",
    "recordings",
    "speech",
)
"""What a home holds of a person. The models are not among them: several people may share them."""


def make_private_files() -> None:
    """From now on this process, and every process it starts, makes files and folders that are for its user alone."""
    os.umask(UMASK)


def withdraw(home: Path) -> int:
    """Takes from the group and others what older versions let them read; returns how many files and folders.

    A folder that is closed already is taken to hold nothing that is open, so this costs next to nothing the second
    time. Links are not followed, and what belongs to somebody else is left as it is.

    Args:
        home: the folder of all data. Its own rights stay as they are: it may be a folder with other things in it.

    """
    tops = (home / name for name in PERSONAL)
    return sum(_close(path) for top in tops if _is_open(top) for path in _inner_first(top))


def _inner_first(path: Path) -> Iterator[Path]:
    """A file, or a folder behind all that is in it: what is interrupted begins anew, since the folder is still open."""
    if path.is_dir() and not path.is_symlink():
        with suppress(OSError):
            for name in os.listdir(path):
                yield from _inner_first(path / name)
    yield path


def _is_open(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
    except OSError:
        return False
    return not stat.S_ISLNK(mode) and bool(mode & UMASK)


def _close(path: Path) -> bool:
    if not _is_open(path):
        return False
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        os.fchmod(file, stat.S_IMODE(os.fstat(file).st_mode) & ~UMASK)
    except OSError:
        return False
    finally:
        os.close(file)
    return True
