"""Tensors and other values as frames (``frames.py``): what a worker reports, and how the trusted side reads it.

Stands alone, since it is imported on both sides of the wall.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy
import torch

if TYPE_CHECKING or __package__:
    from serving.sandbox.inside.frames import ITEM_SIZES, MOST_DIMENSIONS, MOST_ELEMENTS, Array, Opaque, pack
    from serving.sandbox.inside.frames import frames as _frames
else:
    # Inside the sandbox this folder is all there is.
    from frames import ITEM_SIZES, MOST_DIMENSIONS, MOST_ELEMENTS, Array, Opaque, pack
    from frames import frames as _frames

_DTYPES: dict[str, torch.dtype] = {name: getattr(torch, name) for name in ITEM_SIZES}


def encode(value: Any) -> bytes:
    """Returns the frame of a value.

    Numbers, texts, ``None``, lists, tuples, sets, dictionaries, NumPy arrays and tensors (their numbers, on whatever
    device and in whatever order they lie) are told as they are; anything else only by the name of its class: a
    subclass of ``Tensor`` may say that it equals anything. Data beyond the limits of ``frames.py`` is told by a name.
    """
    return pack(value, _leaf)


def frames(read: Callable[[int], bytes]) -> Iterator[Any]:
    """Yields the values of all whole frames of a stream, their arrays as tensors.

    Args:
        read: gives up to that many bytes; fewer only at the end.

    Raises:
        MalformedError: what was read is no frame.
        OversizeError: the frames hold more than any may.

    """
    return _frames(read, tensor)


def tensor(array: Array) -> torch.Tensor:
    """Returns the tensor that an array tells of."""
    dtype = _DTYPES[array.dtype]
    if not array.data:
        return torch.empty(array.shape, dtype=dtype)
    numbers = numpy.frombuffer(array.data, dtype=numpy.uint8)
    # A byte that is neither 0 nor 1 is no bool, and operations do not agree on what it counts as.
    numbers = (numbers != 0) if dtype is torch.bool else numbers.copy()
    return torch.from_numpy(numbers).view(dtype).reshape(array.shape)


def _leaf(value: Any) -> Opaque | Array | str:
    if isinstance(value, torch.dtype | torch.device):
        return str(value)
    if isinstance(value, numpy.ndarray | numpy.generic) and value.dtype.kind in "biufc":
        value = torch.from_numpy(numpy.array(value))
    known = type(value) in {torch.Tensor, torch.nn.Parameter} and value.layout is torch.strided
    if not known or value.is_meta or value.is_nested:
        return Opaque(type(value).__name__)
    dtype = str(value.dtype).removeprefix("torch.")
    if dtype not in ITEM_SIZES:
        return Opaque(f"{type(value).__name__} of dtype {dtype}")
    shape = tuple(value.shape)
    spread = 1
    for side in shape:
        spread *= max(side, 1)
    if len(shape) > MOST_DIMENSIONS or spread > MOST_ELEMENTS:
        return Opaque(f"{type(value).__name__} of shape {shape}")
    # Copied, since a tensor with one element may count as contiguous with any stride.
    flat = torch.empty(value.numel(), dtype=value.dtype)
    flat.copy_(value.detach().cpu().resolve_conj().resolve_neg().reshape(-1))
    return Array(dtype, shape, flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b"")
