"""What is told of statements by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from interviewer.cli.container import Container
from interviewer.cli.fit_claim_head import statements_of
from knowledge.bank.parser import load_bank
from rubric.grading.judges import claim_head
from rubric.grading.judges.claim_head import ClaimHead, Fitted
from serving.arrays import FloatArray
from serving.models.adapter import version_of
from serving.models.catalogue import JUDGE_ADAPTER


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


def test_the_real_states_tell_most_false_statements_from_right_ones(container: Container) -> None:
    head = claim_head.claim_head(container.judge_service.client)
    assert head is not None
    bank = load_bank()
    fitted_to = {each.text for each in statements_of(bank)}
    others = [each for each in statements_of(bank, each=1000) if each.text not in fitted_to]
    given = [each for false in (True, False) for each in [one for one in others if one.false is false][::200]]
    odds = [float(head.doubts(each.question, [each.text])[0]) for each in given]
    assert len(given) > 40
    assert roc_auc_score([each.false for each in given], odds) > 0.8
