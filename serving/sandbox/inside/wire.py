"""Values as bytes that cannot do anything: what a worker reports, and how the trusted side reads it.

A frame is the length of its head, the head (JSON, which names every value's type), and the numbers of its tensors,
one after another. There is no pickle: reading a frame makes numbers, texts, lists and tensors, and nothing else.
Stands alone, since it is imported on both sides of the wall.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy
import torch

MOST_ITEMS = 200_000
"""Values one frame may hold, nested ones included."""

LONGEST = 2**30
"""Bytes of a frame's head, and of its numbers."""

DEEPEST = 40
"""Lists within lists."""

_LENGTHS = struct.Struct(">IQ")
_INTEGER_DIGITS = 4000


class Opaque(NamedTuple):
    """What came out of a program and is no data: an object of some class.

    Attributes:
        type: the class's name.

    """

    type: str


class MalformedError(Exception):
    """Bytes that are no frame."""


def encode(value: Any) -> bytes:
    """A frame.

    Numbers, texts, ``None``, lists, tuples, sets, dictionaries, NumPy arrays and tensors (their numbers, on whatever
    device and in whatever order they lie) are told as they are; anything else only by the name of its class: a
    subclass of ``Tensor`` may say that it equals anything.
    """
    blobs: list[bytes] = []
    head = json.dumps(_told(value, blobs, 0)).encode()
    return _LENGTHS.pack(len(head), sum(map(len, blobs))) + head + b"".join(blobs)


def frames(read: Callable[[int], bytes]) -> Iterator[Any]:
    """The values of all whole frames.

    Args:
        read: gives up to that many bytes; fewer only at the end.

    Raises:
        MalformedError: what was read is no frame.

    """
    while True:
        start = read(_LENGTHS.size)
        if len(start) < _LENGTHS.size:
            return
        head, rest = _LENGTHS.unpack(start)
        if head > LONGEST or rest > LONGEST:
            raise MalformedError("a frame says that it is longer than any may be")
        told, blobs = read(head), read(rest)
        if len(told) < head or len(blobs) < rest:
            return
        yield decode(told, blobs)


def decode(head: bytes, blobs: bytes) -> Any:
    """The value of a frame.

    Raises:
        MalformedError: it is none.

    """
    try:
        return _Reader(blobs).value(json.loads(head), 0)
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, RuntimeError, OverflowError) as error:
        raise MalformedError(str(error)) from error


def _told(value: Any, blobs: list[bytes], depth: int) -> list[Any]:  # noqa: PLR0911 - one a kind of value
    kind = type(value)
    if value is None or kind is bool:
        return ["c", value]
    if kind is int:
        return ["i", hex(value)]
    if kind is float:
        return ["f", value.hex()]
    if kind is str:
        # Half of a surrogate pair is no text that could be sent.
        return ["s", value.encode("utf-8", "replace").decode()]
    if depth < DEEPEST and isinstance(value, list | tuple | set | frozenset):
        name = "l" if isinstance(value, list) else "t" if isinstance(value, tuple) else "e"
        return [name, [_told(item, blobs, depth + 1) for item in value]]
    if depth < DEEPEST and isinstance(value, dict):
        pairs = ([_told(key, blobs, depth + 1), _told(item, blobs, depth + 1)] for key, item in value.items())
        return ["d", list(pairs)]
    return _array(value, blobs)


def _array(value: Any, blobs: list[bytes]) -> list[Any]:
    if isinstance(value, torch.dtype | torch.device):
        return ["s", str(value)]
    if isinstance(value, numpy.ndarray | numpy.generic) and value.dtype.kind in "biufc":
        value = torch.from_numpy(numpy.array(value))
    known = type(value) in {torch.Tensor, torch.nn.Parameter} and value.layout is torch.strided
    if not known or value.is_meta:
        return ["o", type(value).__name__[:100]]
    # Copied, since a tensor with one element may count as contiguous with any stride.
    flat = torch.empty(value.numel(), dtype=value.dtype)
    flat.copy_(value.detach().cpu().resolve_conj().resolve_neg().reshape(-1))
    blobs.append(flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b"")
    return ["a", str(value.dtype).removeprefix("torch."), list(value.shape)]


class _Reader:
    """Reads the values of one frame; tensors take their bytes in order."""

    def __init__(self, blobs: bytes) -> None:
        self._blobs, self._at, self._items = blobs, 0, 0

    def value(self, told: Any, depth: int) -> Any:  # noqa: PLR0911 - one a kind of value
        self._items += 1
        if self._items > MOST_ITEMS or depth > DEEPEST:
            raise ValueError("a frame holds too much")
        kind, *rest = told
        match kind:
            case "c" if rest[0] is None or isinstance(rest[0], bool):
                return rest[0]
            case "i" if len(rest[0]) < _INTEGER_DIGITS:
                return int(rest[0], 16)
            case "f":
                return float.fromhex(rest[0])
            case "s" if isinstance(rest[0], str):
                return rest[0]
            case "o" if isinstance(rest[0], str):
                return Opaque(rest[0])
            case "l" | "t":
                items = [self.value(item, depth + 1) for item in rest[0]]
                return items if kind == "l" else tuple(items)
            case "e":
                return frozenset(self.value(item, depth + 1) for item in rest[0])
            case "d":
                return {self.value(key, depth + 1): self.value(item, depth + 1) for key, item in rest[0]}
            case "a":
                return self._tensor(*rest)
        raise ValueError(f"no value is told as {str(kind)[:20]}")

    def _tensor(self, name: str, shape: list[int]) -> Any:
        dtype = getattr(torch, name, None)
        if not isinstance(dtype, torch.dtype) or any(type(side) is not int or side < 0 for side in shape):
            raise ValueError("no such tensor")
        count = 1
        for side in shape:
            count *= side
        size = count * dtype.itemsize
        if size > len(self._blobs) - self._at:
            raise ValueError("a tensor is larger than its bytes")
        part = bytearray(self._blobs[self._at : self._at + size])
        self._at += size
        return torch.frombuffer(part, dtype=dtype).reshape(shape) if size else torch.empty(shape, dtype=dtype)
