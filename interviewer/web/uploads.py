"""Files given through the page.

Documents are kept under their names, so that a newer one takes the place of the older; what is only read is deleted.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from serving.atomic import replacement
from serving.errors import StorageError

_LOG = logging.getLogger(__name__)


@contextmanager
def kept(files: Sequence[Path], folder: Path) -> Iterator[list[Path]]:
    """Copies of files in a folder; when what is done with them fails, the folder is as it was.

    Args:
        files: what was given; of two files with one name the later counts.
        folder: where they are kept.

    Raises:
        BadInputError: something of that name is there and is no regular file.
        StorageError: the disk refused.

    """
    targets = list(dict.fromkeys(folder / file.name for file in files))
    try:
        # What was there before is put aside under a second name, so that bringing it back needs no room on the disk.
        with tempfile.TemporaryDirectory(dir=folder, prefix=".before-") as aside:
            before = {path: Path(aside, str(number)) for number, path in enumerate(targets) if path.is_file()}
            for path, held in before.items():
                os.link(path, held, follow_symlinks=False)
            written: list[Path] = []
            try:
                for file in files:
                    with replacement(folder / file.name) as partial:
                        shutil.copyfile(file, partial)
                    written.append(folder / file.name)
                yield targets
            except BaseException:
                for path in dict.fromkeys(written):
                    before[path].replace(path) if path in before else path.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise StorageError(f"The documents cannot be kept in {folder}: {error.strerror}.") from error


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
