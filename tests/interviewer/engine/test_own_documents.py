from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from interviewer.engine.question_supply import QuestionSupply
from interviewer.session.plan import Plan
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion.pipeline import ingest
from serving.encoders.sentence_encoder import Embedder
from serving.errors import BadInputError
from tests.knowledge.ingestion.test_own_documents import NOTES, OURS, WARM

OTHER = "# Other\n\n## What does a sampler do?\n\nIt gives the order of the samples.\n"


def asked(plan: Plan, tmp_path: Path, embedder: Embedder) -> set[str]:
    """Everything that an interview by that plan can ask, in the words in which it asks it."""
    index = QuestionIndex.open(tmp_path / "index", embedder)
    index.replace("bank/training.md", [OURS])
    for name, text in (("notes.md", NOTES), ("other.md", OTHER)):
        (tmp_path / name).write_text(text)
    ingest([tmp_path / "notes.md", tmp_path / "other.md"], index)
    with Journal(tmp_path / "journal.db") as journal:
        supply = QuestionSupply(index, journal, lambda: datetime.now(UTC))
        supply.check(plan)
        return {question.text for question in supply._questions(plan)}


def test_only_own_documents_are_asked_in_their_own_words(tmp_path: Path, embedder: Embedder) -> None:
    plan = Plan(own_documents=True)
    assert asked(plan, tmp_path, embedder) == {WARM, "What is a hook?", "What does a sampler do?"}


def test_one_document_is_asked_alone(tmp_path: Path, embedder: Embedder) -> None:
    plan = Plan(own_documents=True, documents=(str(tmp_path / "other.md"),))
    assert asked(plan, tmp_path, embedder) == {"What does a sampler do?"}


def test_a_document_that_is_left_out_is_not_asked_along_with_ours(tmp_path: Path, embedder: Embedder) -> None:
    plan = Plan(documents=(str(tmp_path / "other.md"),))
    assert asked(plan, tmp_path, embedder) == {OURS.text, "What does a sampler do?"}


def test_a_topic_in_ones_own_words_finds_what_was_merged_into_ours(tmp_path: Path, embedder: Embedder) -> None:
    plan = Plan(own_documents=True, topics=("learning rate warm-up",))
    asked(plan, tmp_path, embedder)
    index = QuestionIndex.open(tmp_path / "index", embedder)
    with Journal(tmp_path / "second.db") as journal:
        supply = QuestionSupply(index, journal, lambda: datetime.now(UTC))
        chosen = supply.choose("new", 1, plan, State(plan=plan))
    assert chosen is not None
    assert chosen.question.text == WARM


def test_no_document_at_all_is_refused(tmp_path: Path, embedder: Embedder) -> None:
    with pytest.raises(BadInputError, match="no questions"):
        asked(Plan(own_documents=True, documents=()), tmp_path, embedder)
