"""What differs between two values that programs returned, in words a person can act on. Pure.

Tolerances are those of ``torch.testing.assert_close``, by dtype.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import torch

from serving.sandbox.inside.frames import MOST_BITS, Opaque

_REL = 1e-6
_NUMBER = int | float


def difference(expected: Any, got: Any) -> str:
    """How ``got`` differs from ``expected``, one clause; empty where they agree.

    Lists and tuples are equal where their items are, whole numbers and floats where their values are, to within
    rounding. Tensors must agree in shape and dtype. What cannot be compared differs, and the clause says so.
    """
    try:
        return _difference(expected, got)
    except Exception as error:  # noqa: BLE001 - ``got`` is of a program's making
        return f"what came back cannot be compared with what was expected ({type(error).__name__})"


def _difference(expected: Any, got: Any) -> str:  # noqa: PLR0911 - one a kind of value
    if isinstance(got, Opaque) and not (isinstance(expected, Opaque) and got == expected):
        return f"an object of class {got.type} came back, which is not a plain {_kind(expected)}"
    if isinstance(expected, torch.Tensor):
        return _tensors(expected, got)
    if isinstance(expected, bool) or isinstance(got, bool) or expected is None or got is None:
        same = type(expected) is type(got) and expected == got
        return "" if same else f"{shown(expected)} was expected, not {shown(got)}"
    if isinstance(expected, _NUMBER) and isinstance(got, _NUMBER):
        return "" if _close(expected, got) else f"{shown(expected)} was expected, not {shown(got)}"
    if isinstance(expected, list | tuple) and isinstance(got, list | tuple):
        return _sequences(expected, got)
    if isinstance(expected, dict) and isinstance(got, dict):
        return _dictionaries(expected, got)
    if type(expected) is not type(got):
        return f"a {_kind(expected)} was expected, not a {_kind(got)}"
    return "" if expected == got else f"{shown(expected)} was expected, not {shown(got)}"


def shown(value: Any, most: int = 300) -> str:
    """A value as a person reads it, cut at a length."""
    if isinstance(value, Opaque):
        text = f"<{value.type}>"
    elif isinstance(value, torch.Tensor):
        text = _tensor_text(value)
    elif isinstance(value, dict):
        pairs = itertools.islice(value.items(), most)
        text = "{" + ", ".join(f"{shown(key, most)}: {shown(item, most)}" for key, item in pairs) + "}"
    elif isinstance(value, list):
        text = "[" + ", ".join(shown(item, most) for item in value[:most]) + "]"
    elif isinstance(value, tuple):
        text = "(" + ", ".join(shown(item, most) for item in value[:most]) + ("," if len(value) == 1 else "") + ")"
    elif isinstance(value, frozenset):
        text = "{" + ", ".join(sorted(shown(item, most) for item in value)) + "}" if value else "set()"
    elif isinstance(value, int) and value.bit_length() > MOST_BITS:
        text = f"a whole number of {value.bit_length()} bits"
    elif isinstance(value, str):
        text = repr(value[: most + 1])
    else:
        text = f"{value:.6g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= most else text[: most - 1] + "…"


def named(values: Any) -> str:
    """What was put in, as a call would name it."""
    if isinstance(values, dict) and all(isinstance(key, str) for key in values):
        return ", ".join(f"{key} = {shown(value)}" for key, value in values.items())
    return shown(values)


def _tensor_text(value: torch.Tensor) -> str:
    dtype = str(value.dtype).removeprefix("torch.")
    if value.numel() > 24 or (value.numel() == 0 and value.ndim > 1):
        return f"tensor of shape {tuple(value.shape)}, {dtype}"
    numbers = shown(value.tolist())
    return f"tensor({numbers})" if dtype in {"float32", "int64", "bool"} else f"tensor({numbers}, {dtype})"


def _kind(value: Any) -> str:
    return {"NoneType": "None", "frozenset": "set", "Tensor": "tensor"}.get(type(value).__name__, type(value).__name__)


def _close(expected: float, got: float) -> bool:
    if isinstance(expected, int) and isinstance(got, int):
        return expected == got
    try:
        ours, theirs = float(expected), float(got)
    except OverflowError:
        # A whole number beyond all floats is near none of them.
        return False
    if math.isnan(ours) or math.isnan(theirs):
        return math.isnan(ours) and math.isnan(theirs)
    return math.isclose(ours, theirs, rel_tol=_REL, abs_tol=_REL)


def _sequences(expected: list[Any] | tuple[Any, ...], got: list[Any] | tuple[Any, ...]) -> str:
    if len(expected) != len(got):
        return f"{len(expected)} values were expected, not {len(got)}"
    for place, (ours, theirs) in enumerate(zip(expected, got, strict=True), 1):
        if found := _difference(ours, theirs):
            return f"value {place} of {len(expected)}: {found}"
    return ""


def _dictionaries(expected: dict[Any, Any], got: dict[Any, Any]) -> str:
    for key, ours in expected.items():
        if key not in got:
            return f"there is no {shown(key)}"
        if found := _difference(ours, got[key]):
            return f"{shown(key)}: {found}"
    extra = [key for key in got if key not in expected]
    return f"{shown(extra[0])} is there and should not be" if extra else ""


def _tensors(expected: torch.Tensor, got: Any) -> str:
    if not isinstance(got, torch.Tensor):
        return f"a tensor was expected, not {shown(got)}"
    if expected.shape != got.shape:
        return f"shape {tuple(expected.shape)} was expected, not {tuple(got.shape)}"
    if expected.dtype != got.dtype:
        return f"dtype {_dtype(expected)} was expected, not {_dtype(got)}"
    try:
        torch.testing.assert_close(got, expected, equal_nan=True)
    except AssertionError:
        return _numbers(expected, got)
    return ""


def _numbers(expected: torch.Tensor, got: torch.Tensor) -> str:
    if expected.dtype.is_complex:
        return "the numbers differ"
    ours, theirs = expected.double(), got.double()
    strange = ~theirs.isfinite() & ours.isfinite()
    if strange.any():
        value = theirs[strange][0].item()
        return f"{shown(value)} came back at {_place(strange)}, where a finite number was expected"
    gap = torch.nan_to_num((ours - theirs).abs(), nan=math.inf)
    worst = gap == gap.max()
    share = (gap > _REL * ours.abs().clamp(min=1)).double().mean().item()
    at = f" at {_place(worst)}" if expected.ndim else ""
    largest = f"{shown(ours[worst][0].item())} was expected{at}, not {shown(theirs[worst][0].item())}"
    return f"{share:.0%} of the numbers differ; {largest}" if expected.numel() > 1 else largest


def _place(chosen: torch.Tensor) -> str:
    return shown(tuple(torch.nonzero(chosen)[0].tolist()))


def _dtype(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")
