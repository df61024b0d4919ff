"""The trained judge: a small linear head that reads the model's hidden state, and a second one that weighs signals.

What a small model says about an answer is near chance; what its hidden state holds is not
(docs/benchmarks/judge-alternatives.md).
So a multinomial logistic regression reads the state after the model's last kept layer at the last token of the
judge's prompt, and a second one combines its four logits with the cheap signals into probabilities of the four
verdicts. The first is fitted together with the model's layers (``rubric.training.reader``), the second by
``rubric.training.fit_state_head``; both lie in ``rubric/weights/`` with a note of what they were fitted on.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rubric.fitted_weights import STATE_HEAD
from rubric.grading.signals import EXAMPLE_SIGNALS, TEXT_SIGNALS
from rubric.model import Verdict
from serving.arrays import FloatArray
from serving.errors import ModelMissingError

CLASSES = (Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED)
"""The verdicts in the order of the probabilities."""


class Linear(NamedTuple):
    """A multinomial logistic regression on standardized features.

    Attributes:
        mean: of each feature, [features].
        scale: standard deviation of each feature, [features].
        weights: [4, features].
        bias: [4].
    """

    mean: FloatArray
    scale: FloatArray
    weights: FloatArray
    bias: FloatArray

    def logits(self, features: FloatArray) -> FloatArray:
        """Logits of the four verdicts, [n, 4], for features [n, features]; each row sums to 0."""
        raw = ((features - self.mean) / self.scale) @ self.weights.T + self.bias
        centered: FloatArray = (raw - raw.mean(axis=1, keepdims=True)).astype(np.float32)
        return centered


class Head(NamedTuple):
    """Everything that was fitted.

    Attributes:
        state: hidden state -> verdict logits, fitted with the layers that give the state.
        with_text: those logits and ``TEXT_SIGNALS`` -> verdict logits.
        with_examples: those logits, ``TEXT_SIGNALS`` and ``EXAMPLE_SIGNALS`` -> verdict logits.
        spread: standard errors that a score's interval has on either side (``rubric.grading.uncertainty``).
        version: twelve hex digits of the weights' SHA-256.
    """

    state: Linear
    with_text: Linear
    with_examples: Linear
    spread: float
    version: str

    def probabilities(self, states: FloatArray, text: FloatArray, examples: list[FloatArray | None]) -> FloatArray:
        """Probabilities of the four verdicts for each criterion, [n, 4].

        Args:
            states: [n, hidden].
            text: ``TEXT_SIGNALS`` of each criterion, [n, 6].
            examples: ``EXAMPLE_SIGNALS`` of each criterion, [14] or ``None``.
        """
        seen = self.state.logits(states)
        rows = []
        for logits, plain, further in zip(seen, text, examples, strict=True):
            if further is None:
                rows.append(self.with_text.logits(np.concatenate([logits, plain])[None])[0])
            else:
                rows.append(self.with_examples.logits(np.concatenate([logits, plain, further])[None])[0])
        return softmax(np.stack(rows))


def softmax(logits: FloatArray) -> FloatArray:
    """Probabilities along the last axis."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    result: FloatArray = (raised / raised.sum(axis=-1, keepdims=True)).astype(np.float32)
    return result


def save(path: Path, head: Head) -> None:
    """Write a head's weights, the state's in half precision, which moves no probability by more than 0.001."""
    parts = {"state": head.state, "text": head.with_text, "examples": head.with_examples}
    arrays = {f"{name}.{field}": getattr(part, field) for name, part in parts.items() for field in Linear._fields}
    arrays["state.weights"] = head.state.weights.astype(np.float16)
    arrays["spread"] = np.float32(head.spread)
    np.savez_compressed(path, allow_pickle=False, **arrays)


def load(path: Path = STATE_HEAD) -> Head:
    """Read a head.

    Raises:
        ModelMissingError: the file is not there or is no head for these signals.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            parts = {
                name: Linear(*(stored[f"{name}.{field}"].astype(np.float32) for field in Linear._fields))
                for name in ("state", "text", "examples")
            }
            spread = float(stored["spread"])
        version = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    except (OSError, KeyError, ValueError) as error:
        raise ModelMissingError(
            f"The judge's weights {path} cannot be read.", hint="Get the file from the repository again."
        ) from error
    plain, further = len(CLASSES) + len(TEXT_SIGNALS), len(EXAMPLE_SIGNALS)
    if parts["text"].mean.shape != (plain,) or parts["examples"].mean.shape != (plain + further,):
        raise ModelMissingError(f"The judge's weights {path} were fitted for other signals than this version uses.")
    return Head(parts["state"], parts["text"], parts["examples"], spread, version)
