"""Fits ``request_head``: ``python -m interviewer.understanding.fit_request_head`` (needs the encoder; a minute).

Softmax regression on the sentence encoder's vectors, by gradient descent in NumPy. Requests are the labeled wordings
beside this module; answers are the labeled ones among them and statements of every second question of the bank, the
others being left to be measured on.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np

from interviewer.understanding.intent import Intent
from interviewer.understanding.request_head import LONGEST, WEIGHTS, plain
from knowledge.bank.parser import load_bank
from rubric.fitted_weights import ADAPTER
from serving.arrays import FloatArray
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.models import catalogue

WORDINGS = Path(__file__).parent / "weights" / "request-wordings.jsonl"
_STATEMENTS = 2
"""Statements of a criterion that are taken, of each sort."""

_STEPS, _RATE, _DECAY = 3_000, 2.0, 1e-4


def statements(half: int) -> list[str]:
    """Short statements of every second question of the bank, which all are answers.

    Args:
        half: 0 for those that are fitted to, 1 for those that are left out.

    """
    return [
        text
        for place, question in enumerate(sorted(load_bank(), key=lambda each: each.id))
        if place % 2 == half and question.rubric is not None
        for criterion in question.rubric.criteria
        for kind in (criterion.examples.met, criterion.examples.contradicted, criterion.examples.near)
        for text in kind[:_STATEMENTS]
        if len(text.split()) <= LONGEST
    ]


def fit(vectors: FloatArray, labels: np.ndarray, classes: int) -> tuple[FloatArray, FloatArray]:
    """Weights [dim, classes] and bias [classes]; every class weighs by the root of its size."""
    sizes = np.bincount(labels, minlength=classes)
    share = 1 / np.sqrt(sizes[labels])
    share = share / share.sum()
    wanted = np.eye(classes, dtype=np.float64)[labels]
    weights, bias = np.zeros((vectors.shape[1], classes)), np.zeros(classes)
    for _ in range(_STEPS):
        scores = vectors @ weights + bias
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        off = (odds / odds.sum(axis=1, keepdims=True) - wanted) * share[:, None]
        weights -= _RATE * (vectors.T @ off * 10 + _DECAY * weights)
        bias -= _RATE * off.sum(axis=0) * 10
    return weights.astype(np.float32), bias.astype(np.float32)


def main() -> None:
    """Fit and store it."""
    rows = [json.loads(line) for line in WORDINGS.read_text(encoding="utf-8").splitlines()]
    texts = [(plain(row["text"]), Intent(row["intent"])) for row in rows]
    texts += [(plain(text), Intent.ANSWER) for text in statements(0)]
    names = sorted({intent for _, intent in texts})
    encoder = SentenceTransformerEmbedder(catalogue.embedder_folder(), ADAPTER)
    vectors = encoder.embed([text for text, _ in texts])
    labels = np.array([names.index(intent) for _, intent in texts])
    weights, bias = fit(vectors.astype(np.float64), labels, len(names))
    WEIGHTS.parent.mkdir(exist_ok=True)
    np.savez_compressed(WEIGHTS, weights=weights.astype(np.float16), bias=bias, intents=np.array(names, dtype=str))
    print(Counter(intent.value for _, intent in texts), (vectors @ weights + bias).argmax(axis=1).__eq__(labels).mean())


if __name__ == "__main__":
    main()
