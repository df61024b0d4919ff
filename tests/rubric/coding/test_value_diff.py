"""What differs between two values, in words."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from rubric.coding.value_diff import difference, named, shown
from serving.sandbox.inside.wire import Opaque

ONES = torch.ones(2, 3)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (1, 1.0),
        ([1, 2], (1, 2)),
        (0.1 + 0.2, 0.3),
        (float("nan"), float("nan")),
        (ONES, ONES + 1e-7),
        (torch.tensor([float("nan")]), torch.tensor([float("nan")])),
        ({"a": [ONES]}, {"a": [ONES.clone()]}),
        (frozenset({1}), frozenset({1})),
        (torch.zeros(0, 3), torch.zeros(0, 3)),
    ],
)
def test_equal_values_do_not_differ(expected: Any, got: Any) -> None:
    assert difference(expected, got) == ""


@pytest.mark.parametrize(
    ("expected", "got", "why"),
    [
        (1, True, "1 was expected, not True"),
        (None, 0, "None was expected, not 0"),
        ("a", "b", "'a' was expected, not 'b'"),
        ("1", 1, "a str was expected, not a int"),
        ([1, 2], [1], "2 values were expected, not 1"),
        ([1, [2]], [1, [3]], "value 2 of 2: value 1 of 1: 2 was expected, not 3"),
        ({"a": 1}, {}, "there is no 'a'"),
        ({}, {"a": 1}, "'a' is there and should not be"),
        (ONES, ONES.T, "shape (2, 3) was expected, not (3, 2)"),
        (ONES, ONES.double(), "dtype float32 was expected, not float64"),
        (ONES, 1.0, "a tensor was expected, not 1"),
        (ONES, ONES * torch.tensor([1, 1, 2]), "33% of the numbers differ; 1 was expected at (0, 2), not 2"),
        (ONES, ONES * float("inf"), "inf came back at (0, 0), where a finite number was expected"),
        (torch.tensor(1.0), torch.tensor(2.0), "1 was expected, not 2"),
        (ONES, Opaque("Same"), "an object of class Same came back, which is no plain tensor"),
    ],
)
def test_what_differs_is_said(expected: Any, got: Any, why: str) -> None:
    assert difference(expected, got) == why


def test_values_are_shown_as_a_person_reads_them() -> None:
    assert shown(torch.tensor([1.5, 2.0])) == "tensor([1.5, 2])"
    assert shown(torch.zeros(100)) == "tensor of shape (100,), float32"
    assert shown(frozenset()) == "set()"
    assert shown((1,)) == "(1,)"
    assert len(shown("x" * 1000)) == 300
    assert named({"a": 1, "b": [2]}) == "a = 1, b = [2]"
    assert named([1]) == "[1]"
