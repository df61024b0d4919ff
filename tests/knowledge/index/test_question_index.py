from __future__ import annotations

import json
import logging
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.index import disk_store
from knowledge.index.question_index import QuestionIndex
from knowledge.model import Kind, Level, Question, Source
from serving.arrays import FloatArray
from serving.encoders.sentence_encoder import Embedder, SentenceTransformerEmbedder
from serving.errors import ModelMissingError, StorageError

TEXTS = {
    "leaf": ("Why is the gradient of an intermediate tensor None?", "autograd", Kind.CONCEPT, Level.MID),
    "ddp": ("How does data parallel training keep replicas in step?", "distributed", Kind.CONCEPT, Level.SENIOR),
    "lru": ("Implement a cache that forgets what was used longest ago.", "algorithms", Kind.CODING, Level.MID),
    "team": ("Tell me about a conflict in your team.", "behavioral", Kind.BEHAVIORAL, None),
}


def question(name: str, **changes: object) -> Question:
    text, topic, kind, level = TEXTS[name]
    made = Question(
        id=name, text=text, spoken=text, topic=topic, kind=kind, level=level, source=Source(path="a.md", line=1)
    )
    return made.model_copy(update=changes)


def ids(index: QuestionIndex) -> list[str]:
    return [held.id for held in index.questions()]


class Counting:
    """The real embedder, with the texts it was given written down."""

    def __init__(self, inner: Embedder, name: str | None = None) -> None:
        self.inner = inner
        self.name = name or inner.name
        self.dim = inner.dim
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> FloatArray:
        self.texts += texts
        return self.inner.embed(texts)

    embed_documents = embed


@pytest.fixture
def counting(embedder: SentenceTransformerEmbedder) -> Counting:
    return Counting(embedder)


@pytest.fixture
def index(tmp_path: Path, counting: Counting) -> QuestionIndex:
    made = QuestionIndex.open(tmp_path / "index", counting)
    made.replace("one", [question("leaf"), question("ddp")])
    made.replace("two", [question("lru"), question("team")])
    return made


def generation(folder: Path) -> Path:
    return folder / (folder / "CURRENT").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TEXTS)
def test_its_own_text_finds_a_question_first_with_cosine_one(index: QuestionIndex, name: str) -> None:
    hits = index.search(TEXTS[name][0], 4)
    assert hits[0].question == question(name)
    assert hits[0].score == pytest.approx(1.0, abs=1e-4)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len({hit.question.id for hit in hits}) == 4


def test_other_words_find_it_too(index: QuestionIndex) -> None:
    assert index.search("my activations have no grad after the backward pass", 1)[0].question.id == "leaf"


def test_the_best_chunk_of_a_long_reference_counts(index: QuestionIndex) -> None:
    reference = "Nothing of interest here.\n" * 80 + "Penguins huddle together against the cold of the Antarctic.\n"
    index.replace("three", [question("team", id="long", reference=reference)])
    (hit,) = index.search("penguins huddle in the Antarctic cold", 1)
    assert hit.question.id == "long"
    assert hit.similarity > 0.5


def test_filters(index: QuestionIndex) -> None:
    def found(**filters: object) -> set[str]:
        return {hit.question.id for hit in index.search("anything", 9, **filters)}  # type: ignore[arg-type]

    assert found() == set(TEXTS)
    assert found(topics=("autograd", "algorithms")) == {"leaf", "lru"}
    assert found(kinds=(Kind.CONCEPT,)) == {"leaf", "ddp"}
    assert found(levels=(Level.MID,)) == {"leaf", "lru"}
    assert found(exclude=frozenset({"leaf", "ddp", "lru"})) == {"team"}
    assert found(topics=("autograd",), kinds=(Kind.CODING,)) == set()
    assert index.search("anything", 0) == []


def test_filters_by_source_and_by_several_levels(index: QuestionIndex) -> None:
    index.replace("three", [question("team", id="other", level=Level.STAFF, text="Who leads?", spoken="Who leads?")])

    def found(**filters: object) -> set[str]:
        return {hit.question.id for hit in index.search("anything", 9, **filters)}  # type: ignore[arg-type]

    assert found(sources=("two",)) == {"lru", "team"}
    assert found(sources=("one", "three"), levels=(Level.STAFF, Level.SENIOR)) == {"ddp", "other"}
    assert found(sources=("nowhere",)) == set()
    assert found(topics=("nothing",)) == set()


@given(
    chosen=st.sets(st.sampled_from(list(TEXTS))),
    kinds=st.sets(st.sampled_from(list(Kind))),
    topics=st.sets(st.sampled_from([topic for _, topic, _, _ in TEXTS.values()])),
    k=st.integers(1, 6),
)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_filters_give_as_many_as_there_are(
    index: QuestionIndex, chosen: set[str], kinds: set[Kind], topics: set[str], k: int
) -> None:
    fitting = {
        name
        for name, (_, topic, kind, _) in TEXTS.items()
        if name not in chosen and (not kinds or kind in kinds) and (not topics or topic in topics)
    }
    hits = index.search("anything", k, kinds=kinds, topics=topics, exclude=chosen)
    assert len(hits) == min(k, len(fitting))
    assert {hit.question.id for hit in hits} <= fitting


def test_an_identifier_finds_what_its_meaning_does_not(index: QuestionIndex) -> None:
    text = "Which call tells you the ZQ_lookup_token of a run?"
    index.replace("three", [question("team", id="token", text=text, spoken=text)])
    assert index.search("zq_lookup_token", 1)[0].question.id == "token"


SAME = "How do replicas stay in step in data parallel training?"
ANSWER = "Every replica averages its gradients with an all-reduce, so that all of them make the same step."


@pytest.fixture
def twice(index: QuestionIndex) -> QuestionIndex:
    """An index in which two documents ask the same, the second with the longer answer."""
    longer = f"{ANSWER} It is done in buckets while backward still runs."
    index.replace("one", [question("leaf"), question("ddp", reference=ANSWER)])
    index.replace("three", [question("ddp", id="again", text=SAME, spoken=SAME, reference=longer, topic="performance")])
    return index


def test_what_two_documents_ask_is_one_question_with_two_references(twice: QuestionIndex) -> None:
    assert {held.id for held in twice.leads()} == {"leaf", "lru", "team", "again"}
    assert {held.id for held in twice.questions()} == {*TEXTS, "again"}
    references = twice.references("ddp")
    assert references == twice.references("again")
    assert [(reference.question_id, reference.text[:5]) for reference in references] == [
        ("again", "Every"),
        ("ddp", "Every"),
    ]
    assert references[0].likeness == 1.0 > references[1].likeness > 0.5
    assert [reference.question_id for reference in twice.references("leaf")] == ["leaf"]
    with pytest.raises(KeyError):
        twice.references("nope")


def test_a_cluster_is_found_by_the_words_of_any_of_it_and_shown_once(twice: QuestionIndex) -> None:
    hits = twice.search(TEXTS["ddp"][0], 9)
    assert hits[0].question.id == "again"
    assert hits[0].similarity == pytest.approx(1.0, abs=1e-4)
    assert "ddp" not in {hit.question.id for hit in hits}
    assert twice.get("ddp").id == "ddp"


def test_filters_and_clusters(twice: QuestionIndex) -> None:
    def found(**filters: object) -> set[str]:
        return {hit.question.id for hit in twice.search("anything", 9, **filters)}  # type: ignore[arg-type]

    assert found(sources=("one",)) == {"leaf", "again"}
    assert found(exclude={"ddp"}) == {"leaf", "lru", "team"}
    assert found(topics=("distributed",)) == set()
    assert found(topics=("performance",)) == {"again"}


def test_clusters_follow_the_documents(twice: QuestionIndex) -> None:
    twice.replace("three", [])
    assert {held.id for held in twice.leads()} == set(TEXTS)
    assert [reference.question_id for reference in twice.references("ddp")] == ["ddp"]


def test_near_questions_are_known_by_id_and_by_words(twice: QuestionIndex) -> None:
    assert twice.near(twice.get("ddp")) == {"again"}
    assert twice.near(twice.get("leaf")) == frozenset()
    gone = question("ddp", id="gone", text=SAME, spoken=SAME)
    assert twice.near(gone) == {"again", "ddp"}


def test_without_the_model_nothing_is_near(tmp_path: Path) -> None:
    index = QuestionIndex.open(tmp_path / "index", SentenceTransformerEmbedder(tmp_path / "none"))
    index.replace("one", [question("leaf"), question("ddp")])
    assert index.near(question("leaf")) == frozenset()
    assert index.near(question("team")) == frozenset()
    assert {held.id for held in index.leads()} == {"leaf", "ddp"}


def test_an_empty_index_finds_nothing(tmp_path: Path, counting: Counting) -> None:
    index = QuestionIndex.open(tmp_path / "index", counting)
    assert index.search("anything", 3) == []
    assert index.leads() == ()


def test_get_knows_ids_and_nothing_else(index: QuestionIndex) -> None:
    assert index.get("lru") == question("lru")
    with pytest.raises(KeyError):
        index.get("nope")


def test_replace_touches_its_own_source_only_and_embeds_only_that(index: QuestionIndex, counting: Counting) -> None:
    counting.texts.clear()
    index.replace("one", [question("leaf", id="new", text="What is a view?", spoken="What is a view?")])
    assert ids(index) == ["new", "lru", "team"]
    assert counting.texts == ["What is a view?"]
    assert index.search("What is a view?", 1)[0].question.id == "new"
    assert "leaf" not in {hit.question.id for hit in index.search(TEXTS["leaf"][0], 9)}


def test_the_same_questions_again_cost_nothing(index: QuestionIndex, counting: Counting, tmp_path: Path) -> None:
    before = generation(tmp_path / "index")
    counting.texts.clear()
    index.replace("one", [question("leaf"), question("ddp")])
    assert counting.texts == []
    assert generation(tmp_path / "index") == before


def test_no_questions_remove_a_source(index: QuestionIndex) -> None:
    index.replace("one", [])
    assert index.sources() == ("two",)
    assert ids(index) == ["lru", "team"]


def test_reopened_it_is_the_same_and_embeds_nothing(index: QuestionIndex, counting: Counting, tmp_path: Path) -> None:
    expected = index.search("team", 4)
    counting.texts.clear()
    again = QuestionIndex.open(tmp_path / "index", counting)
    assert again.questions() == index.questions()
    assert counting.texts == []
    assert [hit.question.id for hit in again.search("team", 4)] == [hit.question.id for hit in expected]


def test_what_another_process_adds_is_seen(index: QuestionIndex, counting: Counting, tmp_path: Path) -> None:
    other = QuestionIndex.open(tmp_path / "index", counting)
    other.replace("three", [question("team", id="third")])
    assert "third" in ids(index)
    index.replace("four", [question("team", id="fourth")])
    assert {"third", "fourth"} <= {held.id for held in other.questions()}


@pytest.mark.parametrize("name", ["index.faiss", "manifest.json"])
@pytest.mark.parametrize("data", [b"", b"garbage", None])
def test_damaged_vectors_are_made_again(
    index: QuestionIndex,
    counting: Counting,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    name: str,
    data: bytes | None,
) -> None:
    path = generation(tmp_path / "index") / name
    path.unlink() if data is None else path.write_bytes(data)
    counting.texts.clear()
    with caplog.at_level(logging.WARNING):
        again = QuestionIndex.open(tmp_path / "index", counting)
    assert "damaged" in caplog.text
    assert again.questions() == index.questions()
    assert again.search(TEXTS["ddp"][0], 1)[0].question.id == "ddp"
    assert len(counting.texts) == 5
    counting.texts.clear()
    QuestionIndex.open(tmp_path / "index", counting).search("x", 1)
    assert counting.texts == ["x"]


def test_damaged_questions_begin_empty_and_say_so(
    index: QuestionIndex, counting: Counting, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (generation(tmp_path / "index") / "library.json").write_text("[{", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        again = QuestionIndex.open(tmp_path / "index", counting)
    assert "damaged and begins empty" in caplog.text
    assert again.questions() == ()
    again.replace("one", [question("leaf")])
    assert ids(QuestionIndex.open(tmp_path / "index", counting)) == ["leaf"]


def test_a_pointer_to_nowhere_begins_empty(index: QuestionIndex, counting: Counting, tmp_path: Path) -> None:
    (tmp_path / "index" / "CURRENT").write_bytes(b"\xff../../etc")
    assert QuestionIndex.open(tmp_path / "index", counting).questions() == ()


def test_another_model_is_rebuilt(
    index: QuestionIndex, embedder: SentenceTransformerEmbedder, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = Counting(embedder, "another-model")
    with caplog.at_level(logging.WARNING):
        again = QuestionIndex.open(tmp_path / "index", other)
    assert "another-model" in caplog.text
    assert again.search(TEXTS["lru"][0], 1)[0].question.id == "lru"
    manifest = json.loads((generation(tmp_path / "index") / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["model"], manifest["dim"]) == ("another-model", 384)


def test_another_format_is_rebuilt(
    index: QuestionIndex, counting: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_store, "FORMAT", 99)
    counting.texts.clear()
    QuestionIndex.open(tmp_path / "index", counting).search("x", 1)
    assert len(counting.texts) == 5


def test_without_the_model_questions_are_kept_and_searchable_later(
    tmp_path: Path, embedder: SentenceTransformerEmbedder
) -> None:
    folder = tmp_path / "later" / embedder.name
    absent = SentenceTransformerEmbedder(folder)
    index = QuestionIndex.open(tmp_path / "index", absent)
    index.replace("one", [question("leaf"), question("ddp")])
    assert ids(QuestionIndex.open(tmp_path / "index", absent)) == ["leaf", "ddp"]
    with pytest.raises(ModelMissingError):
        index.search("x", 1)
    folder.parent.mkdir()
    folder.symlink_to(embedder._folder)
    assert index.search(TEXTS["ddp"][0], 1)[0].question.id == "ddp"


def test_a_disk_that_refuses_loses_nothing(
    index: QuestionIndex, counting: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(disk_store, "_write", full)
        with pytest.raises(StorageError, match="No space left on device"):
            index.replace("one", [])
    assert ids(index) == list(TEXTS)
    assert ids(QuestionIndex.open(tmp_path / "index", counting)) == list(TEXTS)
    assert len(list((tmp_path / "index").glob("gen-*"))) == 1


def test_searches_go_on_while_a_source_is_replaced(index: QuestionIndex) -> None:
    stop = threading.Event()
    failures: list[object] = []

    def search() -> None:
        while not stop.is_set():
            hits = index.search(TEXTS["leaf"][0], 3)
            if not hits or hits[0].question.id != "leaf":
                failures.append(hits)

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for n in range(5):
        index.replace("three", [question("team", id=f"team-{n}")])
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []


def test_vectors_on_disk_have_length_one(index: QuestionIndex, tmp_path: Path, counting: Counting) -> None:
    rows = disk_store.load(tmp_path / "index", counting.name).vectors
    assert rows.shape == (4, 384)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_a_source_that_changed_keeps_the_vectors_of_what_did_not(index: QuestionIndex, counting: Counting) -> None:
    counting.texts.clear()
    index.replace("one", [question("ddp"), question("leaf"), question("lru", id="new", text="Why?", spoken="Why?")])
    assert counting.texts == ["Why?"]
    for name in ("leaf", "ddp"):
        assert index.search(TEXTS[name][0], 1)[0].score == pytest.approx(1.0, abs=1e-4)
