"""Vectors of texts that never change, such as the bank's statements: computed when first needed, then kept in a file.

All processes of a machine share the file; where another account made it, they read it. A row that is not there yet is
zeros, and a vector has length 1, so each row tells by itself whether it was written whole: no index beside it has to
agree, whoever was ended while writing. Rows are read and written by place, not mapped into memory, since a full disk
then gives an error instead of ending the process.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

import numpy as np

from serving.arrays import FloatArray

FORMAT = 1
"""Changes whenever vectors are computed otherwise, so that none of before is used."""

_UNUSED_S = 30 * 86_400.0
_ITEM = np.dtype(np.float32).itemsize
_LENGTH_OFF = 1e-3

_LOG = logging.getLogger(__name__)


class KeptVectors:
    """The rows of a fixed set of texts. Safe to use from several threads and processes.

    A file that cannot be read or written costs time only: its vectors are computed again.

    Args:
        folder: where the files are, one for each model and set of texts; made when it is first needed.
        texts: gives all texts; asked once, when the first one is looked for.
        weights: the model's file: of another size or age, it is another model.

    """

    def __init__(self, folder: Path, texts: Callable[[], Iterable[str]], weights: Path) -> None:
        self._folder, self._texts, self._weights = folder, texts, weights
        self._files: dict[tuple[str, int], int | None] = {}
        self._guard = threading.Lock()

    def __contains__(self, text: str) -> bool:
        return text in self._places

    def rows(
        self, model: str, dim: int, texts: Sequence[str], compute: Callable[[list[str]], FloatArray]
    ) -> list[FloatArray]:
        """The row of each text, in the texts' order.

        Args:
            model: names what ``compute`` computes with.
            dim: length of a row.
            texts: of the fixed set; may hold the same one several times.
            compute: gives the rows of texts that are not kept, [n, dim], each of length 1; not called where all are.

        Raises:
            Whatever ``compute`` raises.

        """
        file = self._opened(model, dim)
        found = {text: row for text in dict.fromkeys(texts) if (row := self._read(file, text, dim)) is not None}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        if new:
            for text, row in zip(new, compute(new), strict=True):
                found[text] = row
                self._write(file, text, row)
        return [found[text] for text in texts]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {text: place for place, text in enumerate(dict.fromkeys(self._texts()))}

    def _opened(self, model: str, dim: int) -> int | None:
        """The file's descriptor; ``None`` where it cannot be had."""
        with self._guard:
            if (model, dim) not in self._files:
                self._files[model, dim] = self._open(model, dim)
            return self._files[model, dim]

    def _open(self, model: str, dim: int) -> int | None:
        try:
            weights = self._weights.stat()
            named = "\0".join([str(FORMAT), str(weights.st_size), str(weights.st_mtime_ns), *self._places])
            file = (
                self._folder / quote(model, safe="+") / f"texts-{hashlib.sha256(named.encode()).hexdigest()[:16]}.f32"
            )
            file.parent.mkdir(parents=True, exist_ok=True)
            try:
                opened = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
            except PermissionError:
                return os.open(file, os.O_RDONLY)
        except OSError as error:
            _LOG.warning("Vectors are not kept in %s: %s", self._folder, error)
            return None
        # Of banks that nobody has used for long; another version of this program may be in use beside this one.
        for other in file.parent.glob("texts-*.f32"):
            with suppress(OSError):
                if other != file and time.time() - other.stat().st_mtime > _UNUSED_S:
                    other.unlink()
        return opened

    def _read(self, file: int | None, text: str, dim: int) -> FloatArray | None:
        if file is None:
            return None
        try:
            content = os.pread(file, dim * _ITEM, self._places[text] * dim * _ITEM)
        except OSError:
            return None
        if len(content) < dim * _ITEM:
            return None
        row = np.frombuffer(content, dtype=np.float32)
        # Not a number is not near to 1 either.
        return row if abs(float(row @ row) - 1) < _LENGTH_OFF else None

    def _write(self, file: int | None, text: str, row: FloatArray) -> None:
        if file is None:
            return
        content = np.ascontiguousarray(row, dtype=np.float32).tobytes()
        try:
            os.pwrite(file, content, self._places[text] * len(content))
        except OSError as error:
            _LOG.debug("A vector is not kept: %s", error)
