"""Fits the judge's weights to graded answers (``make calibrate``).

Each criterion of each answer is one sample: the
state that the judge's model ends its prompt with, the cheap signals, and the label. The first regression reads
the state; the second weighs its logits and the signals, and is fitted on logits from regressions that had not
seen the question, so that its probabilities hold for new questions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression

from rubric import head, signals
from rubric.head import CLASSES, WEIGHTS, Head, Linear
from rubric.prompts import judge_prompt
from rubric.samples import Answer, folds
from serving.clients import FloatArray, StateClient
from serving.embedder import Embedder

INNER_FOLDS = 5
MANNERED_WEIGHT = 0.25
"""Weight of answers whose manner goes with their mark: enough to meet hostile ones, too little to learn the manner."""

STATE_STRENGTH = 2e-3
SIGNAL_STRENGTH = 0.1
"""Inverse regularisation of the two regressions, chosen by cross-validation over questions (docs/benchmarks.md)."""


Indices = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class Table(NamedTuple):
    """The samples as arrays, one row a criterion of an answer.

    Attributes:
        states: [n, hidden].
        text: ``TEXT_SIGNALS``, [n, 6].
        examples: ``EXAMPLE_SIGNALS``, [n, 5]; NaN where the criterion has none.
        labels: index into ``CLASSES``, [n].
        weights: of the samples when fitting, [n].
        questions: question ids, [n].
        answers: index of the answer, [n].
        credit_weights: the criterion's weight in its rubric, [n].
    """

    states: FloatArray
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
            self.text[chosen],
            self.examples[chosen],
            self.labels[chosen],
            self.weights[chosen],
            tuple(question for question, wanted in zip(self.questions, chosen, strict=True) if wanted),
            self.answers[chosen],
            self.credit_weights[chosen],
        )


def table(
    answers: Sequence[Answer], client: StateClient, embedder: Embedder, progress: Callable[[int, int], None]
) -> Table:
    """Ask the model and the embedder about every criterion of every answer.

    Args:
        answers: labelled.
        client: gives the states.
        embedder: for the signals.
        progress: told how many of how many answers are done.
    """
    states, text, further, labels, weights, questions, numbers, credit = [], [], [], [], [], [], [], []
    for number, answer in enumerate(answers):
        prompts = [judge_prompt(answer.question, answer.text, item.text) for item in answer.criteria]
        states.append(client.states(prompts))
        seen = signals.view(answer.text, embedder)
        for item, label in zip(answer.criteria, answer.labels, strict=True):
            found = signals.signals(seen, answer.question, item, embedder)
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
        np.stack(text),
        np.stack(further),
        np.array(labels),
        np.array(weights, dtype=np.float32),
        tuple(questions),
        np.array(numbers),
        np.array(credit, dtype=np.float32),
    )


def regression(features: FloatArray, labels: Indices, weights: FloatArray, strength: float) -> Linear:
    """A multinomial logistic regression on standardised features.

    Args:
        features: [n, features].
        labels: index into ``CLASSES``, [n]; every class must occur.
        weights: of the samples, [n].
        strength: inverse of the L2 regularisation.
    """
    mean, scale = features.mean(axis=0), features.std(axis=0) + 1e-6
    model = LogisticRegression(C=strength, max_iter=2000, tol=1e-4)
    model.fit((features - mean) / scale, labels, sample_weight=weights)
    parts = (mean, scale, model.coef_, model.intercept_)
    return Linear(*(part.astype(np.float32) for part in parts))


def fit(data: Table) -> Head:
    """Fit all three regressions."""
    unseen = np.zeros((len(data.labels), len(CLASSES)), dtype=np.float32)
    fold = np.array(folds(data.questions, INNER_FOLDS))
    for number in range(INNER_FOLDS):
        train, test = data.rows(fold != number), data.rows(fold == number)
        part = regression(train.states, train.labels, train.weights, STATE_STRENGTH)
        unseen[fold == number] = part.logits(test.states)
    plain = np.concatenate([unseen, data.text], axis=1)
    with_text = regression(plain, data.labels, data.weights, SIGNAL_STRENGTH)
    has = ~np.isnan(data.examples[:, 0])
    full = np.concatenate([plain, data.examples], axis=1)[has]
    with_examples = regression(full, data.labels[has], data.weights[has], SIGNAL_STRENGTH)
    state = regression(data.states, data.labels, data.weights, STATE_STRENGTH)
    return Head(state, with_text, with_examples, "unsaved")


def predict(fitted: Head, data: Table) -> FloatArray:
    """Probabilities of the four verdicts, [n, 4]."""
    rows = [None if np.isnan(row[0]) else row for row in data.examples]
    return fitted.probabilities(data.states, data.text, rows)


def held_out(data: Table, *, with_examples: bool = True, count: int = 10) -> FloatArray:
    """Probabilities for every sample from weights fitted without its question, [n, 4].

    Args:
        data: the samples.
        with_examples: whether the criteria are judged with their example statements, where they have any.
        count: folds.
    """
    chances = np.zeros((len(data.labels), len(CLASSES)), dtype=np.float32)
    fold = np.array(folds(data.questions, count))
    for number in range(count):
        test = data.rows(fold == number)
        if not with_examples:
            test = test._replace(examples=np.full_like(test.examples, np.nan))
        chances[fold == number] = predict(fit(data.rows(fold != number)), test)
    return chances


def digest_of(folder: Path) -> dict[str, str]:
    """SHA-256 of the files that are fitted on."""
    names = ("graded_answers.jsonl", "example_statements.jsonl")
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


def save(fitted: Head, data: Table, folder: Path, model: str) -> None:
    """Write the weights, and beside them what they were fitted on.

    Args:
        fitted: the weights.
        data: the samples.
        folder: where the samples' files lie.
        model: whose states were read.
    """
    WEIGHTS.parent.mkdir(exist_ok=True)
    head.save(WEIGHTS, fitted.state, fitted.with_text, fitted.with_examples)
    note = {
        "weights_sha256": hashlib.sha256(WEIGHTS.read_bytes()).hexdigest(),
        "fitted_on": digest_of(folder),
        "samples": len(data.labels),
        "questions": len(set(data.questions)),
        "model": model,
        "command": "make calibrate DATA=<folder with these files>",
    }
    WEIGHTS.with_suffix(".json").write_text(json.dumps(note, indent=2) + "\n")
