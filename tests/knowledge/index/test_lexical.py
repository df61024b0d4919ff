from __future__ import annotations

import threading

import numpy as np
import pytest

from knowledge.index.lexical import RELATED, LexicalIndex, words_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nn.Module", ["nn.module", "nn", "modul"]),
        ("`state_dict`", ["state_dict", "state", "dict"]),
        ("torch.no_grad()", ["torch.no_grad", "torch", "no", "grad"]),
        ("GradScaler", ["gradscaler", "grad", "scaler"]),
        ("DistributedDataParallel", ["distributeddataparallel", "distribut", "data", "parallel"]),
        ("an L R U cache", ["lru", "cach"]),
        ("How do you use schedulers?", ["schedul"]),
        ("W8A8", ["w8a8", "w", "8", "a", "8"]),
        ("Größe der Schrittweite", ["grösse", "der", "schrittweit"]),
        ("!?", []),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    words = words_of(text)
    assert [word for word in words if word != "a"] == [word for word in expected if word != "a"]


def test_other_forms_of_a_word_find_it() -> None:
    index = LexicalIndex(["warming up the learning rates", "gradient clipping", "the attention mask"])
    assert int(np.argmax(index.scores("why warm up the learning rate"))) == 0
    assert int(np.argmax(index.scores("clip gradients"))) == 1


def test_a_whole_identifier_beats_its_parts_spread_over_a_text() -> None:
    index = LexicalIndex(["the state of a dict of weights", "saving a state_dict of weights"])
    scores = index.scores("state_dict")
    assert scores[1] > scores[0] > 0


def test_rare_words_count_more_than_common_ones() -> None:
    index = LexicalIndex(["model warmup", "model", "model", "model"])
    scores = index.scores("model warmup")
    assert scores[0] > 3 * scores[1] > 0


def test_other_names_count_less_than_the_querys_own_words_and_only_where_they_differ() -> None:
    index = LexicalIndex(["the KV cache", "a key-value store", "gradients"])
    alone, name = index.scores("KV cache"), index.scores("key-value")
    both = index.scores("KV cache", ["KV cache", "key value cache", "key-value"])
    assert both == pytest.approx(alone + RELATED * name)
    assert alone[1] == 0 < both[1] < name[1]
    assert index.scores("KV cache", ["KV caches"]) == pytest.approx(alone)


@pytest.mark.parametrize("texts", [[], [""], ["the of and"], ["", "gradient"]])
def test_empty_texts_score_nothing(texts: list[str]) -> None:
    scores = LexicalIndex(texts).scores("attention")
    assert scores.shape == (len(texts),)
    assert not scores.any()


def test_a_query_without_known_words_scores_nothing() -> None:
    assert not LexicalIndex(["gradient"]).scores("the").any()
    assert not LexicalIndex(["gradient"]).scores("").any()


def test_it_may_be_asked_from_many_threads() -> None:
    index = LexicalIndex([f"tensors number {n} schedulers" for n in range(50)])
    expected = index.scores("scheduling tensor 7")
    wrong: list[object] = []

    def ask() -> None:
        for _ in range(50):
            if not np.array_equal(index.scores("scheduling tensor 7"), expected):
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
