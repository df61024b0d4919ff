from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion.own_documents import OwnDocuments
from knowledge.ingestion.pipeline import ingest
from knowledge.model import Kind, Level, Question, Source
from rubric.model import Criterion, Rubric
from serving.encoders.sentence_encoder import Embedder
from serving.errors import BadInputError

WARM = "Why would you use a learning rate warm-up?"
NOTES = (
    f"# Notes\n\n## {WARM}\n\nAdam's moments are poor at first.\n\n## What is a hook?\n\nA function autograd calls.\n"
)
OURS = Question(
    id="ours",
    text="Why is a learning rate warm-up used?",
    spoken="Why is a learning rate warm-up used?",
    topic="training",
    kind=Kind.CONCEPT,
    level=Level.MID,
    source=Source(path="bank/training.md", line=1),
    rubric=Rubric(criteria=(Criterion(id="c1", text="The moments are poor at first."),), origin="bank"),
)


@pytest.fixture
def index(tmp_path: Path, embedder: Embedder) -> QuestionIndex:
    made = QuestionIndex.open(tmp_path / "index", embedder)
    made.replace("bank/training.md", [OURS])
    return made


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "notes.md").write_text(NOTES)
    return folder


def test_documents_are_listed_with_their_questions_and_what_these_were_merged_into(
    index: QuestionIndex, kept: Path
) -> None:
    documents = OwnDocuments(index, kept)
    assert documents.all() == ()
    ingest([kept / "notes.md"], index)
    (document,) = documents.all()
    assert document.name == "notes.md"
    assert [(held.text, held.merged_into) for held in document.questions] == [
        (WARM, OURS.text),
        ("What is a hook?", ""),
    ]
    assert {question.source.path for question in index.questions() if not question.of_bank} == {document.path}


def test_a_document_that_is_removed_takes_its_questions_and_its_file_along(index: QuestionIndex, kept: Path) -> None:
    ingest([kept / "notes.md"], index)
    documents = OwnDocuments(index, kept)
    (document,) = documents.all()
    documents.remove(document.source)
    assert documents.all() == ()
    assert index.questions() == (OURS,)
    assert not (kept / "notes.md").exists()
    with pytest.raises(BadInputError, match="not there any more"):
        documents.remove(document.source)


def test_a_file_elsewhere_stays_and_ours_cannot_be_removed(index: QuestionIndex, kept: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "mine.md"
    elsewhere.write_text(NOTES)
    ingest([elsewhere], index)
    documents = OwnDocuments(index, kept)
    documents.remove(documents.all()[0].source)
    assert elsewhere.exists()
    with pytest.raises(BadInputError):
        documents.remove("bank/training.md")
    assert index.questions() == (OURS,)
