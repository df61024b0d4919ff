"""Questions to be searched by meaning and by words: sentence embeddings in a FAISS index, kept on disk per source.

In meaning a question is as near as its nearest few chunks are on average (``knowledge.index.chunking``); its words
are weighed by BM25, whose index is made from the questions whenever they change, so it cannot be out of date. What
asks the same is one question.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from filelock import FileLock, Timeout

from knowledge.index import disk_store
from knowledge.index.chunking import chunks_of
from knowledge.index.disk_store import SourceEntry, StoredIndex
from knowledge.index.shared_vectors import SharedVectors
from knowledge.index.snapshot import IndexSnapshot
from knowledge.model import Hit, Kind, Level, Question, Reference
from serving import traces
from serving.arrays import FloatArray
from serving.encoders.sentence_encoder import Embedder
from serving.errors import ModelMissingError, StorageError
from serving.progress import Progress, silent

LOCK_TIMEOUT_S = 60.0
"""How long to wait for another process that writes the same index."""

_EMBEDDED_AT_ONCE = 256
"""Texts embedded between two reports of progress."""

# Hits among which a question that is gone may have near ones.
_COMPARED = 10

_LOG = logging.getLogger(__name__)


class QuestionIndex:
    """All questions there are, by id and by meaning. Made with ``open``; safe to use from any thread.

    Other processes may use the same folder: what they add is seen at the next call.
    """

    def __init__(self, folder: Path, embedder: Embedder, shared: SharedVectors | None = None) -> None:
        self._folder = folder
        self._embedder = embedder
        self._shared = shared
        self._lock = threading.RLock()
        self._library = IndexSnapshot(disk_store.load(folder, embedder.name))

    @classmethod
    def open(cls, folder: Path, embedder: Embedder, shared: SharedVectors | None = None) -> QuestionIndex:
        """The index in a folder, made when there is none.

        The embedder is not used before vectors are needed. An index of another model or format, or a damaged
        one, is rebuilt as far as it can be read, and the log says so.

        Args:
            folder: its own.
            embedder: makes the vectors.
            shared: vectors that several indexes of this machine have in common.

        Raises:
            StorageError: the folder cannot be made.

        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"The folder {folder} cannot be made: {error.strerror or error}.") from error
        return cls(folder, embedder, shared)

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
            embed: make the vectors of these sources now; otherwise ``catch_up`` or the next search does, as it
                does for other sources that still lack theirs.
            tell: hears how far the vectors are.

        Raises:
            StorageError: the disk refused; nothing was changed.

        """
        with self._writing():
            shelves = {shelf.source: shelf for shelf in self._library.stored.shelves}
            before = dict(shelves)
            for source, questions in sources.items():
                digest = disk_store.digest_of(questions)
                if not questions:
                    shelves.pop(source, None)
                elif source not in shelves or shelves[source].digest != digest:
                    shelves[source] = SourceEntry(source=source, digest=digest, questions=tuple(questions))
            if shelves == before:
                return
            try:
                self._save(list(shelves.values()), embed=sources if embed else (), tell=tell)
            except ModelMissingError as error:
                _LOG.warning("%s The questions are kept and made searchable later.", error)
                self._save(list(shelves.values()), embed=())

    def catch_up(self, tell: Progress = silent) -> None:
        """Makes vectors for questions that have none yet.

        Args:
            tell: hears how far they are.

        Raises:
            ModelMissingError: the embedding model is not there.
            StorageError: the disk refused.

        """
        total = len(self._fresh().pending)
        while pending := self._fresh().pending:
            # One source at a time: others may write in between, and what is done outlives an interruption.
            with self._writing():
                if pending[0] in self._library.pending:
                    share = 1 - len(pending) / max(total, len(pending))
                    tell("Vectors of the questions", share)
                    self._save(self._library.stored.shelves, embed=pending[:1])

    def search(
        self,
        text: str,
        k: int,
        *,
        topics: Collection[str] = (),
        kinds: Collection[Kind] = (),
        levels: Collection[Level] = (),
        sources: Collection[str] = (),
        exclude: Collection[str] = frozenset(),
    ) -> list[Hit]:
        """The questions that fit a text best, best first; as many as there are where fewer than ``k`` pass the filters.

        Questions that ask the same are found as one, by the words of any of them, and returned as their lead.

        Args:
            text: anything: a question, a topic, an answer.
            k: most hits to return.
            topics: only questions of these topics; empty means all.
            kinds: only questions of these kinds; empty means all.
            levels: only questions of these levels; empty means all.
            sources: only questions that one of these sources asks, named as ``sources()`` has them; empty means all.
            exclude: ids of questions to leave out, with what asks the same.

        Raises:
            ModelMissingError: the embedding model is not there.
            StorageError: questions without vectors were found, and the disk refused to keep the new vectors.

        """
        self.catch_up()
        library = self._library
        if not library.questions:
            return []
        with traces.span("library.search", {"search.most": k, "search.questions": len(library.questions)}) as searching:
            hits = library.search(
                text,
                self._embedder.embed([text]),
                k,
                topics=topics,
                kinds=kinds,
                levels=levels,
                sources=sources,
                exclude=exclude,
            )
            searching.set("search.hits", len(hits))
        return hits

    def leads(self) -> tuple[Question, ...]:
        """The questions to be asked: of those that ask the same only the lead, in the order of ``questions()``.

        The lead is the bank's question where there is one, else the one with a rubric, else that with the longest
        reference without flags.
        """
        return self._fresh().leads

    @property
    def complete(self) -> bool:
        """Whether every question has its vectors, so that a search answers at once."""
        return not self._fresh().pending

    def references(self, question_id: str) -> tuple[Reference, ...]:
        """What each document has on a question, its lead first; one alone where no other asks it.

        Raises:
            KeyError: there is no question of that id.

        """
        return self._fresh().references(question_id)

    def near(self, question: Question) -> frozenset[str]:
        """Ids of the questions not to be asked in one interview with that one: the same ones and too near ones.

        A question that is no longer here is compared by its text; without the embedding model nothing is near it.

        Raises:
            StorageError: see ``search``.

        """
        library = self._fresh()
        if question.id in library.by_id:
            return library.near(question.id)
        try:
            hits = self.search(question.text, _COMPARED)
        except ModelMissingError:
            return frozenset()
        from knowledge.index.near_duplicates import TOO_NEAR_COSINE  # noqa: PLC0415 - see knowledge.index.snapshot

        same = [hit.question.id for hit in hits if hit.similarity >= TOO_NEAR_COSINE]
        return frozenset(same).union(*(self.near(self.get(name)) for name in same))

    def questions(self) -> tuple[Question, ...]:
        """All questions, by source in the order in which the sources came."""
        return self._fresh().questions

    def get(self, question_id: str) -> Question:
        """The question of that id.

        Raises:
            KeyError: there is none.

        """
        return self._fresh().by_id[question_id]

    def library(self) -> IndexSnapshot:
        """All there is at this moment, for whoever looks at it as a whole."""
        return self._fresh()

    def sources(self) -> tuple[str, ...]:
        """The sources, in the order in which they came."""
        return tuple(shelf.source for shelf in self._fresh().stored.shelves)

    def shelves(self) -> dict[str, SourceEntry]:
        """What is kept of each source."""
        return {shelf.source: shelf for shelf in self._fresh().stored.shelves}

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self._folder

    def _fresh(self) -> IndexSnapshot:
        """The library, read again where another process has written since."""
        if disk_store.current(self._folder) != self._library.stored.generation:
            with self._lock:
                if disk_store.current(self._folder) not in {self._library.stored.generation, ""}:
                    self._library = IndexSnapshot(disk_store.load(self._folder, self._embedder.name))
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

    def _save(self, shelves: Sequence[SourceEntry], *, embed: Collection[str], tell: Progress = silent) -> None:
        """Writes shelves with the vectors they have, and with new ones for those of the sources to embed."""
        kept = _rows_by_source(self._library.stored)
        done: list[SourceEntry] = []
        rows: list[FloatArray] = []
        todo = [shelf for shelf in shelves if not shelf.chunks and shelf.source in embed]
        told = _Told(tell, sum(len(shelf.questions) for shelf in todo), len(todo))
        for shelf in shelves:
            if shelf.chunks:
                done.append(shelf)
                rows.append(kept[shelf.source])
            elif shelf.source in embed:
                texts = [chunks_of(question) for question in shelf.questions]
                done.append(shelf.model_copy(update={"chunks": tuple(map(len, texts))}))
                rows.append(self._vectors(shelf.source, [text for chunks in texts for text in chunks], told))
                told.sources += 1
            else:
                done.append(shelf)
        vectors = np.concatenate(rows) if rows else np.zeros((0, 1), dtype=np.float32)
        generation = disk_store.save(self._folder, done, vectors, self._embedder.name)
        self._library = IndexSnapshot(
            StoredIndex(
                generation=generation,
                shelves=tuple(done),
                vectors=np.ascontiguousarray(vectors).tobytes(),
                dim=vectors.shape[1],
            )
        )

    def _vectors(self, source: str, texts: Sequence[str], told: _Told) -> FloatArray:
        """The vectors of a source's texts, shape [n, dim]: those that it had or that are shared, and new ones."""

        def embed(texts: Sequence[str]) -> FloatArray:
            known = self._held(source)
            new = sorted({text for text in texts if text not in known}, key=len)
            # Texts of like length together: a batch is as long as its longest.
            for start in range(0, len(new), _EMBEDDED_AT_ONCE):
                told(start / len(new))
                batch = new[start : start + _EMBEDDED_AT_ONCE]
                known.update(zip(batch, self._embedder.embed_documents(batch), strict=True))
            return np.stack([known[text] for text in texts])

        if not texts:
            return np.zeros((0, self._embedder.dim), dtype=np.float32)
        return self._shared.rows(self._embedder.name, source, texts, embed) if self._shared else embed(texts)

    def _held(self, source: str) -> dict[str, FloatArray]:
        """The vectors that a source has in what is stored, by text."""
        stored = self._library.stored
        shelf = next((each for each in stored.shelves if each.source == source and each.chunks), None)
        if shelf is None:
            return {}
        texts = (text for question in shelf.questions for text in chunks_of(question))
        return dict(zip(texts, _rows_by_source(stored)[source], strict=True))


class _Told:
    """How far the vectors of some sources are.

    Args:
        tell: hears it.
        questions: of these sources.
        total: number of these sources.

    """

    def __init__(self, tell: Progress, questions: int, total: int) -> None:
        self._tell, self._questions, self._total = tell, questions, total
        self.sources = 0

    def __call__(self, share: float) -> None:
        """Say it: all sources before this one, and ``share`` of this one."""
        self._tell(f"Vectors of {self._questions} questions", (self.sources + share) / self._total)


def _rows_by_source(stored: StoredIndex) -> dict[str, FloatArray]:
    rows = stored.rows()
    result = {}
    start = 0
    for shelf in stored.shelves:
        count = sum(shelf.chunks)
        result[shelf.source] = rows[start : start + count]
        start += count
    return result
