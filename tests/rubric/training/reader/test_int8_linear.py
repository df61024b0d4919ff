"""Linear layers of int8 weights give nearly what plain ones give, forward and backward."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from rubric.training.reader.int8_linear import Int8Linear, LowRank, rounded


@pytest.fixture
def plain() -> nn.Linear:
    torch.manual_seed(1)
    return nn.Linear(64, 48).to(torch.bfloat16)


def near(one: torch.Tensor, other: torch.Tensor) -> float:
    """Relative error."""
    one, other = one.detach().float(), other.detach().float()
    return float((one - other).norm() / other.norm())


def test_rows_are_rounded_each_by_its_own_scale():
    given = torch.tensor([[1.0, -127.0], [0.001, 0.0], [0.0, 0.0]])
    small, scale = rounded(given)
    assert small.tolist() == [[1, -127], [127, 0], [0, 0]]
    assert torch.allclose(small * scale, given)


def test_results_and_gradients_are_those_of_the_plain_layer_but_for_rounding(plain):
    torch.manual_seed(2)
    given = torch.randn(20, 64).bfloat16().requires_grad_()
    other = given.detach().clone().requires_grad_()
    wanted = torch.randn(20, 48).bfloat16()
    int8 = Int8Linear.of(plain)
    expected, found = plain(given), int8(other)
    assert near(found, expected) < 0.02
    expected.backward(wanted)
    found.backward(wanted)
    assert near(other.grad, given.grad) < 0.02
    assert near(other.grad, torch.roll(given.grad, 1, 0)) > 0.5


def test_outlying_rows_do_not_spoil_the_others(plain):
    given = torch.randn(4, 64).bfloat16()
    given[0] *= 1000
    assert near(Int8Linear.of(plain)(given)[1:], plain(given)[1:]) < 0.02


def test_a_change_of_low_rank_begins_as_none_and_is_what_it_says(plain):
    given = torch.randn(8, 64).bfloat16()
    layer = LowRank(plain, rank=4, strength=2.0)
    assert torch.equal(layer(given), plain(given))
    with torch.no_grad():
        layer.up.normal_()
    weight = plain.weight.float() + torch.from_numpy(layer.change())
    changed = nn.functional.linear(given.float(), weight, plain.bias.float())
    assert near(layer(given), changed) < 0.02
    assert near(plain(given), changed) > 0.5
