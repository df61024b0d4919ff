"""An embedder that remembers: the same criteria and example statements come with every answer to a question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from serving.arrays import FloatArray
from serving.encoders.kept_vectors import KeptVectors
from serving.encoders.sentence_encoder import Embedder
from serving.remembered import RememberedRows

REMEMBERED = 20_000
"""Texts kept, about 40 MB with their vectors; in one person's interviews a tenth of it, see ``RememberedRows``."""


class CachedEmbedder:
    """Wraps an embedder; safe to use from several threads.

    Args:
        inner: makes the vectors of texts that are new.
        kept: holds vectors of texts that never change in a file; all others are remembered in memory for a while.

    """

    def __init__(self, inner: Embedder, kept: KeptVectors | None = None) -> None:
        self._inner, self._kept = inner, kept
        self._known: RememberedRows[str] = RememberedRows(REMEMBERED)

    @property
    def name(self) -> str:
        """See ``Embedder.name``."""
        return self._inner.name

    @property
    def dim(self) -> int:
        """See ``Embedder.dim``."""
        return self._inner.dim

    def embed(self, texts: Sequence[str]) -> FloatArray:
        """See ``Embedder.embed``."""
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        found = {} if self._kept is None else self._fixed(self._kept, texts)
        others = [text for text in texts if text not in found]
        found.update(zip(others, self._known.rows(others, self._inner.embed), strict=True))
        return np.stack([found[text] for text in texts])

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """See ``Embedder.embed_documents``; they are many and come once, so they are not remembered."""
        return self._inner.embed_documents(texts)

    def _fixed(self, kept: KeptVectors, texts: Sequence[str]) -> dict[str, FloatArray]:
        fixed = [text for text in texts if text in kept]
        if not fixed:
            return {}
        return dict(zip(fixed, kept.rows(self.name, self.dim, fixed, self._inner.embed), strict=True))
