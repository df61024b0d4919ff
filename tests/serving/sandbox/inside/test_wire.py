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
from serving.sandbox.frame_decoder import Reading, decoded
from serving.sandbox.inside import frames, wire
from serving.sandbox.inside.frames import ITEM_SIZES, MalformedError, Opaque

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


@pytest.mark.parametrize("dtype", [getattr(torch, name) for name in ITEM_SIZES])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3)])
def test_tensors_come_back_with_shape_and_dtype(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    value = torch.randn(shape).to(dtype)
    found = back({"a": [value, value.t() if value.ndim == 2 else value]})["a"]
    assert found[0].dtype is dtype
    assert numbers(found[0]) == numbers(value)
    assert numbers(found[1]) == numbers(value.t() if value.ndim == 2 else value)


def numbers(value: torch.Tensor) -> bytes:
    """The bytes of a tensor; of some dtypes torch compares no numbers."""
    return value.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes() if value.numel() else b""


def test_a_bool_that_is_no_bool_is_true() -> None:
    (found,) = wire.frames(io.BytesIO(frame(["a", "bool", [3]], b"\0\1\7")).read)
    assert numbers(found) == b"\0\1\1"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (torch.zeros(2, dtype=torch.uint8).view(torch.bits8), "Tensor of dtype bits8"),
        (torch.zeros(2, dtype=torch.uint8).view(torch.float4_e2m1fn_x2), "Tensor of dtype float4_e2m1fn_x2"),
        (torch.empty(2**40, 0), f"Tensor of shape ({2**40}, 0)"),
        (torch.empty([1] * 40), f"Tensor of shape {(1,) * 40}"[:100]),
        (1 << 5000, "int of 5001 bits"),
        ("x" * (frames.MOST_TEXT + 1), f"str of {frames.MOST_TEXT + 1} characters"),
        ([0] * (frames.MOST_ITEMS + 1), f"list of {frames.MOST_ITEMS + 1} values"),
        (dict.fromkeys(map(str, range(110_000))), "dict of 110000 values"),
        (set(range(3000)), "set of 3000 values"),
        (dict.fromkeys(range(3000)), "dict of 3000 values"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_data_beyond_the_limits_is_told_by_a_name_and_its_neighbors_as_they_are(value: Any, name: str) -> None:
    assert back({"before": 1, "it": value, "after": [2]}) == {"before": 1, "it": Opaque(name), "after": [2]}


def test_keys_are_told_as_they_are_where_they_have_a_value() -> None:
    assert back({(1, "a"): 1, None: 2, 2.5: 3, frozenset({1}): 4}) == {(1, "a"): 1, None: 2, 2.5: 3, frozenset({1}): 4}
    assert back({torch.ones(1): [torch.zeros(1)]}.keys()) == Opaque("dict_keys")
    assert back({torch.ones(1): [1]}) == {Opaque("Tensor"): [1]}
    assert back({tuple(range(20)): 1}) == {Opaque("tuple"): 1}


def test_what_could_not_be_told_is_told_again_by_its_name() -> None:
    assert back(back([len, 1])) == [Opaque("builtin_function_or_method"), 1]


def test_what_is_no_data_comes_back_as_its_class_alone() -> None:
    class Same(torch.Tensor):
        pass

    assert back(torch.zeros(1).as_subclass(Same)) == Opaque("Same")
    assert back([len, object()]) == [Opaque("builtin_function_or_method"), Opaque("object")]
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
        frame(["a", "qint8", [2, 2]], bytes(64)),
        frame(["a", "float32", [2**40, 0]]),
        frame(["a", "float32", [0, 2**60]]),
        frame(["a", "float32", [1] * 40], bytes(4)),
        frame(["a", "float32", [True]], bytes(4)),
        frame(["a", "float32", [1.0]], bytes(4)),
        frame(["a", "float32"]),
        frame(["a", ["float32"], [1]], bytes(4)),
        frame(["i", "1" * 5000]),
        frame(["i", 1]),
        frame(["f", "0x1p99999"]),
        frame(["f", "0x" + "1" * 100]),
        frame(["s", ["s", "text"]]),
        frame(["s", "text", "more"]),
        frame("sx"),
        frame(["l", "sx"]),
        frame(["l", {"c": None}]),
        frame([["c"], None]),
        frame(["e", [["a", "float32", [1]]]], bytes(4)),
        frame(["e", [["t", [["i", "0x1"]] * 9]]]),
        frame(["d", [[["c", None]]]]),
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


TOLD = st.recursive(
    st.one_of(
        st.tuples(st.sampled_from("cifsoz"), st.none() | st.booleans() | st.text() | st.floats() | st.integers()).map(
            list
        ),
        st.tuples(st.just("i"), st.integers().map(hex)).map(list),
        st.tuples(st.just("f"), st.floats().map(float.hex)).map(list),
        st.tuples(
            st.just("a"), st.sampled_from([*ITEM_SIZES, "qint8", "bits8"]), st.lists(st.integers(-1, 4), max_size=4)
        ).map(list),
        st.sampled_from(["\ud800", None, {}, [], 10**400]),
    ),
    lambda inner: (
        st.tuples(st.sampled_from("lte"), st.lists(inner)).map(list)
        | st.tuples(st.just("d"), st.lists(st.tuples(inner, inner).map(list))).map(list)
        | st.lists(inner)
    ),
    max_leaves=12,
)


@given(head=TOLD, blobs=st.binary(max_size=200), cut=st.integers(0, 12))
def test_a_frame_is_a_value_or_is_refused_and_a_value_is_told_again_alike(head: Any, blobs: bytes, cut: int) -> None:
    data = frame(head, blobs)
    read = decoded(data[: len(data) - cut])
    assert read.reading in {Reading.CUT, Reading.MALFORMED, Reading.COMPLETE}
    for value in read.told:
        again = wire.encode(value)
        assert wire.encode(back(value)) == again
        again.decode("utf-8", "surrogateescape")
