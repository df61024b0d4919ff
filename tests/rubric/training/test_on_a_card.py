"""Fitting on any machine with torch: options, no vLLM, and a note of what it was fitted on."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from interviewer.cli.commands import train
from rubric.grading import state_head
from rubric.training import fit_state_head
from rubric.training.made_on import made_on, made_with_torch
from rubric.training.torch_states import TorchStates
from serving.errors import BadInputError
from serving.gpu.probe import VISIBLE
from serving.machine import choose
from serving.models import quantize
from serving.models.dequantize import dense
from serving.progress import silent
from tests.rubric.grading.test_parity import HEAD, samples
from tests.serving.gpu.machines import machine
from tests.serving.models.test_quantize import HIDDEN, tiny_gguf


@pytest.fixture
def without_vllm(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain PyTorch: what imports vLLM fails."""
    for name in [name for name in sys.modules if name.split(".")[0] == "vllm"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "vllm", None)


def test_states_are_computed_by_torch_alone(tmp_path: Path, without_vllm: None) -> None:
    tiny_gguf(tmp_path / "model.gguf")
    quantize.convert(tmp_path / "model.gguf", tmp_path / "int8", layers=2, source_digest="d", progress=silent)
    reader = TorchStates(tmp_path / "int8", 2, "cpu")
    found = reader.states(["abc", "ab", "abc"])
    assert found.shape == (3, HIDDEN)
    assert found.dtype == np.float32
    assert np.array_equal(found[0], found[2])
    assert not np.allclose(found[0], found[1])
    tokens = reader._tokenizer("abc", add_special_tokens=False, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        expected = dense(tmp_path / "int8", 2, "cpu")(input_ids=tokens).last_hidden_state[0, -1].float().numpy()
    assert np.array_equal(found[0], expected)


def test_the_device_is_chosen_before_torch_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VISIBLE, "GPU-0")
    train._use("auto")
    assert os.environ[VISIBLE] == "GPU-0"
    train._use("cpu")
    assert os.environ[VISIBLE] == ""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(BadInputError, match="--device cpu"):
        train._use("cuda")


def test_calibrate_wants_a_folder_and_records_no_comparison_on_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInputError, match="--data"):
        train.calibrate()
    monkeypatch.setenv(VISIBLE, "as before")
    monkeypatch.setattr("serving.machine.inspect", lambda folder: machine("A100"))
    with pytest.raises(BadInputError, match="INTERVIEWER_GPU=no"):
        train.calibrate(only_parity=True)


def test_weights_note_what_they_were_fitted_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_card = made_on(choose(machine("B200")))
    assert (on_card["device"], on_card["format"], on_card["reader"]) == ("NVIDIA B200", "bf16", "vllm")
    assert on_card["torch"] == torch.__version__
    assert made_on(choose(machine("A100")), "torch")["format"] == "bf16"
    assert made_with_torch("cpu")["device"] == "cpu"
    monkeypatch.setattr(fit_state_head, "digest_of", lambda folder: {})
    before = state_head.STATE_HEAD.read_bytes()
    target = tmp_path / "weights" / "state-head-card.npz"
    fit_state_head.save(HEAD, samples(), tmp_path, "model", made_on=on_card, target=target)
    assert json.loads(target.with_suffix(".json").read_text())["made_on"] == on_card
    assert target.is_file()
    assert state_head.STATE_HEAD.read_bytes() == before, "those of the project are as they were"
