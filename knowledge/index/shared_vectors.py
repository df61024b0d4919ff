"""Vectors of texts that everybody on a machine searches alike, such as the bank's: made once, kept beside the models.

Each account of a shared machine has an index of its own. Without this, each would embed the same bank again, which
takes two minutes of processor time.
"""

from __future__ import annotations

import hashlib
import io
import logging
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import quote

import numpy as np
from filelock import FileLock, Timeout

from serving.arrays import FloatArray
from serving.atomic import write_atomic
from serving.errors import InterviewerError

_PATIENCE_S = 300.0
"""How long to wait for somebody else who makes the same vectors; they are made twice rather than waited for longer."""

_LOG = logging.getLogger(__name__)

Embed = Callable[[Sequence[str]], FloatArray]
"""Texts -> one row a text, shape [n, dim]."""


class SharedVectors:
    """A folder with one file for each model and source. Safe to use from several processes.

    A file that cannot be read or written costs time only: its vectors are made again.

    Args:
        folder: where the files are; made when it is first needed.
        shared: whether a source's vectors may lie where others on this machine can read them.

    """

    def __init__(self, folder: Path, shared: Callable[[str], bool]) -> None:
        self._folder = folder
        self._shared = shared

    def rows(self, model: str, source: str, texts: Sequence[str], embed: Embed) -> FloatArray:
        """The vectors of a source's texts, shape [n, dim]; those that are not kept are made, and kept.

        Args:
            model: what ``embed`` embeds with.
            source: the texts' source.
            texts: all texts of the source.
            embed: makes the vectors of texts that are new.

        Raises:
            Whatever ``embed`` raises.

        """
        if not self._shared(source):
            return embed(texts)
        file = self._folder / quote(model, safe="+") / f"{quote(source, safe='')}.npz"
        keys, known = [_key(text) for text in texts], _read(file)
        if known.keys() >= set(keys):
            return _together(keys, known)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(f"{file}.lock")
            lock.acquire(timeout=_PATIENCE_S)
        except (OSError, Timeout) as error:
            _LOG.warning("Vectors of %s are not shared: %s", source, error)
            return embed(texts)
        try:
            return self._completed(file, source, dict(zip(keys, texts, strict=True)), keys, embed)
        finally:
            lock.release()

    def _completed(
        self, file: Path, source: str, texts: dict[bytes, str], keys: Sequence[bytes], embed: Embed
    ) -> FloatArray:
        known = _read(file)
        new = {key: text for key, text in texts.items() if key not in known}
        if new:
            known.update(zip(new, embed([*new.values()]), strict=True))
        rows = _together(keys, known)
        if new:
            content = io.BytesIO()
            np.savez(content, keys=np.array(keys), rows=rows)
            try:
                write_atomic(file, content.getvalue())
            except InterviewerError as error:
                _LOG.warning("Vectors of %s are not shared: %s", source, error)
        return rows


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).hexdigest().encode()


def _together(keys: Sequence[bytes], known: dict[bytes, FloatArray]) -> FloatArray:
    return np.stack([known[key] for key in keys]) if keys else np.zeros((0, 1), dtype=np.float32)


def _read(file: Path) -> dict[bytes, FloatArray]:
    """The rows that a file holds; none where it is missing or damaged."""
    try:
        with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as held:
            keys, rows = held["keys"], np.asarray(held["rows"], dtype=np.float32)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        _LOG.warning("%s is damaged and is made again: %s", file, error)
        return {}
    if rows.ndim != 2 or len(keys) != len(rows) or not np.isfinite(rows).all():
        _LOG.warning("%s is damaged and is made again.", file)
        return {}
    return dict(zip(map(bytes, keys), rows, strict=True))
