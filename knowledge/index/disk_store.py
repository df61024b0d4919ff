"""The question index on disk: generations of files behind a pointer, each written whole or not at all.

CURRENT            the name of the generation that counts
gen-…/library.json sources with their questions and number of chunks
gen-…/index.faiss  one vector a chunk, in the library's order
gen-…/manifest.json format, model, dimension, and SHA-256 of the other two files
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
import os
import shutil
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import faiss
import numpy as np
from pydantic import TypeAdapter, ValidationError

from knowledge.index.chunk_vectors import EXACT
from knowledge.model import Question
from serving.arrays import FloatArray
from serving.errors import StorageError
from serving.frozen import FrozenModel

FORMAT = 4
"""Changes whenever chunks or files do, so that an index of another make is rebuilt."""

_POINTER = "CURRENT"
_LOG = logging.getLogger(__name__)


class SourceEntry(FrozenModel):
    """The questions of one source.

    Attributes:
        source: names the source.
        digest: of the questions; the same digest needs no new vectors.
        questions: in the source's order.
        chunks: number of vectors of each question; empty while they are not embedded.

    """

    source: str
    digest: str
    questions: tuple[Question, ...]
    chunks: tuple[int, ...] = ()


class Manifest(FrozenModel):
    """What a generation was made with.

    Attributes:
        format: ``FORMAT`` of the program that wrote it.
        model: the embedder's name.
        dim: length of a vector; 0 while there is none.
        library: SHA-256 of ``library.json``.
        index: SHA-256 of ``index.faiss``.

    """

    format: int
    model: str
    dim: int
    library: str
    index: str


class StoredIndex(NamedTuple):
    """A generation as read.

    Attributes:
        generation: its name, empty when nothing is stored.
        shelves: one a source.
        vectors: rows in the order of shelves, questions and chunks, shape [chunks, dim]; never written to. More than
            ``chunk_vectors.EXACT`` are left on the disk, from where they are read when they are used.

    """

    generation: str = ""
    shelves: tuple[SourceEntry, ...] = ()
    vectors: FloatArray = np.zeros((0, 1), dtype=np.float32)


_SHELVES = TypeAdapter(tuple[SourceEntry, ...])


def digest_of(questions: Sequence[Question]) -> str:
    """SHA-256 of questions with all that belongs to them."""
    data = json.dumps([question.model_dump(mode="json") for question in questions], sort_keys=True)
    return hashlib.sha256(data.encode()).hexdigest()


def current(folder: Path) -> str:
    """The name of the generation that counts; empty when there is none."""
    try:
        return (folder / _POINTER).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def load(folder: Path, model: str) -> StoredIndex:
    """What a folder holds.

    Whatever cannot be used is left out with a logged message: vectors of another model or format and damaged ones
    (their questions stay and are embedded again), or everything where the questions themselves are damaged.
    """
    for _ in range(3):
        generation = current(folder)
        if not generation:
            return StoredIndex()
        stored = _load(folder / Path(generation).name, model)
        # Another process may have put a newer generation in place and cleared this one while it was read.
        if stored is not None or current(folder) == generation:
            break
    if stored is None:
        _LOG.warning("The question index in %s is damaged and begins empty; ingest your documents again.", folder)
        return StoredIndex(generation=generation)
    return stored


def _load(folder: Path, model: str) -> StoredIndex | None:
    try:
        manifest = Manifest.model_validate_json((folder / "manifest.json").read_bytes())
    except (OSError, ValidationError):
        manifest = None
    try:
        library = (folder / "library.json").read_bytes()
        shelves = _SHELVES.validate_json(library)
    except (OSError, ValidationError):
        return None
    bare = tuple(shelf.model_copy(update={"chunks": ()}) for shelf in shelves)
    without_vectors = StoredIndex(generation=folder.name, shelves=bare)
    if manifest is None or manifest.library != hashlib.sha256(library).hexdigest():
        _LOG.warning("The manifest of the question index in %s is damaged; it is rebuilt.", folder.parent)
        return without_vectors
    if (manifest.format, manifest.model) != (FORMAT, model):
        _LOG.warning(
            "The question index in %s was made with %s (format %d), not %s (format %d); it is rebuilt.",
            folder.parent, manifest.model, manifest.format, model, FORMAT,
        )  # fmt: skip
        return without_vectors
    vectors = _vectors(folder / "index.faiss", sum(map(sum, (shelf.chunks for shelf in shelves))), manifest)
    if vectors is None:
        _LOG.warning("The vectors of the question index in %s are damaged; they are made again.", folder.parent)
        return without_vectors
    return StoredIndex(generation=folder.name, shelves=shelves, vectors=vectors)


def _vectors(file: Path, count: int, manifest: Manifest) -> FloatArray | None:
    """The rows of an index's file, on the disk where there are many; ``None`` where they are damaged."""
    try:
        with file.open("rb") as content:
            if hashlib.file_digest(content, "sha256").hexdigest() != manifest.index:
                return None
        if count <= EXACT:
            index = faiss.deserialize_index(np.frombuffer(file.read_bytes(), dtype=np.uint8))
            return np.asarray(index.reconstruct_n(0, index.ntotal), dtype=np.float32)
        return _mapped(file, (count, manifest.dim))
    except OSError:
        return None


def _mapped(file: Path, shape: tuple[int, ...]) -> FloatArray:
    """The rows of an index's file, read from there whenever they are used, be it deleted meanwhile."""
    # They are its end; what is before them depends on the version of FAISS.
    begin = file.stat().st_size - 4 * math.prod(shape)
    return np.memmap(file, dtype=np.float32, mode="r", offset=begin, shape=shape)


def save(folder: Path, shelves: Sequence[SourceEntry], vectors: FloatArray, model: str) -> StoredIndex:
    """Writes a new generation, makes it the one that counts and clears the others; returns it.

    Raises:
        StorageError: the disk refused; what was stored before still counts.

    """
    library = _SHELVES.dump_json(tuple(shelves))
    index: memoryview = faiss.serialize_index(flat_index(vectors)).data
    manifest = Manifest(
        format=FORMAT,
        model=model,
        dim=vectors.shape[1] if len(vectors) else 0,
        library=hashlib.sha256(library).hexdigest(),
        index=hashlib.sha256(index).hexdigest(),
    )
    generation = f"gen-{uuid.uuid4().hex[:12]}"
    target = folder / generation
    try:
        target.mkdir(parents=True)
        _write(target / "library.json", library)
        _write(target / "index.faiss", index)
        _write(target / "manifest.json", manifest.model_dump_json().encode())
        pointer = folder / f"{_POINTER}.{generation}"
        _write(pointer, generation.encode())
        pointer.replace(folder / _POINTER)
    except OSError as error:
        shutil.rmtree(target, ignore_errors=True)
        raise StorageError(
            f"The question index cannot be written to {folder}: {error.strerror or error}.",
            hint="Free some space or choose another folder; nothing was changed.",
        ) from error
    for other in folder.glob("gen-*"):
        if other.name != generation:
            shutil.rmtree(other, ignore_errors=True)
    if len(vectors) > EXACT:
        vectors = _mapped(target / "index.faiss", vectors.shape)
    return StoredIndex(generation, tuple(shelves), vectors)


def flat_index(vectors: FloatArray) -> faiss.IndexFlatIP:
    """An exact inner-product index over the rows of a matrix."""
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(np.ascontiguousarray(vectors))
    return index


def _write(path: Path, data: bytes | memoryview) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
