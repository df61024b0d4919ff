"""Interviews over a real index: what is nearly the same is never asked twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from knowledge.index.question_index import QuestionIndex
from knowledge.model import Question, Source
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from tests.interviewer.builders import KeywordGrader, question

ANSWER = "Every replica averages its gradients with an all-reduce, so that all of them make the same optimizer step."
DOCUMENTS = {
    "one": [
        question("ddp", text="How does data parallel training keep replicas in step?", reference=ANSWER),
        question("lru", text="Implement a cache that forgets what was used longest ago.", topic="algorithms"),
    ],
    "two": [
        question("ddp2", text="How do replicas stay in step in data parallel training?", reference=f"{ANSWER} Always."),
        question("view", text="What is a strided view of a tensor?", topic="tensors"),
        question("view2", text="What is a strided view of a tensor in PyTorch?", topic="tensors", reference="Strides."),
    ],
}


@pytest.fixture
def index(tmp_path: Path, embedder: SentenceTransformerEmbedder) -> QuestionIndex:
    made = QuestionIndex.open(tmp_path / "index", embedder)
    made.replace_all({source: [placed(held, source) for held in questions] for source, questions in DOCUMENTS.items()})
    return made


def placed(held: Question, source: str) -> Question:
    return held.model_copy(update={"source": Source(path=f"{source}.md", line=1)})


def asked(tmp_path: Path, index: QuestionIndex, plan: Plan) -> list[str]:
    """Ids of all that is asked when everything is skipped."""
    with (
        Journal(tmp_path / f"journal-{plan.seed}.db") as journal,
        InterviewService(journal, index, KeywordGrader(), patience_s=None) as service,
    ):
        session = service.start(plan)
        number = 0
        while (state := service.state(session)).ended is None:
            number += 1
            service.skip(session, f"skip-{number}")
        return [held.question.id for held in state.asked]


@pytest.mark.parametrize("seed", range(4))
def test_near_duplicates_are_never_asked_in_one_interview(tmp_path: Path, index: QuestionIndex, seed: int) -> None:
    ids = asked(tmp_path, index, Plan(length=5, seed=seed))
    assert len(ids) == 3
    assert "lru" in ids
    assert "ddp2" in ids
    assert len({"view", "view2"} & set(ids)) == 1


def test_questions_asked_for_by_id_are_asked_whatever_they_are_like(tmp_path: Path, index: QuestionIndex) -> None:
    assert asked(tmp_path, index, Plan(question_ids=("ddp", "ddp2"))) == ["ddp", "ddp2"]
