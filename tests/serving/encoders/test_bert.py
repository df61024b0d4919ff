"""The encoder computed in torch alone gives what the library gives, and brings no library with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from serving.encoders import bert
from serving.encoders.cross_encoder import LONGEST, unfitted
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder, published
from serving.errors import ModelMissingError
from serving.models.catalogue import ensure_embedder

TEXTS = [
    "",
    "The gradient of a leaf is accumulated in its grad.",
    "word " * 600,
    "Zażółć 漢字 🙂 <script>",
    *(f"Statement {number}: " + "loss " * number for number in range(60)),
]


def test_vectors_are_those_of_sentence_transformers() -> None:
    folder = ensure_embedder()
    ours = SentenceTransformerEmbedder(folder).embed(TEXTS)
    theirs = published(folder).encode(TEXTS, normalize_embeddings=True, show_progress_bar=False)
    assert np.abs(ours - theirs).max() < 1e-5


def test_states_of_pairs_are_those_of_transformers() -> None:
    folder = ensure_embedder()
    pairs = [(first, second) for first, second in zip(TEXTS, reversed(TEXTS), strict=True) if first and second]
    model = unfitted(folder)
    with torch.inference_mode():
        theirs = torch.cat([model.logits([pair]) for pair in pairs])
        ours = model.last(bert.load_bert(folder, LONGEST).means(pairs))
    assert float((ours - theirs).abs().max()) < 1e-5


@pytest.mark.parametrize("at_once", [1, 300])
def test_how_many_are_computed_at_a_time_changes_nothing(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model = bert.load_bert(ensure_embedder(), 64)
    whole = model.means(TEXTS)
    monkeypatch.setattr(bert, "TOKENS", at_once)
    assert float((model.means(TEXTS) - whole).abs().max()) < 1e-5


def test_what_is_rounded_is_computed_in_few_shapes() -> None:
    """A shape once computed in bfloat16 is never given back."""
    model = bert.load_bert(ensure_embedder(), 128)
    shapes: set[tuple[int, ...]] = set()
    model.register_forward_pre_hook(lambda _, given: shapes.add(tuple(given[0].shape)))
    batches = [
        [f"Statement {number}: " + "loss " * length for number in range(count)]
        for count in (1, 3, 5, 7, 8)
        for length in range(1, 60, 3)
    ]
    exact = torch.cat([model.means(batch) for batch in batches])
    assert len(shapes) == len(batches)
    shapes.clear()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        rounded = torch.cat([model.means(batch) for batch in batches])
    assert {rows for rows, _ in shapes} == {4, 8}
    assert len(shapes) <= 2 * 5
    assert float(torch.nn.functional.cosine_similarity(rounded, exact).min()) > 0.999


@pytest.mark.parametrize(("load", "texts", "threads"), [(0.5, 3, 2), (9.0, 3, 1), (9.0, 30, 2)])
def test_a_few_texts_take_one_thread_where_the_machine_is_busy(
    load: float, texts: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = bert.load_bert(ensure_embedder(), 64)
    used: list[int] = []
    model.register_forward_pre_hook(lambda *_: used.append(torch.get_num_threads()))
    monkeypatch.setattr(os, "getloadavg", lambda: (load, load, load))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        model.means(["A gradient."] * texts)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert set(used) == {threads}


def test_where_the_load_is_not_known_texts_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> tuple[float, float, float]:
        raise OSError

    monkeypatch.setattr(os, "getloadavg", unknown)
    assert bert.load_bert(ensure_embedder(), 64).means(["A gradient."]).shape == (1, 384)


def test_it_brings_none_of_the_libraries_that_it_does_without() -> None:
    program = (
        "import sys; from serving.encoders.sentence_encoder import SentenceTransformerEmbedder as Embedder\n"
        "from serving.models.catalogue import ensure_embedder\n"
        "Embedder(ensure_embedder()).embed(['a b'])\n"
        "print([n for n in ('transformers', 'sentence_transformers', 'sklearn', 'torch._dynamo') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")


def broken(folder: Path, file: str, content: str) -> Path:
    """A copy of the model with another content in one file."""
    for each in ensure_embedder().rglob("*"):
        target = folder / each.relative_to(ensure_embedder())
        if each.is_dir():
            target.mkdir()
        elif each.relative_to(ensure_embedder()) != Path(file):
            target.symlink_to(each)
        else:
            target.write_text(content)
    return folder


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("modules.json", "[]]"),
        ("config.json", "[]"),
        ("config.json", json.dumps({"model_type": "bert", "hidden_act": "gelu"})),
        ("tokenizer.json", "{}"),
        ("model.safetensors", "no weights"),
        ("sentence_bert_config.json", "{}"),
    ],
)
def test_a_damaged_model_is_told(tmp_path: Path, file: str, content: str) -> None:
    with pytest.raises(ModelMissingError, match="cannot be read"):
        SentenceTransformerEmbedder(broken(tmp_path, file, content)).embed(["a"])


def test_a_model_of_another_kind_is_left_to_the_library(tmp_path: Path) -> None:
    config = json.loads((ensure_embedder() / "config.json").read_text())
    folder = broken(tmp_path, "config.json", json.dumps(config | {"hidden_act": "relu"}))
    assert not bert.is_bert(folder)
    assert SentenceTransformerEmbedder(folder).embed(["a b"]).shape == (1, 384)
