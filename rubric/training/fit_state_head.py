"""Fits how the judge weighs what its model says and the signals (``make calibrate``).

Each criterion of each answer is one sample: the state that the judge's model ends its prompt with, the cheap signals,
and the label. The layers and the head that reads the state are fitted before (``rubric.training.reader``); the
regressions that weigh its logits and the signals are fitted here, on questions that neither had seen, so that their
probabilities hold for new questions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression

from rubric.fitted_weights import ADAPTER, CROSS_ENCODER, STATE_HEAD
from rubric.grading import relations, signals, state_head
from rubric.grading.claims import Claims, claims
from rubric.grading.excerpt_prompts import excerpt_states
from rubric.grading.state_head import CLASSES, Head, Linear, softmax
from rubric.grading.uncertainty import fit_spread
from rubric.model import EARNS, Verdict
from rubric.training.labeled_answers import (
    BANK_ANSWERS,
    FURTHER_ANSWERS,
    IN_FIVE_MANNERS,
    RELABELED,
    TO_HELD_OUT_QUESTIONS,
    Answer,
    folds,
)
from serving.arrays import FloatArray
from serving.encoders.cross_encoder import CrossEncoder
from serving.encoders.sentence_encoder import Embedder
from serving.llm.client import StateClient
from serving.models import adapter
from serving.models.catalogue import JUDGE_ADAPTER

FOLDS = 10
"""Parts that the questions are dealt into to measure; each is judged by weights fitted without it."""

CREDIT = np.array([EARNS[verdict] for verdict in CLASSES], dtype=np.float32)
"""What each of ``CLASSES`` earns."""

MANNERED_WEIGHT = 0.25
"""Weight of answers whose manner goes with their mark: enough to meet hostile ones, too little to learn the manner."""

CONTRADICTED_WEIGHT = 1.5
"""Weight of points that an answer contradicts: of 1, 1.25, 1.5, 1.75, and 2 the choice of cross-validation by question
(docs/benchmarks/judge-history.md). Kappa is highest with it, and fewer contradictions are credited."""

SIGNAL_STRENGTH = 0.1
"""Inverse regularization of what weighs, chosen by cross-validation over questions."""


_Row = TypeVar("_Row")
Indices = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class Table(NamedTuple):
    """The samples as arrays, one row a criterion of an answer.

    Attributes:
        states: [n, hidden].
        excerpts: what each criterion was read beside, [n].
        text: ``TEXT_SIGNALS``, [n, 6].
        examples: ``EXAMPLE_SIGNALS``, [n, 14]; NaN where the criterion has none.
        labels: index into ``CLASSES``, [n].
        weights: of the samples when fitting, [n].
        questions: question ids, [n].
        answers: index of the answer, [n].
        credit_weights: the criterion's weight in its rubric, [n].
    """

    states: FloatArray
    excerpts: tuple[tuple[str, ...], ...]
    text: FloatArray
    examples: FloatArray
    labels: Indices
    weights: FloatArray
    questions: tuple[str, ...]
    answers: Indices
    credit_weights: FloatArray

    def rows(self, chosen: Mask) -> Table:
        """The chosen rows."""
        return Table(
            self.states[chosen],
            _of(self.excerpts, chosen),
            self.text[chosen],
            self.examples[chosen],
            self.labels[chosen],
            self.weights[chosen],
            _of(self.questions, chosen),
            self.answers[chosen],
            self.credit_weights[chosen],
        )


def _of(rows: Sequence[_Row], chosen: Mask) -> tuple[_Row, ...]:
    return tuple(row for row, wanted in zip(rows, chosen, strict=True) if wanted)


def joined(one: Table, other: Table) -> Table:
    """The samples of both; the answers of the second are counted on from those of the first."""
    behind = other.answers + (one.answers.max() + 1 if len(one.answers) else 0)
    return Table(
        np.concatenate([one.states, other.states]),
        one.excerpts + other.excerpts,
        np.concatenate([one.text, other.text]),
        np.concatenate([one.examples, other.examples]),
        np.concatenate([one.labels, other.labels]),
        np.concatenate([one.weights, other.weights]),
        one.questions + other.questions,
        np.concatenate([one.answers, behind]),
        np.concatenate([one.credit_weights, other.credit_weights]),
    )


def table(
    answers: Sequence[Answer],
    client: StateClient,
    embedder: Embedder,
    cross_encoder: CrossEncoder,
    progress: Callable[[int, int], None],
) -> Table:
    """Ask the models about every criterion of every answer, of which they get what an interview would give them.

    Args:
        answers: labeled.
        client: gives the states.
        embedder: for the signals.
        cross_encoder: for those of example statements.
        progress: told how many of how many answers are done.
    """
    states, excerpts, text, further = [], [], [], []
    labels, weights, questions, numbers, credit = [], [], [], [], []
    for number, answer in enumerate(answers):
        seen = signals.view(claimed(answer).text, embedder)
        views = relations.views(seen, answer.question, answer.criteria, embedder, cross_encoder)
        words = [found.excerpts for found in views]
        states.append(excerpt_states(client, answer.question, [item.text for item in answer.criteria], words))
        excerpts += words
        for item, found, label in zip(answer.criteria, views, answer.labels, strict=True):
            text.append(found.text)
            none = np.full(len(signals.EXAMPLE_SIGNALS), np.nan, dtype=np.float32)
            further.append(none if found.examples is None else found.examples)
            labels.append(CLASSES.index(label))
            weights.append(MANNERED_WEIGHT if answer.family == "first" else 1.0)
            questions.append(answer.question_id)
            numbers.append(number)
            credit.append(item.weight)
        progress(number + 1, len(answers))
    return Table(
        np.concatenate(states),
        tuple(excerpts),
        np.stack(text),
        np.stack(further),
        np.array(labels),
        np.array(weights, dtype=np.float32),
        tuple(questions),
        np.array(numbers),
        np.array(credit, dtype=np.float32),
    )


def claimed(answer: Answer) -> Claims:
    """What an answer claims; all of it where that is nothing, since such a one is a lesson though never judged."""
    found = claims(answer.text, answer.question)
    return Claims(answer.text, ()) if found.silent else found


def regression(features: FloatArray, labels: Indices, weights: FloatArray, strength: float) -> Linear:
    """A multinomial logistic regression on standardized features.

    Args:
        features: [n, features].
        labels: index into ``CLASSES``, [n]; every class must occur.
        weights: of the samples, [n].
        strength: inverse of the L2 regularization.
    """
    mean, scale = features.mean(axis=0), features.std(axis=0) + 1e-6
    model = LogisticRegression(C=strength, max_iter=2000, tol=1e-4)
    model.fit((features - mean) / scale, labels, sample_weight=weights)
    parts = (mean, scale, model.coef_, model.intercept_)
    return Linear(*(part.astype(np.float32) for part in parts))


def fit(data: Table, before: Head) -> Head:
    """Fit the regressions that weigh, and how wide the intervals of scores have to be.

    Args:
        data: samples of questions that the layers and the head of the state have not seen.
        before: whose head reads the states.

    """
    logits = before.state.logits(data.states)
    with_text, with_examples = _weigh(data, logits)
    credit = held_out(data, logits, with_examples=False) @ CREDIT
    spread = fit_spread(credit, CREDIT[data.labels], data.credit_weights, data.answers)
    return Head(before.state, with_text, with_examples, spread, "unsaved")


def _weigh(data: Table, logits: FloatArray) -> tuple[Linear, Linear]:
    """The regressions that weigh logits [n, 4] and signals: without and with example statements."""
    plain = np.concatenate([logits, data.text], axis=1)
    opposed = data.labels == CLASSES.index(Verdict.CONTRADICTED)
    weights = data.weights * np.where(opposed, CONTRADICTED_WEIGHT, 1.0).astype(np.float32)
    with_text = regression(plain, data.labels, weights, SIGNAL_STRENGTH)
    has = ~np.isnan(data.examples[:, 0])
    full = np.concatenate([plain, data.examples], axis=1)[has]
    return with_text, regression(full, data.labels[has], weights[has], SIGNAL_STRENGTH)


def predict(fitted: Head, data: Table) -> FloatArray:
    """Probabilities of the four verdicts, [n, 4]."""
    rows = [None if np.isnan(row[0]) else row for row in data.examples]
    return fitted.probabilities(data.states, data.text, rows)


def held_out(data: Table, logits: FloatArray, *, with_examples: bool = True) -> FloatArray:
    """Probabilities for every sample from regressions fitted without its question, [n, 4].

    Args:
        data: samples of questions that the layers and the head of the state have not seen.
        logits: of their states, [n, 4].
        with_examples: whether the criteria are judged with their example statements, where they have any.

    """
    chances = np.zeros((len(data.labels), len(CLASSES)), dtype=np.float32)
    fold = np.array(folds(data.questions, FOLDS))
    for number in range(FOLDS):
        train, test = fold != number, fold == number
        if not test.any():
            continue
        with_text, with_statements = _weigh(data.rows(train), logits[train])
        plain = np.concatenate([logits, data.text], axis=1)
        chances[test] = softmax(with_text.logits(plain[test]))
        told = test & ~np.isnan(data.examples[:, 0])
        if with_examples and told.any():
            full = np.concatenate([plain[told], data.examples[told]], axis=1)
            chances[told] = softmax(with_statements.logits(full))
    return chances


def digest_of(folder: Path) -> dict[str, str]:
    """SHA-256 of the files that are fitted on, our own answers to the bank included."""
    given = [folder / name for name in ("graded_answers.jsonl", "example_statements.jsonl", FURTHER_ANSWERS)]
    there = [
        path for path in (*given, BANK_ANSWERS, IN_FIVE_MANNERS, TO_HELD_OUT_QUESTIONS, RELABELED) if path.is_file()
    ]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in there}


def save(
    fitted: Head,
    data: Table,
    folder: Path,
    model: str,
    *,
    made_on: Mapping[str, str] | None = None,
    target: Path = STATE_HEAD,
) -> None:
    """Write the weights, and beside them what they were fitted on.

    Args:
        fitted: the weights.
        data: the samples.
        folder: where the samples' files lie.
        model: whose states were read.
        made_on: the device that computed the states, and versions.
        target: where the weights are written.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    state_head.save(target, fitted)
    note = {
        "weights_sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
        "fitted_on": digest_of(folder),
        "samples": len(data.labels),
        "questions": len(set(data.questions)),
        "model": model,
        "statement_encoder": adapter.version_of(ADAPTER),
        "cross_encoder": adapter.version_of(CROSS_ENCODER),
        "judge_adapter": adapter.version_of(JUDGE_ADAPTER),
        "made_on": dict(made_on or {}),
        "command": "make calibrate DATA=<folder with these files>",
    }
    target.with_suffix(".json").write_text(json.dumps(note, indent=2) + "\n")
