"""An embedder that remembers: the same criteria and example statements come with every answer to a question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from serving.arrays import FloatArray
from serving.encoders.sentence_encoder import Embedder
from serving.remembered import RememberedRows

REMEMBERED = 20_000
"""Texts kept, about 40 MB with their vectors; in one person's interviews a tenth of it, see ``RememberedRows``."""


class CachedEmbedder:
    """Wraps an embedder; safe to use from several threads.

    Args:
        inner: makes the vectors of texts that are new.
    """

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
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
        rows = self._known.rows(texts, self._inner.embed)
        return np.stack(rows) if rows else np.zeros((0, self.dim), dtype=np.float32)

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """See ``Embedder.embed_documents``; they are many and come once, so they are not remembered."""
        return self._inner.embed_documents(texts)
