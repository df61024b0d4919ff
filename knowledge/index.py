"""Questions to be searched by meaning: sentence embeddings in a FAISS index, kept on disk per source.

A question is found by its best chunk (``knowledge.chunks``): on 24 queries over real documents that found 15 first
and 21 among five, against 14 and 18 with one vector for question and answer together.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import faiss
import numpy as np
import numpy.typing as npt
from filelock import FileLock, Timeout

from knowledge import store
from knowledge.chunks import chunks_of
from knowledge.model import Hit, Kind, Level, Question
from knowledge.store import Shelf, Stored
from serving.clients import FloatArray
from serving.embedder import Embedder
from serving.errors import ModelMissingError, StorageError
from serving.progress import Progress, silent

LOCK_TIMEOUT_S = 60.0
"""How long to wait for another process that writes the same index."""

_EMBEDDED_AT_ONCE = 32
"""Questions embedded between two reports of progress."""

_LOG = logging.getLogger(__name__)


class _Library:
    """The index at one moment; never changed once made, so searches need no lock."""

    def __init__(self, stored: Stored) -> None:
        self.stored = stored
        self.by_id: dict[str, Question] = {}
        owners: list[str] = []
        for shelf in stored.shelves:
            for position, question in enumerate(shelf.questions):
                self.by_id.setdefault(question.id, question)
                owners += [question.id] * (shelf.chunks[position] if shelf.chunks else 0)
        self.owners = tuple(owners)
        self.index = store.flat_index(stored.rows()) if owners else None

    @property
    def pending(self) -> bool:
        """Whether any questions have no vectors yet."""
        return any(shelf.questions and not shelf.chunks for shelf in self.stored.shelves)


class QuestionIndex:
    """All questions there are, by id and by meaning. Made with ``open``; safe to use from any thread.

    Other processes may use the same folder: what they add is seen at the next call.
    """

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self._folder = folder
        self._embedder = embedder
        self._lock = threading.RLock()
        self._library = _Library(store.load(folder, embedder.name))

    @classmethod
    def open(cls, folder: Path, embedder: Embedder) -> QuestionIndex:
        """The index in a folder, made when there is none.

        The embedder is not used before vectors are needed. An index of another model or format, or a damaged
        one, is rebuilt as far as it can be read, and the log says so.

        Raises:
            StorageError: the folder cannot be made.

        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"The folder {folder} cannot be made: {error.strerror or error}.") from error
        return cls(folder, embedder)

    def replace(self, source: str, questions: Sequence[Question]) -> None:
        """Puts a source's questions in the place of those it had; none removes the source.

        The same questions again change nothing. Where the embedding model is not there yet, the questions
        are kept and get their vectors at the first search that finds it.

        Raises:
            StorageError: the disk refused; nothing was changed.

        """
        self.replace_all({source: questions})

    def replace_all(
        self, sources: Mapping[str, Sequence[Question]], *, embed: bool = True, tell: Progress = silent
    ) -> None:
        """``replace`` for several sources in one step: all of them or, after an error, none.

        Args:
            sources: the questions of each source.
            embed: make the vectors now; otherwise ``catch_up`` or the next search does.
            tell: hears how far the vectors are.

        Raises:
            StorageError: the disk refused; nothing was changed.

        """
        with self._writing():
            shelves = {shelf.source: shelf for shelf in self._library.stored.shelves}
            before = dict(shelves)
            for source, questions in sources.items():
                digest = store.digest_of(questions)
                if not questions:
                    shelves.pop(source, None)
                elif source not in shelves or shelves[source].digest != digest:
                    shelves[source] = Shelf(source=source, digest=digest, questions=tuple(questions))
            if shelves == before:
                return
            try:
                self._save(list(shelves.values()), embed=embed, tell=tell)
            except ModelMissingError as error:
                _LOG.warning("%s The questions are kept and made searchable later.", error)
                self._save(list(shelves.values()), embed=False)

    def catch_up(self) -> None:
        """Makes vectors for questions that have none yet.

        Raises:
            ModelMissingError: the embedding model is not there.
            StorageError: the disk refused.

        """
        if self._fresh().pending:
            with self._writing():
                if self._library.pending:
                    self._save(self._library.stored.shelves, embed=True)

    def search(
        self,
        text: str,
        k: int,
        *,
        topics: Collection[str] = (),
        kinds: Collection[Kind] = (),
        level: Level | None = None,
        exclude: Collection[str] = frozenset(),
    ) -> list[Hit]:
        """The questions nearest in meaning to a text, best first.

        Args:
            text: anything: a question, a topic, an answer.
            k: most hits to return.
            topics: only questions of these topics; empty means all.
            kinds: only questions of these kinds; empty means all.
            level: only questions of this level; ``None`` means all.
            exclude: ids of questions to leave out.

        Raises:
            ModelMissingError: the embedding model is not there.
            StorageError: questions without vectors were found, and the disk refused to keep the new vectors.

        """
        self.catch_up()
        library = self._library
        wanted = {
            question.id
            for question in library.by_id.values()
            if (not topics or question.topic in topics)
            and (not kinds or question.kind in kinds)
            and (level is None or question.level is level)
            and question.id not in exclude
        }
        if library.index is None or not wanted or k < 1:
            return []
        rows = np.flatnonzero([owner in wanted for owner in library.owners]).astype(np.int64)
        best = _best(library, library.index, self._embedder.embed([text]), rows, min(k, len(wanted)))
        return [Hit(question=library.by_id[question_id], score=score) for question_id, score in best.items()]

    def questions(self) -> tuple[Question, ...]:
        """All questions, by source in the order in which the sources came."""
        return tuple(self._fresh().by_id.values())

    def get(self, question_id: str) -> Question:
        """The question of that id.

        Raises:
            KeyError: there is none.

        """
        return self._fresh().by_id[question_id]

    def sources(self) -> tuple[str, ...]:
        """The sources, in the order in which they came."""
        return tuple(shelf.source for shelf in self._fresh().stored.shelves)

    def shelves(self) -> dict[str, Shelf]:
        """What is kept of each source."""
        return {shelf.source: shelf for shelf in self._fresh().stored.shelves}

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self._folder

    def _fresh(self) -> _Library:
        """The library, read again where another process has written since."""
        if store.current(self._folder) != self._library.stored.generation:
            with self._lock:
                if store.current(self._folder) not in {self._library.stored.generation, ""}:
                    self._library = _Library(store.load(self._folder, self._embedder.name))
        return self._library

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Holds the index for one writer of all threads and processes, with what others wrote read first."""
        try:
            with self._lock, FileLock(self._folder / "write.lock", timeout=LOCK_TIMEOUT_S):
                self._fresh()
                yield
        except Timeout as error:
            raise StorageError(
                f"The question index in {self._folder} is being written by another process.",
                hint="Wait for it to end and try again.",
            ) from error
        except OSError as error:
            raise StorageError(
                f"The question index in {self._folder} cannot be written: {error.strerror or error}."
            ) from error

    def _save(self, shelves: Sequence[Shelf], *, embed: bool, tell: Progress = silent) -> None:
        """Writes shelves with the vectors they have, and with new ones for the others."""
        kept = _rows_by_source(self._library.stored)
        done: list[Shelf] = []
        rows: list[FloatArray] = []
        todo = sum(len(shelf.questions) for shelf in shelves if not shelf.chunks)
        made = 0
        for shelf in shelves:
            texts = [chunks_of(question) for question in shelf.questions]
            if shelf.chunks:
                done.append(shelf)
                rows.append(kept[shelf.source])
            elif embed:
                done.append(shelf.model_copy(update={"chunks": tuple(map(len, texts))}))
                for start in range(0, len(texts), _EMBEDDED_AT_ONCE):
                    tell(f"Vectors of {todo} questions", made / todo)
                    batch = texts[start : start + _EMBEDDED_AT_ONCE]
                    rows.append(self._embedder.embed([text for chunks in batch for text in chunks]))
                    made += len(batch)
            else:
                done.append(shelf)
        vectors = np.concatenate(rows) if rows else np.zeros((0, 1), dtype=np.float32)
        generation = store.save(self._folder, done, vectors, self._embedder.name)
        self._library = _Library(
            Stored(
                generation=generation,
                shelves=tuple(done),
                vectors=np.ascontiguousarray(vectors).tobytes(),
                dim=vectors.shape[1],
            )
        )


def _rows_by_source(stored: Stored) -> dict[str, FloatArray]:
    rows = stored.rows()
    result = {}
    start = 0
    for shelf in stored.shelves:
        count = sum(shelf.chunks)
        result[shelf.source] = rows[start : start + count]
        start += count
    return result


def _best(
    library: _Library, index: faiss.IndexFlatIP, query: FloatArray, rows: npt.NDArray[np.int64], k: int
) -> dict[str, float]:
    """The ``k`` best questions among the given rows with the score of their best chunk, best first."""
    best: dict[str, float] = {}
    selector = faiss.IDSelectorBatch(rows)
    parameters = faiss.SearchParameters()
    parameters.sel = selector
    count = min(len(rows), 8 * k)
    while True:
        scores, found = index.search(query, count, params=parameters)
        for score, row in zip(scores[0], found[0], strict=True):
            if row >= 0:
                best.setdefault(library.owners[row], float(score))
        if len(best) >= k or count == len(rows):
            return dict(list(best.items())[:k])
        count = min(len(rows), 4 * count)
