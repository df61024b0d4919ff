"""The frame format: values as bytes that cannot do anything, and the limits on what a frame may hold.

A frame is the length of its head, the length of its blobs, the head (JSON, which names every value's type), and the
blobs: the numbers of its arrays, one array after another. There is no pickle. Reading a frame makes numbers, texts,
containers and arrays, and nothing else.

Imports the standard library only, so that frames can be read where no library of numbers is loaded. Stands alone,
since it is imported on both sides of the wall.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

MOST_FRAMES = 10_000
"""Frames of one stream; the largest task of the bank makes 800."""

MOST_ITEMS = 200_000
"""Values of one stream, nested ones included; the largest task of the bank makes 20,000."""

MOST_KEYS = 2048
"""Keys of one dictionary or members of one set, texts left out."""

MOST_COMPARISONS = MOST_KEYS**2 // 2
"""Pairs of such keys within one container, summed over a stream.

Anybody can compute numbers that share one hash, and then each is compared with each. Hashes of texts are random.
"""

MOST_IN_KEY = 8
"""Values within a tuple or set that is a key itself."""

MOST_HEAD = 8 * 2**20
"""Bytes of one head."""

MOST_HEADS = 16 * 2**20
"""Bytes of all heads of one stream."""

LONGEST = 64 * 2**20
"""Bytes of a stream, and so of any part of it."""

MOST_TEXT = 2**20
"""Characters of a text that is told as it is."""

MOST_BITS = 4096
"""Of an integer. Python shows none with more than 4300 decimal digits."""

MOST_DIMENSIONS = 25
"""Of an array. Torch indexes none with more."""

MOST_ELEMENTS = 2**26
"""Product of an array's sides, those of length 0 counted as 1: an array without numbers can still make many lists."""

DEEPEST = 40
"""Containers within containers."""

ITEM_SIZES = {
    **{"bool": 1, "uint8": 1, "int8": 1, "uint16": 2, "int16": 2, "uint32": 4, "int32": 4, "uint64": 8, "int64": 8},
    **{"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16},
    **{"float8_e4m3fn": 1, "float8_e4m3fnuz": 1, "float8_e5m2": 1, "float8_e5m2fnuz": 1, "float8_e8m0fnu": 1},
}
"""Bytes of one number of each dtype that can be told.

Left out are dtypes whose numbers torch cannot read one by one (quantized, ``bits*``, ``uint1`` to ``int7``, ``float4``;
a quantized tensor made of bytes crashes the process) and ``complex32``, which torch supports on paper only.
"""

_LENGTHS = struct.Struct(">IQ")
_LONGEST_INTEGER = MOST_BITS // 4 + len("-0x")
_LONGEST_FLOAT = 40
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Opaque:
    """What came out of a program and is no data: an object of some class, or data that is too large.

    Attributes:
        type: the class's name, or what it is.

    """

    type: str


@dataclass(frozen=True, slots=True)
class Array:
    """An array as it is told.

    Attributes:
        dtype: one of ``ITEM_SIZES``.
        shape: its sides.
        data: its numbers in the machine's byte order, the last dimension running fastest.

    """

    dtype: str
    shape: tuple[int, ...]
    data: bytes


class MalformedError(Exception):
    """Bytes that are no frame."""


class OversizeError(MalformedError):
    """Frames that hold more than any may."""


def pack(value: Any, leaf: Callable[[Any], Opaque | Array | str]) -> bytes:
    """Returns the frame of a value.

    ``None``, numbers, texts, lists, tuples, sets, dictionaries, ``Opaque`` and ``Array`` are told as they are.

    Args:
        value: what is told.
        leaf: makes something that can be told of every other object.

    """
    writer = _Writer(leaf)
    head = json.dumps(writer.told(value, 0)).encode()
    return _LENGTHS.pack(len(head), sum(map(len, writer.blobs))) + head + b"".join(writer.blobs)


def frames(read: Callable[[int], bytes], made: Callable[[Array], Any] = lambda array: array) -> Iterator[Any]:
    """Yields the values of all whole frames of a stream.

    Args:
        read: gives up to that many bytes; fewer only at the end.
        made: what becomes of an array.

    Raises:
        MalformedError: what was read is no frame.
        OversizeError: the frames hold more than any may.

    """
    reader = _Reader(made)
    heads = 0
    for number in range(MOST_FRAMES + 1):
        start = read(_LENGTHS.size)
        if len(start) < _LENGTHS.size:
            return
        if number == MOST_FRAMES:
            raise OversizeError(f"there are more than {MOST_FRAMES} frames")
        head, rest = _LENGTHS.unpack(start)
        if head > LONGEST or rest > LONGEST:
            raise MalformedError("a frame says that it is longer than any may be")
        heads += head
        if head > MOST_HEAD or heads > MOST_HEADS:
            raise OversizeError("the heads of frames are longer than they may be")
        told, blobs = read(head), read(rest)
        if len(told) < head or len(blobs) < rest:
            return
        yield reader.frame(told, blobs)


class _Writer:
    """Tells one value; collects the numbers of its arrays in ``blobs``."""

    def __init__(self, leaf: Callable[[Any], Opaque | Array | str]) -> None:
        self.blobs: list[bytes] = []
        self._leaf, self._items = leaf, 0

    def told(self, value: Any, depth: int) -> list[Any]:  # noqa: PLR0911 - one a kind of value
        kind = type(value)
        if value is None or kind is bool:
            return ["c", value]
        if kind is int:
            bits = value.bit_length()
            return ["i", hex(value)] if bits <= MOST_BITS else ["o", f"int of {bits} bits"]
        if kind is float:
            return ["f", value.hex()]
        if kind is str:
            return ["s", _text(value)] if len(value) <= MOST_TEXT else ["o", f"str of {len(value)} characters"]
        if depth < DEEPEST and isinstance(value, list | tuple | set | frozenset | dict):
            items = self._items + len(value) * (2 if isinstance(value, dict) else 1)
            if items >= MOST_ITEMS or _keys(value) > MOST_KEYS:
                return ["o", f"{_name(value)} of {len(value)} values"]
            self._items = items
            if isinstance(value, dict):
                return ["d", [[self._key(key, depth + 1), self.told(item, depth + 1)] for key, item in value.items()]]
            if isinstance(value, list | tuple):
                name = "l" if isinstance(value, list) else "t"
                return [name, [self.told(item, depth + 1) for item in value]]
            return ["e", [self._key(item, depth + 1) for item in value]]
        return self._leaf_told(value)

    def _key(self, value: Any, depth: int) -> list[Any]:
        """A key of a dictionary or a member of a set: never an array, which has no value to be found by."""
        arrays, items = len(self.blobs), self._items
        told = self.told(value, depth)
        if len(self.blobs) == arrays and self._items - items <= MOST_IN_KEY and told[0] not in {"l", "d"}:
            return told
        del self.blobs[arrays:]
        return ["o", _name(value)]

    def _leaf_told(self, value: Any) -> list[Any]:
        leaf = value if type(value) in {Opaque, Array} else self._leaf(value)
        if isinstance(leaf, str):
            return ["s", _text(leaf)]
        if isinstance(leaf, Opaque):
            return ["o", _text(leaf.type)[:_LONGEST_NAME]]
        self.blobs.append(leaf.data)
        return ["a", leaf.dtype, list(leaf.shape)]


class _Reader:
    """Reads the frames of one stream, within its limits."""

    def __init__(self, made: Callable[[Array], Any]) -> None:
        self._made = made
        self._items = self._comparisons = 0
        self._blobs, self._at = b"", 0

    def frame(self, head: bytes, blobs: bytes) -> Any:
        """Returns a frame's value; its arrays take their bytes in order.

        Raises:
            MalformedError: it is none.

        """
        self._blobs, self._at = blobs, 0
        try:
            return self._value(json.loads(head), 0)
        except MalformedError:
            raise
        except MemoryError as error:
            raise OversizeError("a frame takes more memory than it may") from error
        except (ValueError, TypeError, RecursionError, ArithmeticError) as error:
            raise MalformedError(str(error)[:200]) from error

    def _value(self, told: Any, depth: int) -> Any:  # noqa: PLR0911 - one a kind of value
        self._items += 1
        if self._items > MOST_ITEMS:
            raise OversizeError(f"there are more than {MOST_ITEMS} values")
        if depth > DEEPEST:
            raise MalformedError("values are nested too deep")
        match told:
            case ["c", (None | True | False) as constant]:
                return constant
            case ["i", str(digits)] if len(digits) <= _LONGEST_INTEGER:
                return int(digits, 16)
            case ["f", str(digits)] if len(digits) <= _LONGEST_FLOAT:
                return float.fromhex(digits)
            case ["s", str(text)]:
                return _text(text)
            case ["o", str(name)]:
                return Opaque(_text(name)[:_LONGEST_NAME])
            case ["l", list(items)]:
                return [self._value(item, depth + 1) for item in items]
            case ["t", list(items)]:
                return tuple(self._value(item, depth + 1) for item in items)
            case ["e", list(items)]:
                return frozenset(self._key(item, depth + 1, place) for place, item in enumerate(items))
            case ["d", list(pairs)]:
                return {
                    self._key(key, depth + 1, place): self._value(item, depth + 1)
                    for place, (key, item) in enumerate(pairs)
                }
            case ["a", str(name), list(shape)]:
                return self._made(self._array(name, shape))
        raise MalformedError("no value is told like this")

    def _key(self, told: Any, depth: int, place: int) -> Any:
        key = self._value(told, depth)
        if not isinstance(key, str):
            self._comparisons += place
            if self._comparisons > MOST_COMPARISONS:
                raise OversizeError("there are more keys than may be compared")
            _check_key(key)
        return key

    def _array(self, name: str, shape: list[Any]) -> Array:
        if name not in ITEM_SIZES:
            raise MalformedError(f"there are no arrays of {name[:_LONGEST_NAME]}")
        if len(shape) > MOST_DIMENSIONS or any(type(side) is not int or side < 0 for side in shape):
            raise MalformedError("no array has such a shape")
        count, spread = 1, 1
        for side in shape:
            count, spread = count * side, spread * max(side, 1)
            if spread > MOST_ELEMENTS:
                raise MalformedError("an array has more numbers than any may have")
        size = count * ITEM_SIZES[name]
        if size > len(self._blobs) - self._at:
            raise MalformedError("an array is larger than its bytes")
        data = self._blobs[self._at : self._at + size]
        self._at += size
        return Array(name, tuple(shape), data)


def _check_key(key: Any) -> None:
    """Raises ``MalformedError`` where something is no key."""
    left, parts = MOST_IN_KEY, [key]
    while parts:
        part = parts.pop()
        if isinstance(part, tuple | frozenset):
            left -= len(part)
            parts += part if left >= 0 else ()
        elif part is not None and not isinstance(part, bool | int | float | str | Opaque):
            raise MalformedError(f"a key is a {type(part).__name__}")
        if left < 0:
            raise MalformedError("a key holds too much")


def _text(value: str) -> str:
    """The text; half of a surrogate pair, which is no text that could be sent or stored, becomes a question mark."""
    return value if value.isascii() else value.encode("utf-8", "replace").decode()


def _keys(value: Any) -> int:
    """How many keys that are no texts a container has."""
    return 0 if isinstance(value, list | tuple) else sum(type(key) is not str for key in value)


def _name(value: Any) -> str:
    return type(value).__name__[:_LONGEST_NAME]
