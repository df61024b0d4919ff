"""Fitting the cross-encoder, and the one that is committed."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rubric.fitted_weights import ADAPTER, CROSS_ENCODER
from rubric.training import fit_cross_encoder
from rubric.training.statement_pairs import OPPOSITE, SAME
from serving.encoders.cross_encoder import FittedCrossEncoder
from serving.errors import ModelMissingError
from serving.models.adapter import version_of
from serving.models.catalogue import ensure_embedder
from tests.rubric.training.test_fit_sentence_encoder import bank_groups


def margin(reader, data):
    """How much likelier "same" is than "opposite" for two statements that meet a criterion, than for opposed ones."""
    same = [(group.met[0], text) for group in data for text in group.met[-2:]]
    opposed = [(group.met[0], text) for group in data for text in group.contradicted[-2:]]
    agreeing, opposing = (rows[:, SAME] - rows[:, OPPOSITE] for rows in map(reader.read, (same, opposed)))
    return float(agreeing.mean() - opposing.mean())


@pytest.mark.by_number("rubric/training")
def test_fitting_teaches_to_tell_statements_from_their_opposites(tmp_path, monkeypatch):
    monkeypatch.setattr(fit_cross_encoder, "STEPS", 6)
    monkeypatch.setattr("rubric.training.statement_pairs.BATCH", 8)
    monkeypatch.setattr("rubric.training.statement_pairs.BUCKET", 2)
    monkeypatch.setattr(fit_cross_encoder, "LEARNING_RATE", 6e-4)
    data, target, told = bank_groups()[:2], tmp_path / "cross.npz", []
    fit_cross_encoder.fit(ensure_embedder(), data, target, lambda done, of, loss: told.append((done, of, loss)))
    assert [done for done, _, _ in told] == list(range(1, 7))
    assert margin(FittedCrossEncoder(ensure_embedder(), target), data) > 0.05
    assert json.loads(target.with_suffix(".json").read_text())["criteria"] == 2


def test_the_committed_one_tells_statements_from_their_opposites():
    reader = FittedCrossEncoder(ensure_embedder(), CROSS_ENCODER)
    assert margin(reader, bank_groups()[::80]) > 1.0
    note = json.loads(CROSS_ENCODER.with_suffix(".json").read_text())
    assert note["weights_sha256"].startswith(version_of(CROSS_ENCODER))


def test_pairs_are_read_alike_in_any_company():
    reader = FittedCrossEncoder(ensure_embedder(), CROSS_ENCODER)
    pairs = [("Only leaves keep it.", "leaves do"), ("Only leaves keep it.", "every tensor does, " * 30), ("", "")]
    rows = reader.read(pairs)
    assert np.exp(rows).sum(axis=1) == pytest.approx([1, 1, 1], abs=1e-4)
    for pair, row in zip(pairs, rows, strict=True):
        assert reader.read([pair])[0] == pytest.approx(row, abs=1e-3)
    assert reader.read([]).shape == (0, 3)


def test_what_is_no_cross_encoder_is_told(tmp_path):
    with pytest.raises(ModelMissingError, match="holds no cross-encoder"):
        FittedCrossEncoder(ensure_embedder(), ADAPTER).read([("a", "b")])
    with pytest.raises(ModelMissingError, match="cannot be read"):
        FittedCrossEncoder(tmp_path, CROSS_ENCODER).read([("a", "b")])
