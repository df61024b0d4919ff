"""Fits the calibration of a judge by prompt to labeled answers (``make grade-bench MODEL=…``)."""

from __future__ import annotations

import numpy as np

from rubric.grading.judges.structured_choice import chosen
from rubric.grading.prompt_calibration import Calibration, Weights
from rubric.grading.state_head import CLASSES, Linear, softmax
from rubric.grading.uncertainty import fit_spread
from rubric.training.fit_state_head import CREDIT, FOLDS, SIGNAL_STRENGTH, Mask, Table, regression
from rubric.training.labeled_answers import folds
from serving.arrays import FloatArray


def fit(model: str, odds: FloatArray, data: Table) -> Calibration:
    """The calibration fitted to all samples.

    Args:
        model: the name that its server gives it.
        odds: log-odds of "makes this point" and of "says the opposite", less the prior, [n, 2].
        data: the samples, most of them with example statements; their states are not used.

    """
    with_text, with_examples = _parts(odds, data, np.ones(len(data.labels), dtype=np.bool_))
    credit = held_out(odds, data) @ CREDIT
    spread = fit_spread(credit, CREDIT[data.labels], data.credit_weights, data.answers)
    return Calibration(
        model=model,
        with_text=Weights.of(with_text),
        with_examples=Weights.of(with_examples),
        spread=spread,
        asked="choice" if chosen(odds) else "odds",
    )


def held_out(odds: FloatArray, data: Table, count: int = FOLDS) -> FloatArray:
    """Probabilities for every sample from a calibration fitted without its question, [n, 4]."""
    chances = np.zeros((len(data.labels), len(CLASSES)), dtype=np.float32)
    told = ~np.isnan(data.examples[:, 0])
    fold = np.array(folds(data.questions, count))
    for number in np.unique(fold):
        test = fold == number
        with_text, with_examples = _parts(odds, data, ~test)
        plain = np.concatenate([odds, data.text], axis=1)
        chances[test] = softmax(with_text.logits(plain[test]))
        if (test & told).any():
            full = np.concatenate([plain, data.examples], axis=1)[test & told]
            chances[test & told] = softmax(with_examples.logits(full))
    return chances


def left_out(features: FloatArray, data: Table, strength: float = 1.0, count: int = FOLDS) -> FloatArray:
    """A baseline: a regression on some features alone, questions left out, [n, 4]."""
    chances = np.zeros((len(data.labels), len(CLASSES)), dtype=np.float32)
    fold = np.array(folds(data.questions, count))
    for number in np.unique(fold):
        train, test = fold != number, fold == number
        part = regression(features[train], data.labels[train], data.weights[train], strength)
        chances[test] = softmax(part.logits(features[test]))
    return chances


def _parts(odds: FloatArray, data: Table, picked: Mask) -> tuple[Linear, Linear]:
    plain = np.concatenate([odds, data.text], axis=1)
    told = picked & ~np.isnan(data.examples[:, 0])
    full = np.concatenate([plain, data.examples], axis=1)
    return (
        regression(plain[picked], data.labels[picked], data.weights[picked], SIGNAL_STRENGTH),
        regression(full[told], data.labels[told], data.weights[told], SIGNAL_STRENGTH),
    )
