"""Files written whole or not at all: the content goes into a new file beside the old one, which then takes its name.

Only regular files are replaced. Renaming over a device, a pipe or a symbolic link would put a file in its place:
``-o /dev/null`` as root would take ``/dev/null`` away from every program of the machine.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from serving.errors import BadInputError, StorageError

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_HINTS = {
    errno.ENOSPC: "Make room on the disk and try again.",
    errno.EDQUOT: "Your share of the disk is used up: make room and try again.",
    errno.EFBIG: "The file would be larger than is allowed here.",
    errno.EROFS: "The disk is read-only: choose another folder.",
    errno.EACCES: "Choose a folder that you may write to.",
    errno.EPERM: "Choose a folder that you may write to.",
    errno.ENAMETOOLONG: "Choose a shorter name.",
}

# Characters of a file's name that are kept in that of its replacement; a name may have 255 bytes.
_KEPT_OF_NAME = 50


def write_atomic(path: Path, content: bytes | str, *, mode: int | None = None) -> None:
    """Writes a file whole or not at all; text as UTF-8.

    Args:
        path: the file; its folder exists.
        content: all of it.
        mode: permissions of the file; without it those of the file that is replaced, or what the umask leaves of 666.

    Raises:
        BadInputError: there is something of that name that is no regular file, or no such folder.
        StorageError: the disk refused; what was there before is unchanged.

    """
    data = content.encode() if isinstance(content, str) else content
    with replacement(path, mode=mode) as partial:
        partial.write_bytes(data)


@contextmanager
def replacement(path: Path, *, mode: int | None = None, partial: Path | None = None) -> Iterator[Path]:
    """A new, empty file that takes the place of ``path`` at the end of the block, unless the block raises.

    Args:
        path: the file to be replaced; it may be missing, its folder exists.
        mode: permissions of the file; without it those of the file that is replaced, or what the umask leaves of 666.
        partial: path of the new file, in the same folder; by default one that nobody else uses. To be named where
            files are large and a lock keeps others away, so that the next run overwrites what a killed one left.

    Raises:
        BadInputError: there is something of that name that is no regular file, or no such folder.
        StorageError: the disk refused, here or in the block; what was there before is unchanged.

    """
    before = _check(path)
    kept = stat.S_IMODE(before.st_mode) if mode is None and before is not None else mode
    new = partial or path.with_name(f"{path.name[:_KEPT_OF_NAME]}.{secrets.token_hex(6)}.partial")
    try:
        new.unlink(missing_ok=True)
        # Private until it is whole, where its permissions are known: those of a read-only file would keep us out.
        os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if kept is None else 0o600))
        try:
            yield new
            if kept is not None and kept != 0o600:
                new.chmod(kept)
            _sync(new)
            new.replace(path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        with suppress(OSError):
            _sync(path.parent)
    except OSError as error:
        raise _refused(path, error) from error


def need_writable(path: Path) -> None:
    """Checks that a file can be written there, before work is done that would be lost.

    Raises:
        BadInputError: there is something of that name that is no regular file, or no such folder.
        StorageError: its folder cannot be written to.

    """
    _check(path)
    if not os.access(path.parent, os.W_OK):
        raise _refused(path, OSError(errno.EACCES, os.strerror(errno.EACCES)))


def _check(path: Path) -> os.stat_result | None:
    """The regular file of that name; ``None`` where there is none."""
    try:
        before = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        if not path.parent.is_dir():
            raise BadInputError(
                f"The folder {path.parent} does not exist.", hint="Make it, or choose another one."
            ) from None
        return None
    except OSError as error:
        raise _refused(path, error) from error
    if stat.S_ISREG(before.st_mode):
        return before
    kind = _KINDS.get(stat.S_IFMT(before.st_mode), "no regular file")
    raise BadInputError(f"{path} is {kind} and was left as it is.", hint="Name a file, or one that does not exist yet.")


def _sync(path: Path) -> None:
    """Has a file, or the names in a folder, written to the disk; a full one is often noticed only then."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refused(path: Path, error: OSError) -> StorageError:
    why = error.strerror or str(error)
    return StorageError(f"{path} cannot be written: {why}.", hint=_HINTS.get(error.errno or 0, ""))
