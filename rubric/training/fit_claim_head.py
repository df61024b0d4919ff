"""Fits the head that reads statements by themselves (``rubric.grading.judges.claim_head``).

Each statement that meets a criterion is right, each that contradicts one is false; near misses are neither. States that
were read are kept, so that an interrupted reading goes on.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict

from rubric.grading.judges.claim_head import Fitted, claim_prompt
from rubric.model import Criterion
from serving.arrays import FloatArray
from serving.llm.client import StateClient

EACH = 3
"""Statements of a criterion that are taken, of right ones and of false ones: more of them repeat each other."""

STRENGTH = 1e-3
"""Inverse regularization on standardized states; of 1e-4, 1e-3, and 1e-2 the best by question."""

_AT_ONCE, _KEPT_EVERY, _FOLDS = 8, 400, 5


class Statement(NamedTuple):
    """A statement of the bank.

    Attributes:
        question: what is asked.
        text: the statement.
        false: whether it contradicts its criterion.
        entry: the question's id.

    """

    question: str
    text: str
    false: bool
    entry: str


def statements(questions: Iterable[tuple[str, str, Sequence[Criterion]]], each: int = EACH) -> list[Statement]:
    """Statements of every criterion, the same ones each time, those of one question together.

    Args:
        questions: the id of each, what it asks, and its criteria.
        each: most that are taken of a criterion's right statements, and of its false ones.

    """
    found = []
    for entry, asked, criteria in sorted(questions, key=lambda one: one[0]):
        for criterion in criteria:
            for texts, false in ((criterion.examples.met, False), (criterion.examples.contradicted, True)):
                draw = random.Random(f"{entry}/{criterion.id}/{false}")  # noqa: S311 - no secret
                chosen = draw.sample(texts, min(each, len(texts)))
                found += [Statement(asked, text, false, entry) for text in chosen]
    return found


def read(client: StateClient, given: Sequence[Statement], keep: Path) -> FloatArray:
    """The state of each statement, [n, hidden]; those in the file ``keep`` are not read again."""
    return read_states(client, [claim_prompt(each.question, each.text) for each in given], keep)


def read_states(client: StateClient, prompts: Sequence[str], keep: Path) -> FloatArray:
    """The state of each prompt, [n, hidden]; those in the file ``keep`` are not read again."""
    known = np.load(keep) if keep.is_file() else None
    parts = [] if known is None else [known]
    count = 0 if known is None else len(known)
    while count < len(prompts):
        now = prompts[count : count + _AT_ONCE]
        parts.append(client.states(now).astype(np.float16))
        count += len(now)
        if count % _KEPT_EVERY < _AT_ONCE or count == len(prompts):
            np.save(keep, np.concatenate(parts))
            sys.stderr.write(f"{count} of {len(prompts)} statements read\n")
    states: FloatArray = np.concatenate(parts).astype(np.float32)
    return states


def fit(states: FloatArray, false: Sequence[bool], version: str) -> Fitted:
    """Weights and bias for states as they come; what standardizes them is folded in."""
    mean, scale = states.mean(axis=0), states.std(axis=0) + 1e-6
    model = LogisticRegression(C=STRENGTH, max_iter=3000).fit((states - mean) / scale, false)
    weights = model.coef_[0] / scale
    return Fitted(weights.astype(np.float32), float(model.intercept_[0] - mean @ weights), version)


def area(states: FloatArray, given: Sequence[Statement]) -> float:
    """Area under the curve on questions that are left out, in five folds."""
    false = np.array([each.false for each in given])
    standard = (states - states.mean(axis=0)) / (states.std(axis=0) + 1e-6)
    model = LogisticRegression(C=STRENGTH, max_iter=3000)
    groups = np.unique([each.entry for each in given], return_inverse=True)[1]
    odds = cross_val_predict(model, standard, false, groups=groups, cv=GroupKFold(_FOLDS), method="decision_function")
    return float(roc_auc_score(false, odds))
