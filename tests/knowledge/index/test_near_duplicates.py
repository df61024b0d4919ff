from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from knowledge.index.near_duplicates import SAME, TOO_NEAR_COSINE, Alike, alike, likeness
from knowledge.model import FlagKind, Kind, Question, ReferenceFlag, Source
from rubric.model import Criterion, Rubric
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from tests.benchmarks.clusters import filled, joined, listed
from tests.locations import SHARED

DOCUMENTS = SHARED / "documents"

WARMUP = "Warmup raises the learning rate from near zero while Adam's second moments are still noisy."
CLIPPING = "Clipping by norm scales the whole gradient, clipping by value cuts every element."


def question(
    name: str, text: str, reference: str = "", *, kind: Kind = Kind.CONCEPT, bank: bool = False, flagged: bool = False
) -> Question:
    rubric = Rubric(criteria=(Criterion(id="c", text="A point."),), origin="bank")
    flag = ReferenceFlag(kind=FlagKind.DEPRECATED, reason="It is dated.")
    return Question(
        id=name,
        text=text,
        spoken=text,
        reference=reference,
        kind=kind,
        topic="training",
        source=Source(path=f"{name}.md", line=1),
        rubric=rubric if bank else None,
        flags=(flag,) if flagged else (),
    )


def turned(*degrees: float) -> np.ndarray:
    """Directions in a plane."""
    angles = np.radians(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def found(questions: Sequence[Question], *degrees: float) -> Alike:
    directions = turned(*degrees)
    return alike(questions, directions, directions)


def test_the_same_question_in_other_words_is_one_and_another_is_not() -> None:
    questions = [
        question("a", "What is learning rate warmup and why does it help?", WARMUP),
        question("b", "Clip the gradient norm", CLIPPING),
        question("c", "Why does learning rate warmup help?", WARMUP),
        question("d", "How are checkpoints written?", "Every rank writes its own shard to the store."),
    ]
    result = found(questions, 0, 90, 10, 180)
    assert result.clusters == ((0, 2),)
    assert result.likeness[0, 2] >= SAME > result.likeness.get((0, 1), 0.0)
    assert result.near == {0: {2}, 2: {0}}


def test_a_chain_does_not_melt_into_one() -> None:
    # Each is like its neighbor, the ends are not alike.
    words = [f"w{n}x" for n in range(60)]
    texts = [" ".join(words[start : start + 20]) for start in (0, 9, 18, 27)]
    questions = [question(name, text, text) for name, text in zip("abcd", texts, strict=True)]
    result = found(questions, 0, 30, 60, 90)
    neighbors = [result.likeness[n, n + 1] for n in range(3)]
    assert min(neighbors) >= SAME > result.likeness.get((0, 3), 0.0)
    assert all(len(cluster) < 4 for cluster in result.clusters)
    for cluster in result.clusters:
        for one in cluster:
            for other in cluster:
                assert one >= other or result.likeness[one, other] >= SAME


def test_two_entries_of_the_bank_are_never_one_but_are_not_asked_together() -> None:
    text = "Why does learning rate warmup help?"
    questions = [question("a", text, WARMUP, bank=True), question("b", text, WARMUP, bank=True), question("c", "View?")]
    result = found(questions, 0, 1, 90)
    assert result.clusters == ()
    assert result.near[0] == {1}


def test_a_story_is_never_what_a_concept_asks() -> None:
    text = "Why does learning rate warmup help?"
    questions = [question("a", text, WARMUP), question("b", text, WARMUP, kind=Kind.BEHAVIORAL)]
    result = found(questions, 0, 1)
    assert result.clusters == ()
    assert result.near == {}


def test_near_questions_with_other_answers_are_kept_apart_by_their_cosine() -> None:
    close = float(np.degrees(np.arccos(TOO_NEAR_COSINE + 0.01)))
    questions = [question("a", "alpha beta", "one two"), question("b", "gamma delta", "three four")]
    far = [question(f"f{n}", f"far{n} away{n}", f"else{n}") for n in range(3)]
    result = found([*questions, *far], 0, close, 120, 180, 240)
    assert result.clusters == ()
    assert result.near == {0: {1}, 1: {0}}


def test_one_question_with_two_unlike_answers_is_two_but_not_asked_together() -> None:
    questions = [
        question("one", "How do you shuffle the training data of an image model on one GPU?", "Permute the indices."),
        question(
            "two", "How do you shuffle the training data of an image model on two GPUs?", "Each rank takes a shard."
        ),
        question("bare", "How do you shuffle the training data of an image model on GPUs?"),
        question("else", "What is a view?", "The same storage with other strides."),
    ]
    result = found(questions, 0, 5, 5, 90)
    assert all({0, 1} - set(cluster) for cluster in result.clusters)
    assert 1 in result.near[0]
    assert result.clusters  # the one without an answer asks the same as one of them


def test_the_lead_is_the_banks_then_the_better_reference() -> None:
    text = "Why does learning rate warmup help?"
    short = question("short", text, WARMUP)
    flagged = question("flagged", text, WARMUP + " It is long.", flagged=True)
    best = question("best", text, WARMUP + " And more.")
    bank = question("bank", text, WARMUP, bank=True)
    apart = question("apart", "How are checkpoints written?", "Every rank writes its own shard.")
    order = [short, flagged, best, apart]
    (cluster,) = found(order, 0, 0, 0, 90).clusters
    assert [order[place].id for place in cluster] == ["best", "short", "flagged"]
    order = [short, flagged, best, apart, bank]
    (cluster,) = found(order, 0, 0, 0, 90, 0).clusters
    assert order[cluster[0]].id == "bank"
    assert len(cluster) == 4


def test_many_copies_of_a_question_are_one() -> None:
    copies = [question(f"q{n}", "Why warm up the learning rate?", WARMUP) for n in range(200)]
    (cluster,) = found(copies, *[0.0] * 200).clusters
    assert len(cluster) == 200


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_to_compare(count: int) -> None:
    questions = [question("a", "Why?")][:count]
    assert found(questions, *[0.0] * count) == Alike((), {}, {})


def test_questions_without_any_words() -> None:
    assert found([question("a", "?", "!"), question("b", "??", "!!")], 0, 90).clusters == ()


def test_likeness_is_a_probability() -> None:
    signals = np.random.default_rng(0).uniform(-1, 1, (50, 7)).astype(np.float32)
    assert ((likeness(signals) >= 0) & (likeness(signals) <= 1)).all()


@pytest.mark.by_number("knowledge/index")
@pytest.mark.shared
@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="no shared/documents beside the project")
def test_the_documents_questions_that_ask_the_same(embedder: SentenceTransformerEmbedder, tmp_path: Path) -> None:
    index, names = filled(DOCUMENTS, embedder, tmp_path / "index")
    got = joined(index.library(), names)
    same, arguable = listed("same"), listed("arguable")
    right = len(got & same)
    assert right / len(got - arguable) >= 0.88
    assert right / len(same) >= 0.86
    for mates in index.library().alike.clusters:
        references = index.references(index.questions()[mates[-1]].id)
        assert len({reference.question_id for reference in references}) == len(mates)
        assert references[0].likeness == 1.0
