from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from serving.arrays import FloatArray
from serving.encoders import compute_thread, sentence_encoder
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.errors import ModelMissingError


def test_rows_have_length_one_and_mean_something(embedder: SentenceTransformerEmbedder) -> None:
    rows = embedder.embed(["a puppy plays in the garden", "a young dog romps outside", "the tax form is due in May"])
    assert rows.shape == (3, embedder.dim)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    assert rows[0] @ rows[1] > 0.5 > rows[0] @ rows[2]


def test_threads_get_the_vectors_of_their_own_texts(embedder: SentenceTransformerEmbedder) -> None:
    texts = [f"statement number {n} about layer {n * 7}" for n in range(12)]
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    with ThreadPoolExecutor(4) as pool:
        together = np.concatenate(list(pool.map(lambda text: embedder.embed([text]), texts)))
    assert np.allclose(alone, together, atol=1e-5)


@pytest.mark.parametrize("able", [False, True])
def test_the_texts_of_an_index_get_the_same_vectors_rounded_where_that_is_faster(
    able: bool, embedder: SentenceTransformerEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentence_encoder, "multiplies_bfloat16", lambda: able)
    texts = [f"layer {n} keeps the gradient of step {n * 7} in half precision" for n in range(12)]
    exact, index = embedder.embed(texts), embedder.embed_documents(texts)
    assert index.dtype == np.float32
    assert np.all((exact * index).sum(axis=1) > 0.999)
    assert np.allclose(exact, index, atol=1e-5) is not able
    assert np.allclose(embedder.embed(texts), exact, atol=1e-5)


def test_no_texts_give_no_rows(embedder: SentenceTransformerEmbedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dim)


def test_an_empty_folder_is_a_missing_model_and_may_be_filled_later(
    tmp_path: Path, embedder: SentenceTransformerEmbedder
) -> None:
    later = SentenceTransformerEmbedder(tmp_path / embedder.name)
    with pytest.raises(ModelMissingError, match=embedder.name):
        later.embed(["anything"])
    with pytest.raises(ModelMissingError):
        _ = later.dim
    (tmp_path / embedder.name).symlink_to(embedder._folder)
    assert later.embed(["anything"]).shape == (1, embedder.dim)


def test_a_damaged_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text("[", encoding="utf-8")
    with pytest.raises(ModelMissingError, match=str(tmp_path)):
        SentenceTransformerEmbedder(tmp_path).embed(["anything"])


def test_many_texts_leave_others_their_turn_and_come_in_their_order(
    embedder: SentenceTransformerEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def counted(call: Callable[[], FloatArray], size: int) -> FloatArray:
        rows = call()
        assert size == len(rows)
        calls.append(size)
        return rows

    texts = [f"text {number} " + "long " * (number % 7) for number in range(300)]
    whole = embedder.embed(texts)
    monkeypatch.setattr(compute_thread, "compute", counted)
    assert np.abs(embedder.embed(texts) - whole).max() < 1e-5
    whole_calls, rest = divmod(len(texts), compute_thread.AT_ONCE)
    assert calls == [compute_thread.AT_ONCE] * whole_calls + [rest]
    assert np.abs(embedder.embed(texts[250:251]) - whole[250]).max() < 1e-5
