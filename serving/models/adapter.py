"""A small change to a model's weights, kept instead of the whole changed model.

Contrastive fitting (``rubric.training.fit_sentence_encoder``) changes every layer of the encoder. What is stored is
the difference to the published weights, of each matrix the part of low rank that holds most of it (as LoRA does while
fitting; Hu et al. 2021), eight bits a number with one scale a row: a model of 90 MB is followed by a file of under 3
MB.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from serving.arrays import FloatArray
from serving.errors import ModelMissingError

if TYPE_CHECKING:
    from torch import nn

RANK = 64
"""Rank that is kept of a matrix's change: measured to judge as well as all of it
(docs/benchmarks/judge-alternatives.md)."""

_NOISE = 1e-5
"""Of the largest singular value: what single precision makes of a zero."""

_LEFT, _RIGHT, _SCALE = ".left", ".right", ".scale"


def save(path: Path, changes: Mapping[str, FloatArray], rank: int = RANK) -> None:
    """Write changes of parameters.

    Args:
        path: an ``.npz`` file.
        changes: by the parameter's name, in its shape; of one or two dimensions.
        rank: that is kept of a change of two dimensions, at most; what it has no more than noise of is left out.

    """
    arrays: dict[str, np.ndarray] = {}
    for name, change in changes.items():
        if change.ndim == 1:
            arrays |= _stored(name, change[None])
        else:
            left, values, right = np.linalg.svd(change, full_matrices=False)
            kept = max(1, min(rank, int((values > _NOISE * values[0]).sum())))
            arrays |= _stored(name + _LEFT, left[:, :kept] * values[:kept])
            arrays |= _stored(name + _RIGHT, right[:kept])
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, allow_pickle=False, **arrays)


class Changes(Mapping[str, FloatArray]):
    """Changes of parameters, by name.

    A matrix is made of its factors each time it is asked for: all of a model's together take gigabytes.
    """

    def __init__(self, arrays: Mapping[str, FloatArray]) -> None:
        """Take what a file stores, as numbers.

        Raises:
            KeyError: a matrix lacks one of its factors.
        """
        self._arrays = arrays
        self._names = tuple(dict.fromkeys(name.removesuffix(_LEFT).removesuffix(_RIGHT) for name in arrays))
        for name in self._names:
            if name not in arrays and not {name + _LEFT, name + _RIGHT} <= arrays.keys():
                raise KeyError(name)

    def __getitem__(self, name: str) -> FloatArray:
        """The change of a parameter, in its shape."""
        if name in self._arrays:
            row: FloatArray = self._arrays[name][0]
            return row
        product: FloatArray = self._arrays[name + _LEFT] @ self._arrays[name + _RIGHT]
        return product

    def __iter__(self) -> Iterator[str]:
        """The parameters' names."""
        return iter(self._names)

    def __len__(self) -> int:
        """How many parameters are changed."""
        return len(self._names)


def load(path: Path, prefix: str = "") -> Changes:
    """Read the changes of parameters, by name.

    Args:
        path: what ``save`` wrote.
        prefix: put before each name.

    Raises:
        ModelMissingError: the file is not there or holds none.

    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {
                prefix + name: stored[name].astype(np.float32) * stored[name + _SCALE]
                for name in stored.files
                if not name.endswith(_SCALE)
            }
        return Changes(arrays)
    except (OSError, KeyError, ValueError) as error:
        raise ModelMissingError(
            f"The adapter {path} cannot be read.", hint="Get the file from the repository again."
        ) from error


def add(model: nn.Module, changes: Mapping[str, FloatArray], left_out: tuple[str, ...] = ()) -> None:
    """Change a model's parameters in place.

    Args:
        model: has the parameters that the changes name.
        changes: by the parameter's name.
        left_out: how names of parameters begin that the model lacks; their changes are left out.

    Raises:
        ModelMissingError: the changes are of another model.

    """
    import torch  # noqa: PLC0415 - only whoever embeds pays for the import

    parameters = dict(model.named_parameters())
    names = [name for name in changes if not name.startswith(left_out)]
    wrong = [name for name in names if name not in parameters or parameters[name].shape != changes[name].shape]
    if wrong:
        raise ModelMissingError(f"The adapter was made for another model: {wrong[0]} does not fit.")
    with torch.no_grad():
        for name in names:
            parameters[name].add_(torch.from_numpy(changes[name]).to(parameters[name].device))


def version_of(path: Path) -> str:
    """Twelve hex digits of the file's SHA-256.

    Raises:
        ModelMissingError: the file is not there.

    """
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    except OSError as error:
        raise ModelMissingError(f"The adapter {path} cannot be read: {error.strerror}.") from error


def _stored(name: str, rows: FloatArray) -> dict[str, np.ndarray]:
    """Rows as eight-bit numbers and their scales."""
    scale = np.maximum(np.abs(rows).max(axis=1, keepdims=True), 1e-12) / 127.0
    return {name: np.round(rows / scale).astype(np.int8), name + _SCALE: scale.astype(np.float32)}
