"""What is told of statements by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from interviewer.cli.container import Container
from rubric.grading.judges import claim_head
from rubric.grading.judges.claim_head import ClaimHead, Fitted
from serving.arrays import FloatArray
from serving.models.adapter import version_of
from serving.models.catalogue import JUDGE_ADAPTER

RIGHT = (
    "A CUDA kernel launch returns to Python before the kernel has finished its work on the card.",
    "Gradients add up in the grad attribute until they are set to zero or to None again.",
    "During training, batch normalization uses the mean and the variance of the current batch.",
    "The softmax of a row does not change when the same number is added to each of its logits.",
)
FALSE = (
    "A CUDA kernel launch makes Python wait until the kernel has finished all of its work on the card.",
    "Calling backward clears the old gradients by itself, so they never add up between steps.",
    "During training, batch normalization always uses the running mean, never that of the batch.",
    "The softmax of a row doubles when the same number is added to each of its logits.",
)


class Counting:
    """Gives each prompt a state of its length, and keeps what it was asked for."""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def states(self, prompts: Sequence[str]) -> FloatArray:
        self.prompts += prompts
        return np.array([[len(prompt), 1.0] for prompt in prompts], dtype=np.float32)


@pytest.fixture
def own_weights(monkeypatch: pytest.MonkeyPatch) -> Fitted:
    """Weights that count the characters of a prompt."""
    head = Fitted(np.array([1.0, 0.0], dtype=np.float32), -10.0, version_of(JUDGE_ADAPTER))
    monkeypatch.setattr(claim_head, "fitted", lambda: head)
    return head


def test_each_statement_is_read_after_the_question(own_weights: Fitted) -> None:
    client = Counting()
    odds = ClaimHead(client).doubts("What is kept?", ["It keeps all of it.", "It keeps nothing."])
    assert odds.tolist() == [len(prompt) + own_weights.bias for prompt in client.prompts]
    assert all(prompt.startswith("Topic: What is kept?\nStatement: It keeps") for prompt in client.prompts)


def test_weights_come_back_as_they_were_stored(tmp_path: Path, own_weights: Fitted) -> None:
    claim_head.save(tmp_path / "head.npz", own_weights)
    again = claim_head.load(tmp_path / "head.npz")
    assert (again.weights.tolist(), again.bias, again.adapter) == (
        own_weights.weights.tolist(),
        own_weights.bias,
        own_weights.adapter,
    )


def test_weights_of_other_layers_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    other = claim_head.fitted()._replace(adapter="another")
    monkeypatch.setattr(claim_head, "fitted", lambda: other)
    assert claim_head.claim_head(Counting()) is None


def test_the_weights_in_the_project_are_of_the_layers_in_the_project() -> None:
    assert claim_head.claim_head(Counting()) is not None


def test_the_real_states_tell_false_statements_from_right_ones(container: Container) -> None:
    head = claim_head.claim_head(container.judge_service.client)
    assert head is not None
    right, false = (head.doubts("How does PyTorch train a network?", each) for each in (RIGHT, FALSE))
    assert (false > right).all()
