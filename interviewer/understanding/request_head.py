"""Reads requests in wordings that no rule knows: a fitted head on the sentence encoder, beside the rules.

The rules are exact where they apply and blind where they end. The head is asked only about what the rules take for an
answer, and only about short utterances; it says nothing unless it is sure, since an answer that is taken for a request
is lost to the person. ``fit_request_head`` fits it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np

from interviewer.understanding.intent import ANSWERS, Intent
from serving.arrays import FloatArray
from serving.encoders.sentence_encoder import Embedder
from serving.errors import InterviewerError

WEIGHTS = Path(__file__).parent / "weights" / "request-head.npz"

LONGEST = 26
"""Words of the longest utterance that the head is asked about."""

SURE = 0.9
"""Probability from which it is believed."""

_SURE_OF_NO_ANSWER = 0.97
"""Probability that it is no answer, without which nothing else counts."""

_CODE = re.compile(r"```|\w\(|[=\[\]{}]|\n\s*\n")
_INSISTS = re.compile(r"\W*(?:my |the )?answer\b", re.IGNORECASE)


class RequestHead:
    """Tells what is asked for.

    Args:
        encoder: the one that the head was fitted on.

    """

    def __init__(self, encoder: Embedder) -> None:
        self._encoder = encoder

    def request(self, text: str) -> Intent | None:
        """What is asked for; ``None`` where it is likelier an answer, or nothing can be told."""
        if len(text.split()) > LONGEST or _CODE.search(text) or _INSISTS.match(text):
            return None
        try:
            chances = probabilities(self._encoder.embed([plain(text)]))[0]
        except InterviewerError:
            return None
        return decided(chances)


def plain(text: str) -> str:
    """Text as the head reads it: recognized speech has neither capitals nor most marks."""
    return " ".join(re.sub(r"[^\w' ?]+", " ", text.lower().replace("’", "'")).split())


def decided(chances: FloatArray) -> Intent | None:
    """The request that the probabilities speak for clearly; ``None`` where they do not."""
    names = intents()
    answer = sum(float(chance) for name, chance in zip(names, chances, strict=True) if name in ANSWERS)
    best = int(np.argmax(chances))
    if names[best] in ANSWERS or 1 - answer < _SURE_OF_NO_ANSWER or float(chances[best]) < SURE:
        return None
    return names[best]


def probabilities(vectors: FloatArray) -> FloatArray:
    """Probability of each intent, in the order of ``intents()``: [n, dim] to [n, intents]."""
    weights, bias, _ = _fitted()
    scores = vectors @ weights + bias
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: FloatArray = odds / odds.sum(axis=1, keepdims=True)
    return shares


def intents() -> tuple[Intent, ...]:
    """What the head tells apart."""
    return _fitted()[2]


@cache
def _fitted() -> tuple[FloatArray, FloatArray, tuple[Intent, ...]]:
    with np.load(WEIGHTS) as stored:
        names = tuple(Intent(str(name)) for name in stored["intents"])
        return stored["weights"].astype(np.float32), stored["bias"].astype(np.float32), names
