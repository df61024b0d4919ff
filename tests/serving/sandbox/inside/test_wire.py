"""Frames: what goes in comes out, and what is no frame is refused."""

from __future__ import annotations

import io
import json
import math
import struct
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rubric.coding.value_diff import difference
from serving.sandbox.inside import wire
from serving.sandbox.inside.wire import MalformedError, Opaque

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


def back(value: Any) -> Any:
    (found,) = wire.frames(io.BytesIO(wire.encode(value)).read)
    return found


def frame(head: Any, blobs: bytes = b"") -> bytes:
    data = json.dumps(head).encode()
    return struct.pack(">IQ", len(data), len(blobs)) + data + blobs


@given(VALUES)
def test_data_comes_back_as_it_was(value: Any) -> None:
    assert difference(value, back(value)) == ""


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64, torch.bool, torch.complex64])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3)])
def test_tensors_come_back_with_shape_and_dtype(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    value = torch.randn(shape).to(dtype)
    found = back({"a": [value, value.t() if value.ndim == 2 else value]})["a"]
    assert found[0].dtype is dtype
    assert torch.equal(found[0], value)
    assert torch.equal(found[1], value.t() if value.ndim == 2 else value)


def test_what_is_no_data_comes_back_as_its_class_alone() -> None:
    class Same(torch.Tensor):
        pass

    assert back(torch.zeros(1).as_subclass(Same)) == Opaque("Same")
    assert back([print, object()]) == [Opaque("builtin_function_or_method"), Opaque("object")]
    assert back(torch.float16) == "torch.float16"
    assert torch.equal(back(numpy.arange(3)), torch.arange(3))
    assert math.isnan(back(float("nan")))


@pytest.mark.parametrize(
    "data",
    [
        b"\xff" * 64,
        frame(["a", "float32", [10**12]]),
        frame(["a", "float32", [-1]]),
        frame(["a", "Tensor", [1]], b"1234"),
        frame(["i", "1" * 5000]),
        frame(["x", 1]),
        frame(["c", "text"]),
        frame({"no": "list"}),
        frame(["d", [[["l", []], ["c", None]]]]),
        frame(["l", [["c", None]] * 300_000]),
        struct.pack(">IQ", 3, 0) + b"{[}",
    ],
)
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    with pytest.raises(MalformedError):
        list(wire.frames(io.BytesIO(data).read))


def test_a_frame_that_is_cut_off_is_left_out() -> None:
    whole = wire.encode([1, 2])
    assert list(wire.frames(io.BytesIO(whole + whole[:-1]).read)) == [[1, 2]]
    assert list(wire.frames(io.BytesIO(whole + b"\0").read)) == [[1, 2]]
