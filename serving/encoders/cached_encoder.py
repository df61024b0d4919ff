"""An embedder that remembers: the same criteria and example statements come with every answer to a question."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from cachetools import LRUCache

from serving.arrays import FloatArray
from serving.encoders.sentence_encoder import Embedder

REMEMBERED = 20_000
"""Texts kept, about 30 MB of vectors: every statement of a bank of two hundred questions."""


class CachedEmbedder:
    """Wraps an embedder; safe to use from several threads.

    Args:
        inner: makes the vectors of texts that are new.
    """

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._known: LRUCache[str, FloatArray] = LRUCache(REMEMBERED)
        self._lock = threading.Lock()

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
        with self._lock:
            vectors: dict[str, FloatArray] = {text: self._known[text] for text in texts if text in self._known}
        new = [text for text in dict.fromkeys(texts) if text not in vectors]
        vectors.update(zip(new, self._inner.embed(new), strict=True))
        with self._lock:
            self._known.update(vectors)
        rows = [vectors[text] for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dim), dtype=np.float32)
