"""A folder for temporary files below the home: for its user alone, and empty before and after."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from serving import paths
from serving.errors import StorageError

GRADIO_VARIABLE = "GRADIO_TEMP_DIR"
"""Environment variable that Gradio reads when it is imported: where it keeps uploads and downloads."""

_LOCK = ".in-use"


@contextmanager
def private_temporary_folder() -> Iterator[Path]:
    """Has this process put temporary files, Gradio's too, into a folder of its own, and deletes it at the end.

    What processes left behind that did not come to their end is deleted at the beginning; those that still run keep
    theirs. Processes that this one starts are not told of it, since a model's server outlives it.

    Raises:
        StorageError: the disk refused.

    """
    every = paths.made(paths.home() / "temporary")
    try:
        every.chmod(0o700)
        # Else a process that begins at the same time would take the folder for abandoned before it is locked.
        with _locked(every / _LOCK):
            _delete_abandoned(every)
            folder = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=every))
            lock = _opened(folder / _LOCK)
            fcntl.flock(lock, fcntl.LOCK_EX)
        (folder / "gradio").mkdir(mode=0o700)
    except OSError as error:
        raise StorageError(
            f"No folder for temporary files can be made in {every}: {error.strerror}.", hint="Make room on the disk."
        ) from error
    before, gradio = tempfile.tempdir, os.environ.get(GRADIO_VARIABLE)
    tempfile.tempdir = str(folder)
    os.environ[GRADIO_VARIABLE] = str(folder / "gradio")
    try:
        yield folder
    finally:
        tempfile.tempdir = before
        if gradio is None:
            del os.environ[GRADIO_VARIABLE]
        else:
            os.environ[GRADIO_VARIABLE] = gradio
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    lock = _opened(path)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _opened(path: Path) -> int:
    return os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)


def _delete_abandoned(every: Path) -> None:
    for folder in every.iterdir():
        if folder.name == _LOCK:
            continue
        if folder.is_symlink() or not folder.is_dir():
            with suppress(OSError):
                folder.unlink()
        elif not _is_used(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_used(folder: Path) -> bool:
    """Whether the process that made the folder still runs: the system gives its lock back however it ended."""
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(lock)
    return False
