"""An index whose vectors are rounded and left on the disk finds what one finds that looks at all of them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from knowledge.index import chunk_vectors, disk_store, snapshot
from knowledge.index.question_index import QuestionIndex
from knowledge.model import Hit, Kind, Level, Question, Source
from serving.arrays import FloatArray

SUBJECTS = ("warmup", "clipping", "sharding", "masking", "caching", "pruning")


class Drawn:
    """Vectors drawn from a text's digest and its subject, so that texts on one subject are near each other."""

    name, dim = "drawn", 24

    def embed(self, texts: Sequence[str]) -> FloatArray:
        rows = np.stack([self._one(text) for text in texts])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    embed_documents = embed

    def _one(self, text: str) -> FloatArray:
        row = sum((self._of(word) for word in SUBJECTS if word in text), start=np.zeros(self.dim))
        return np.asarray(1.5 * row + self._of(text))

    def _of(self, text: str) -> FloatArray:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        drawn = np.random.default_rng(seed).standard_normal(self.dim)
        return np.asarray(drawn / np.linalg.norm(drawn))


def made(number: int) -> Question:
    rng = random.Random(number)
    words = " ".join(rng.choices([*SUBJECTS, "why", "rank", "step", "loss", "batch", "layer"], k=12))
    return Question(
        id=f"q{number}", text=f"{SUBJECTS[number % 6]} {number}: {words}?", spoken=f"{words} {number}", reference=words,
        topic=SUBJECTS[number % 5], kind=list(Kind)[number % 3], level=list(Level)[number % 4],
        source=Source(path="a.md", line=1),
    )  # fmt: skip


QUESTIONS = [made(number) for number in range(300)]
FILTERS: tuple[dict[str, object], ...] = (
    {},
    {"topics": ("warmup",)},
    {"kinds": (Kind.CODING,), "levels": (Level.SENIOR,)},
    {"sources": ("two",)},
    {"exclude": frozenset(f"q{number}" for number in range(290))},
)


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> QuestionIndex:
    return filled(tmp_path_factory.mktemp("exact"))


def filled(folder: Path) -> QuestionIndex:
    index = QuestionIndex.open(folder, Drawn())
    index.replace_all({"one": QUESTIONS[:200], "two": QUESTIONS[200:]})
    return index


def few(monkeypatch: pytest.MonkeyPatch, *, exact: int, nearest: int) -> None:
    for module in (chunk_vectors, disk_store):
        monkeypatch.setattr(module, "EXACT", exact)
    monkeypatch.setattr(snapshot, "MANY", nearest)
    monkeypatch.setattr(snapshot, "NEAREST", nearest)


def found(index: QuestionIndex, text: str, k: int, filters: dict[str, object]) -> list[Hit]:
    return index.search(text, k, **filters)  # type: ignore[arg-type]


@pytest.mark.parametrize("filters", FILTERS, ids=lambda given: next(iter(given), "none"))
@pytest.mark.parametrize("k", [1, 5, 400])
def test_a_search_that_begins_with_the_nearest_finds_the_same(
    exact: QuestionIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, filters: dict[str, object], k: int
) -> None:
    texts = ("warmup of the batch", "why is the loss of a step masked", "rank 7")
    before = [found(exact, text, k, filters) for text in texts]
    few(monkeypatch, exact=100_000, nearest=10)
    again = QuestionIndex.open(exact.folder, Drawn())
    for text, hits in zip(texts, before, strict=True):
        now = found(again, text, k, filters)
        assert [hit.question.id for hit in now] == [hit.question.id for hit in hits]
        assert [hit.score for hit in now] == pytest.approx([hit.score for hit in hits], abs=1e-6)
        assert [hit.similarity for hit in now] == pytest.approx([hit.similarity for hit in hits], abs=1e-6)


def test_rounded_vectors_find_the_same_but_for_the_rounding(
    exact: QuestionIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = exact.search("warmup of the batch", 5)
    few(monkeypatch, exact=100, nearest=10)
    hits = filled(tmp_path).search("warmup of the batch", 5)
    assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in before], abs=0.01)
    assert hits[0].question == before[0].question


def test_vectors_on_the_disk_are_kept_as_they_were_and_read_again(
    exact: QuestionIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few(monkeypatch, exact=100, nearest=10)
    index = filled(tmp_path)
    held = index.library().stored.vectors
    assert isinstance(held, np.memmap)
    assert np.array_equal(held, exact.library().stored.vectors)
    other = QuestionIndex.open(tmp_path, Drawn())
    index.replace("three", [made(1000)])
    # The file that this one reads from is gone from the folder, and still is what it was.
    assert np.array_equal(held, exact.library().stored.vectors)
    assert np.array_equal(other.library().stored.vectors[: len(held)], held)
    assert other.get("q1000") == made(1000)


def test_a_damaged_file_of_many_vectors_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    few(monkeypatch, exact=100, nearest=10)
    held = np.array(filled(tmp_path).library().stored.vectors)
    (file,) = tmp_path.glob("gen-*/index.faiss")
    file.write_bytes(file.read_bytes()[:-4])
    again = QuestionIndex.open(tmp_path, Drawn())
    assert not again.complete
    assert "damaged" in caplog.text
    again.catch_up()
    assert np.array_equal(again.library().stored.vectors, held)
