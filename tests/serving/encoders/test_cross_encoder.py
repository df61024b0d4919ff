"""Pairs read with rounded weights are read nearly as exactly: they choose what a judge reads."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from knowledge.bank.parser import load_bank
from rubric.fitted_weights import CROSS_ENCODER
from serving.encoders import sentence_encoder
from serving.encoders.cross_encoder import RELATIONS, FittedCrossEncoder, RoundedCrossEncoder
from serving.models.catalogue import ensure_embedder

PAIRS = [
    (point.text, said)
    for question in load_bank()[:40:10]
    for point in (question.rubric.criteria if question.rubric else ())
    for said in (point.examples.met[0], point.examples.near[0], point.examples.contradicted[0])
]


@pytest.fixture(scope="module")
def fitted() -> FittedCrossEncoder:
    return FittedCrossEncoder(ensure_embedder(), CROSS_ENCODER)


def test_what_is_said_is_read_beside_the_point(fitted: FittedCrossEncoder) -> None:
    told = np.exp(fitted.read(PAIRS))
    assert told.sum(axis=1) == pytest.approx(1.0, abs=1e-4)
    met, _, contradicted = (told[start::3].mean(axis=0) for start in range(3))
    assert RELATIONS[int(met.argmax())] == "same"
    assert RELATIONS[int(contradicted.argmax())] == "opposite"


def test_rounding_moves_no_probability_far(fitted: FittedCrossEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_encoder, "multiplies_bfloat16", lambda: True)
    moved = np.abs(np.exp(RoundedCrossEncoder(fitted).read(PAIRS)) - np.exp(fitted.read(PAIRS)))
    assert 0 < moved.max() < 0.05
    assert moved.mean() < 0.01


def test_a_processor_that_would_lose_time_rounds_nothing(
    fitted: FittedCrossEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentence_encoder, "multiplies_bfloat16", lambda: False)
    monkeypatch.setattr(torch, "autocast", lambda *_, **__: pytest.fail("it rounded"))
    assert np.array_equal(fitted.read_rounded(PAIRS[:5]), fitted.read(PAIRS[:5]))
