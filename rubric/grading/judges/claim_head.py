"""How likely a statement is false, read from the judge's states, whatever the rubric asks for.

What so small a model says of a statement's truth is near chance; what its states hold is not (Azaria and Mitchell
2023, Marks and Tegmark 2023). A logistic regression reads the state after the last kept layer, at the last token of a
prompt that holds the question and the statement alone. ``rubric.training.fit_claim_head`` fits it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rubric.fitted_weights import CLAIM_HEAD
from serving.arrays import FloatArray
from serving.llm.client import StateClient
from serving.models import adapter
from serving.models.catalogue import JUDGE_ADAPTER

_log = logging.getLogger(__name__)

_PROMPT = "Topic: {question}\nStatement: {statement}\nThe statement is technically"


class Fitted(NamedTuple):
    """A logistic regression on a state, and the layers that it was fitted to.

    Attributes:
        weights: [hidden].
        bias: added to what they give.
        adapter: version of the judge's fitted layers (``serving.models.adapter.version_of``).

    """

    weights: FloatArray
    bias: float
    adapter: str


class ClaimHead:
    """Tells how likely statements are false.

    Args:
        client: gives the states of the embedded judge's model.

    """

    def __init__(self, client: StateClient) -> None:
        self._client = client

    def doubts(self, question: str, statements: Sequence[str]) -> FloatArray:
        """The log-odds that each statement is false, among as many right as false ones: [n].

        Args:
            question: what they were said on.
            statements: each one sentence, or a clause of one.

        Raises:
            ServerGoneError: the model cannot be asked now.

        """
        head = fitted()
        states = self._client.states([claim_prompt(question, each) for each in statements])
        odds: FloatArray = states.astype(np.float32) @ head.weights + head.bias
        return odds


def claim_prompt(question: str, statement: str) -> str:
    """What is read: the question first, which the statements of an answer share."""
    return _PROMPT.format(question=question, statement=statement)


def claim_head(client: StateClient) -> ClaimHead | None:
    """The head; ``None`` where it was fitted to other layers than are served."""
    if fitted().adapter != adapter.version_of(JUDGE_ADAPTER):
        _log.warning("no statement is doubted by itself: its head is of other layers (interviewer.cli.fit_claim_head)")
        return None
    return ClaimHead(client)


@cache
def fitted() -> Fitted:
    """The weights of ``CLAIM_HEAD``."""
    return load(CLAIM_HEAD)


def load(path: Path) -> Fitted:
    """The weights that a file holds."""
    with np.load(path) as stored:
        return Fitted(stored["weights"].astype(np.float32), float(stored["bias"]), str(stored["adapter"]))


def save(path: Path, head: Fitted) -> None:
    """Store weights."""
    np.savez_compressed(
        path, weights=head.weights.astype(np.float32), bias=np.float32(head.bias), adapter=np.array(head.adapter)
    )
