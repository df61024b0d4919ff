from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion.contradictions import contradictions, hold_against_bank
from knowledge.ingestion.pipeline import Outcome, ingest
from knowledge.model import FlagKind, Question, Source
from rubric.grading.grader import LONGEST_ANSWER, RubricGrader
from rubric.model import Criterion, Rubric
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from tests.rubric.doubles import BagOfWords, FixedJudge, Unrelated

RUBRIC = Rubric(criteria=(Criterion(id="c1", text="The gradient is freed after backward."),))
BANK = Question(id="b", text="What?", spoken="What?", topic="t", source=Source(path="bank"), rubric=RUBRIC)


def document(reference: str) -> Question:
    return Question(id="d", text="What?", spoken="What?", topic="t", source=Source(path="d"), reference=reference)


def grader(chance: float) -> tuple[RubricGrader, FixedJudge]:
    rest = (1 - chance) / 3
    judge = FixedJudge(chances=(rest, rest, rest, chance))
    return RubricGrader(judge, BagOfWords(), Unrelated()), judge


@pytest.mark.parametrize(("chance", "count"), [(0.97, 1), (0.8, 0)])
def test_only_what_is_surely_contradicted_is_flagged(chance: float, count: int) -> None:
    judged, _ = grader(chance)
    flags = contradictions(document("The gradient stays. It is kept for ever."), BANK, judged)
    assert [flag.kind for flag in flags] == [FlagKind.CONTRADICTS_BANK] * count
    assert all("The gradient is freed after backward." in flag.reason for flag in flags)


def test_code_is_not_judged_as_speech() -> None:
    judged, judge = grader(0.97)
    contradictions(document("It stays.\n\n```python\nx = 1\n```\n"), BANK, judged)
    assert judge.asked == ["It stays."]


def test_without_words_or_a_rubric_nobody_is_asked() -> None:
    judged, judge = grader(0.97)
    assert contradictions(document("```python\nx = 1\n```"), BANK, judged) == ()
    assert contradictions(document("It stays."), BANK.model_copy(update={"rubric": None}), judged) == ()
    assert judge.asked == []


def test_a_long_reference_is_judged_as_far_as_it_can_be() -> None:
    judged, judge = grader(0.97)
    contradictions(document("It stays. " * 5000), BANK, judged)
    assert len(judge.asked[0]) == LONGEST_ANSWER


def test_what_a_document_says_against_the_bank_is_flagged_and_kept(
    tmp_path: Path, embedder: SentenceTransformerEmbedder
) -> None:
    bank = BANK.model_copy(
        update={
            "text": "What happens to the gradient of an activation after the backward pass?",
            "spoken": "What happens to the gradient of an activation after the backward pass?",
            "reference": "The gradient of an activation is freed after the backward pass unless it is retained.",
            "rubric": RUBRIC.model_copy(update={"origin": "bank"}),
        }
    )
    path = tmp_path / "a.md"
    said = "The gradient of an activation is kept for ever after the backward pass."
    path.write_text(f"Q1. {bank.text}\n\n{said}\n", encoding="utf-8")
    index = QuestionIndex.open(tmp_path / "index", embedder)
    index.replace("bank/b.md", [bank])
    done = ingest([path], index)
    judged, judge = grader(0.97)
    held = hold_against_bank(done, index, judged)
    assert judge.asked == [said]
    assert [flag.kind for flag in held.questions[0].flags] == [FlagKind.CONTRADICTS_BANK]
    assert index.get(held.questions[0].id) == held.questions[0]
    again = ingest([path], index)
    assert [file.outcome for file in again.files] == [Outcome.UNCHANGED]
    assert hold_against_bank(again, index, judged).questions == held.questions
