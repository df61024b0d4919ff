from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from knowledge.index.question_index import QuestionIndex
from knowledge.index.shared_vectors import SharedVectors
from knowledge.model import Question, Source
from serving.arrays import FloatArray

DIM = 4


class Made:
    """Makes rows of texts' lengths; writes down what it was given."""

    name = "made+1"
    dim = DIM

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> FloatArray:
        self.texts += texts
        return np.array([[len(text), len(set(text)), 1.0, 0.0] for text in texts], dtype=np.float32)

    embed_documents = embed


def question(text: str) -> Question:
    return Question(
        id=text, text=text, spoken=text, topic="autograd", kind="concept", level="mid", source=Source(path="a", line=1)
    )


def shared(folder: Path) -> SharedVectors:
    return SharedVectors(folder / "vectors", lambda source: source.startswith("bank/"))


def test_a_second_index_makes_no_vectors_of_what_the_first_made(tmp_path: Path) -> None:
    made = [Made(), Made()]
    indexes = [QuestionIndex.open(tmp_path / str(n), each, shared(tmp_path)) for n, each in enumerate(made)]
    for index in indexes:
        index.replace("bank/a.md", [question("Why?"), question("What for?")])
    assert sorted(made[0].texts) == ["What for?", "Why?"]
    assert made[1].texts == []
    first, second = (index.library().stored for index in indexes)
    assert np.array_equal(first.vectors, second.vectors)


def test_a_text_that_changed_is_the_only_one_made_again(tmp_path: Path) -> None:
    made = Made()
    index = QuestionIndex.open(tmp_path / "1", made, shared(tmp_path))
    index.replace("bank/a.md", [question("Why?"), question("What for?")])
    other = Made()
    later = QuestionIndex.open(tmp_path / "2", other, shared(tmp_path))
    later.replace("bank/a.md", [question("Why?"), question("Where from?")])
    assert other.texts == ["Where from?"]
    assert np.array_equal(later.library().stored.vectors, made.embed(["Why?", "Where from?"]))


def test_a_document_of_ones_own_stays_out_of_what_is_shared(tmp_path: Path) -> None:
    QuestionIndex.open(tmp_path / "1", Made(), shared(tmp_path)).replace("/home/ada/own.md", [question("Mine?")])
    other = Made()
    QuestionIndex.open(tmp_path / "2", other, shared(tmp_path)).replace("/home/ada/own.md", [question("Mine?")])
    assert other.texts == ["Mine?"]
    assert not (tmp_path / "vectors").exists()


def test_vectors_of_another_model_are_not_taken(tmp_path: Path) -> None:
    other = Made()
    other.name = "made+2"
    QuestionIndex.open(tmp_path / "1", Made(), shared(tmp_path)).replace("bank/a.md", [question("Why?")])
    QuestionIndex.open(tmp_path / "2", other, shared(tmp_path)).replace("bank/a.md", [question("Why?")])
    assert other.texts == ["Why?"]


@pytest.mark.parametrize("content", [b"", b"no archive", None], ids=["empty", "damaged", "cut short"])
def test_a_damaged_file_is_made_again(tmp_path: Path, content: bytes | None) -> None:
    QuestionIndex.open(tmp_path / "1", Made(), shared(tmp_path)).replace("bank/a.md", [question("Why?")])
    (file,) = (tmp_path / "vectors").rglob("*.npz")
    file.write_bytes(file.read_bytes()[:100] if content is None else content)
    for folder, texts in (("2", ["Why?"]), ("3", [])):
        made = Made()
        index = QuestionIndex.open(tmp_path / folder, made, shared(tmp_path))
        index.replace("bank/a.md", [question("Why?")])
        assert made.texts == texts
        assert [hit.question.text for hit in index.search("Why?", 1)] == ["Why?"]


def test_a_folder_that_cannot_be_made_costs_time_only(tmp_path: Path) -> None:
    (tmp_path / "vectors").write_text("in the way", encoding="utf-8")
    made = Made()
    index = QuestionIndex.open(tmp_path / "1", made, shared(tmp_path))
    index.replace("bank/a.md", [question("Why?")])
    assert made.texts == ["Why?"]
    assert index.complete


def test_many_at_once_make_them_once(tmp_path: Path) -> None:
    made = [Made() for _ in range(8)]

    def take(number: int) -> bytes:
        index = QuestionIndex.open(tmp_path / str(number), made[number], shared(tmp_path))
        index.replace("bank/a.md", [question(f"Why is it {n}?") for n in range(50)])
        return index.library().stored.vectors.tobytes()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(take, range(8)))) == 1
    assert sum(len(each.texts) for each in made) == 50
