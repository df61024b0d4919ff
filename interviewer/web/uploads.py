"""Files given through the page.

Documents are kept under their names, so that a newer one takes the place of the older; what is only read is deleted.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from serving.errors import StorageError

_LOG = logging.getLogger(__name__)


@contextmanager
def kept(files: Sequence[Path], folder: Path) -> Iterator[list[Path]]:
    """Copies of files in a folder; when what is done with them fails, the folder is as it was.

    Args:
        files: what was given; of two files with one name the later counts.
        folder: where they are kept.

    Raises:
        StorageError: the disk refused.

    """
    before = {path: path.read_bytes() if path.exists() else None for path in (folder / f.name for f in files)}
    try:
        for file in files:
            shutil.copyfile(file, folder / file.name)
        yield list(before)
    except BaseException as error:
        for path, content in before.items():
            path.unlink(missing_ok=True) if content is None else path.write_bytes(content)
        if isinstance(error, OSError):
            raise StorageError(f"The documents cannot be kept in {folder}: {error.strerror}.") from error
        raise


@contextmanager
def read_once(files: Sequence[Path]) -> Iterator[None]:
    """Deletes files once they were read, whatever came of it."""
    try:
        yield
    finally:
        for file in files:
            try:
                file.unlink(missing_ok=True)
            except OSError as error:
                _LOG.warning("%s could not be deleted: %s.", file, error.strerror)
