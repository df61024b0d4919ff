"""What the head for statements is fitted to, and that a fit finds what tells them apart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from interviewer.cli.fit_claim_head import statements_of
from knowledge.bank.parser import load_bank
from knowledge.model import Kind
from rubric.training.fit_claim_head import EACH, area, fit, read
from serving.arrays import FloatArray
from serving.errors import ServerGoneError

RNG = np.random.default_rng(0)


class Server:
    """Gives states that tell nothing but in their first number, and goes after some prompts."""

    def __init__(self, most: int = 10**6) -> None:
        self.most, self.read = most, list[str]()

    def states(self, prompts: Sequence[str]) -> FloatArray:
        if len(self.read) + len(prompts) > self.most:
            raise ServerGoneError("The server is gone.")
        self.read += prompts
        return np.array([[len(prompt), *RNG.normal(size=3)] for prompt in prompts], dtype=np.float32)


def test_statements_are_those_of_the_bank_without_its_stories() -> None:
    bank = load_bank()
    given = statements_of(bank)
    stories = {question.id for question in bank if question.kind is Kind.BEHAVIORAL}
    assert not stories & {each.entry for each in given}
    points = [point for q in bank if q.id not in stories and q.rubric for point in q.rubric.criteria]
    assert len(given) <= 2 * EACH * len(points)
    assert given == statements_of(bank)
    false = {text for point in points for text in point.examples.contradicted}
    assert all((each.text in false) is each.false for each in given)


def test_what_was_read_is_not_read_again(tmp_path: Path) -> None:
    given = statements_of(load_bank())[:900]
    first = Server(most=500)
    with pytest.raises(ServerGoneError):
        read(first, given, tmp_path / "kept.npy")
    second = Server()
    states = read(second, given, tmp_path / "kept.npy")
    assert len(states) == len(given)
    assert 0 < len(second.read) < len(given)


def test_a_fit_finds_what_tells_false_from_right() -> None:
    given = statements_of(load_bank())[:1000]
    false = np.array([each.false for each in given])
    states = RNG.normal(size=(len(given), 4)).astype(np.float32) * 3 + 7
    states[:, 0] += 6 * false
    head = fit(states, list(false), "layers")
    odds = states @ head.weights + head.bias
    assert (odds > 0)[false].mean() > 0.8
    assert (odds < 0)[~false].mean() > 0.8
    assert area(states, given) > 0.9
