"""States that were read are remembered: what an answer has in common with its draft is not read again."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from cachetools import LRUCache

from serving.arrays import FloatArray
from serving.llm.client import StateClient

REMEMBERED = 1000
"""States kept, about 7 MB of them: those of an hour's drafts."""


class RememberedStates:
    """Wraps a client; safe to use from several threads. The same prompt has the same state, whoever reads it.

    Args:
        inner: reads the prompts that are new.

    """

    def __init__(self, inner: StateClient) -> None:
        self._inner = inner
        self._known: LRUCache[str, FloatArray] = LRUCache(REMEMBERED)
        self._guard = threading.Lock()

    def states(self, prompts: Sequence[str]) -> FloatArray:
        """See ``StateClient.states``."""
        with self._guard:
            found: dict[str, FloatArray] = {prompt: self._known[prompt] for prompt in prompts if prompt in self._known}
        new = [prompt for prompt in dict.fromkeys(prompts) if prompt not in found]
        if new:
            found.update(zip(new, self._inner.states(new), strict=True))
            with self._guard:
                self._known.update((prompt, found[prompt]) for prompt in new)
        return np.stack([found[prompt] for prompt in prompts])
