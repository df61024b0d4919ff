"""Changes to an encoder's weights: small on disk, exact enough, and only for the model they were made for."""

import numpy as np
import pytest
import torch

from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.errors import ModelMissingError
from serving.models import adapter
from serving.models.catalogue import ensure_embedder


def test_changes_come_back_almost_as_they_were(tmp_path):
    rng = np.random.default_rng(0)
    changes = {"weight": rng.normal(size=(7, 5)).astype(np.float32), "bias": rng.normal(size=7).astype(np.float32)}
    adapter.save(tmp_path / "a.npz", changes)
    loaded = adapter.load(tmp_path / "a.npz")
    assert loaded.keys() == changes.keys()
    for name, change in changes.items():
        assert np.abs(loaded[name] - change).max() < 0.03 * np.abs(change).max()


def test_of_a_matrix_the_part_of_low_rank_is_kept(tmp_path):
    rng = np.random.default_rng(1)
    low = rng.normal(size=(40, 3)) @ rng.normal(size=(3, 30))
    noisy = (low + 0.01 * rng.normal(size=low.shape)).astype(np.float32)
    adapter.save(tmp_path / "a.npz", {"weight": noisy}, rank=3)
    kept = adapter.load(tmp_path / "a.npz")["weight"]
    assert np.abs(kept - low).max() < 0.05 * np.abs(low).max()
    adapter.save(tmp_path / "b.npz", {"weight": noisy}, rank=1)
    assert np.abs(adapter.load(tmp_path / "b.npz")["weight"] - low).max() > 0.2 * np.abs(low).max()


def test_a_model_is_changed_in_place_and_another_model_is_refused():
    model = torch.nn.Linear(2, 2)
    before = model.weight.detach().clone()
    adapter.add(model, {"weight": np.ones((2, 2), dtype=np.float32)})
    assert torch.equal(model.weight, before + 1)
    with pytest.raises(ModelMissingError, match="another model"):
        adapter.add(model, {"weight": np.ones((3, 2), dtype=np.float32)})
    with pytest.raises(ModelMissingError, match="another model"):
        adapter.add(model, {"other": np.ones(2, dtype=np.float32)})


def test_a_missing_or_broken_file_is_told(tmp_path):
    with pytest.raises(ModelMissingError, match="cannot be read"):
        adapter.load(tmp_path / "none.npz")
    with pytest.raises(ModelMissingError, match="cannot be read"):
        adapter.version_of(tmp_path / "none.npz")
    (tmp_path / "broken.npz").write_bytes(b"no archive")
    with pytest.raises(ModelMissingError, match="cannot be read"):
        adapter.load(tmp_path / "broken.npz")


def test_an_adapted_encoder_is_another_encoder(tmp_path, embedder):
    folder = ensure_embedder()
    name, shape = "encoder.layer.0.attention.output.dense.bias", (embedder.dim,)
    adapter.save(tmp_path / "a.npz", {name: np.full(shape, 0.5, dtype=np.float32) * np.arange(embedder.dim)})
    changed = SentenceTransformerEmbedder(folder, tmp_path / "a.npz")
    assert changed.name == f"{embedder.name}+{adapter.version_of(tmp_path / 'a.npz')}"
    texts = ["Only leaves keep their gradient."]
    assert not np.allclose(changed.embed(texts), embedder.embed(texts), atol=1e-3)


def test_a_matrix_without_one_of_its_factors_is_refused(tmp_path):
    adapter.save(tmp_path / "a.npz", {"weight": np.ones((4, 3), dtype=np.float32)})
    with np.load(tmp_path / "a.npz") as stored:
        np.savez(tmp_path / "half.npz", **{name: stored[name] for name in stored.files if "right" not in name})
    with pytest.raises(ModelMissingError, match="cannot be read"):
        adapter.load(tmp_path / "half.npz")


def test_names_are_put_behind_a_prefix(tmp_path):
    adapter.save(
        tmp_path / "a.npz", {"weight": np.ones((4, 3), dtype=np.float32), "bias": np.ones(3, dtype=np.float32)}
    )
    loaded, prefixed = adapter.load(tmp_path / "a.npz"), adapter.load(tmp_path / "a.npz", "model.")
    assert len(prefixed) == 2
    assert all((prefixed["model." + name] == change).all() for name, change in loaded.items())
