"""What differs between two values, in words."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from rubric.coding.value_diff import difference, named, shown
from serving.sandbox.inside.frames import ITEM_SIZES, Opaque

ONES = torch.ones(2, 3)
OPAQUE_LIST = "an object of class list of 300000 values came back, which is not a plain list"
DTYPES = [getattr(torch, name) for name in ITEM_SIZES]


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
        (10**400, 10**400),
        (float("inf"), float("inf")),
        *((torch.ones(3).to(dtype), torch.ones(3).to(dtype)) for dtype in DTYPES),
        *((torch.empty(2, 0, dtype=dtype), torch.empty(2, 0, dtype=dtype)) for dtype in DTYPES),
        (Opaque("module"), Opaque("module")),
    ],
    ids=lambda value: type(value).__name__,
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
        (ONES, Opaque("Same"), "an object of class Same came back, which is not a plain tensor"),
        (1.0, 10**400, f"1 was expected, not {'1' + 298 * '0'}…"),
        (10**400, float("inf"), f"{'1' + 298 * '0'}… was expected, not inf"),
        (2, 1 << 20_000, "2 was expected, not a whole number of 20001 bits"),
        (ONES, torch.empty(10**6, 0), "shape (2, 3) was expected, not (1000000, 0)"),
        ({1: 2}, {10**400: 2}, "there is no 1"),
        (Opaque("module"), ("module",), "a Opaque was expected, not a tuple"),
        (["a"], Opaque("list of 300000 values"), OPAQUE_LIST),
    ],
    # Not all of it is a text that Python would make.
    ids=lambda value: type(value).__name__,
)
def test_what_differs_is_said(expected: Any, got: Any, why: str) -> None:
    assert difference(expected, got) == why


class Hostile:
    """Nothing can be done with it."""

    def __eq__(self, other: object) -> bool:
        raise OverflowError("no")

    __hash__ = object.__hash__


@pytest.mark.parametrize("error", [OverflowError, MemoryError, RecursionError])
def test_what_cannot_be_compared_differs_and_is_said(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    why = "what came back cannot be compared with what was expected"
    assert difference(Hostile(), Hostile()) == f"{why} (OverflowError)"
    assert difference([1, Hostile()], [1, Hostile()]) == f"{why} (OverflowError)"

    def fails(*_: Any, **__: Any) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(torch.testing, "assert_close", fails)
        assert difference(ONES, ONES) == f"{why} ({error.__name__})"
    assert difference(ONES, ONES) == ""


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_of_any_dtype_differ_in_words(dtype: torch.dtype) -> None:
    ones = torch.ones(3).to(dtype)
    other = torch.zeros(3).to(dtype) if dtype is not torch.float8_e8m0fnu else torch.full((3,), 2.0).to(dtype)
    found = difference(ones, other)
    assert found.startswith("100% of the numbers differ" if not dtype.is_complex else "the numbers differ")


def test_nothing_is_shown_at_the_price_of_its_size() -> None:
    # As nested lists it would take terabytes.
    assert shown(torch.empty(2**40, 0)) == f"tensor of shape ({2**40}, 0), float32"
    assert len(shown(dict.fromkeys(range(10_000), "x" * 1000))) == 300
    assert shown("x" * 10**6) == "'" + "x" * 298 + "…"
    assert shown(1 << 20_000) == "a whole number of 20001 bits"


def test_values_are_shown_as_a_person_reads_them() -> None:
    assert shown(torch.tensor([1.5, 2.0])) == "tensor([1.5, 2])"
    assert shown(torch.zeros(100)) == "tensor of shape (100,), float32"
    assert shown(frozenset()) == "set()"
    assert shown((1,)) == "(1,)"
    assert len(shown("x" * 1000)) == 300
    assert named({"a": 1, "b": [2]}) == "a = 1, b = [2]"
    assert named([1]) == "[1]"
