from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.index import QuestionIndex
from knowledge.ingest import ingest, sync_bank
from serving.embedder import SentenceTransformerEmbedder
from serving.errors import BadInputError, BadLineError
from tests.knowledge.entry import ENTRY


@pytest.fixture
def index(tmp_path: Path, embedder: SentenceTransformerEmbedder) -> QuestionIndex:
    return QuestionIndex.open(tmp_path / "index", embedder)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def texts(index: QuestionIndex) -> list[str]:
    return [question.text for question in index.questions()]


def test_files_and_folders_are_read(tmp_path: Path, index: QuestionIndex) -> None:
    write(tmp_path / "d" / "a.md", "Q1. What is A?\nThis.\n")
    write(tmp_path / "d" / "deep" / "b.TXT", "Q1. What is B?\nThat.\n")
    write(tmp_path / "d" / ".git" / "c.md", "Q1. What is hidden?\nThis.\n")
    write(tmp_path / "d" / "e.csv", "Q1. What is no document?\nThis.\n")
    single = write(tmp_path / "f.markdown", "Q1. What is C?\nThose.\n")
    found = ingest([single, tmp_path / "d"], index)
    assert [question.text for question in found] == ["What is C?", "What is A?", "What is B?"]
    assert found[0].source.path == str(single)
    assert texts(index) == ["What is C?", "What is A?", "What is B?"]


def test_reading_again_replaces_a_document_s_own_questions_only(
    tmp_path: Path, index: QuestionIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "a.md", "Q1. What is A?\nThis.\nQ2. What is B?\nThat.\n")
    other = write(tmp_path / "o.md", "Q1. What is O?\nThis.\n")
    ingest([path, other], index)
    write(path, "Q1. What is B?\nThat.\nQ2. What is C?\nThose.\n")
    monkeypatch.chdir(tmp_path)
    ingest([Path("a.md")], index)
    assert texts(index) == ["What is B?", "What is C?", "What is O?"]


def test_one_bad_path_changes_nothing(tmp_path: Path, index: QuestionIndex) -> None:
    good = write(tmp_path / "a.md", "Q1. What is A?\nThis.\n")
    broken = write(tmp_path / "broken.md", ENTRY.replace("kind: concept", "kind: riddle"))
    (tmp_path / "empty").mkdir()
    for bad in (tmp_path / "gone.md", tmp_path / "empty", write(tmp_path / "x.pdf", "%PDF")):
        with pytest.raises(BadInputError, match=bad.name):
            ingest([good, bad], index)
    with pytest.raises(BadLineError, match=r"broken\.md, line 10"):
        ingest([good, broken], index)
    assert index.questions() == ()


def test_the_bank_follows_its_files_and_leaves_documents_alone(tmp_path: Path, index: QuestionIndex) -> None:
    ingest([write(tmp_path / "a.md", "Q1. What is A?\nThis.\n")], index)
    bank = tmp_path / "bank"
    write(bank / "one.md", ENTRY)
    write(bank / "two.md", ENTRY.replace("tensors-strides", "second").replace("What are `stride()`s?", "Two?"))
    sync_bank(index, bank)
    assert texts(index) == ["What is A?", "What are `stride()`s?", "Two?"]
    (bank / "one.md").unlink()
    sync_bank(index, bank)
    assert texts(index) == ["What is A?", "Two?"]
    assert index.search("Two?", 1)[0].question.id == "second"
