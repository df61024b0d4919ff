"""States that were read are remembered: what an answer has in common with its draft is not read again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from serving.arrays import FloatArray
from serving.llm.client import StateClient
from serving.remembered import RememberedRows

REMEMBERED = 1000
"""States kept, about 7 MB of them: those of an hour's drafts."""


class CachedStates:
    """Wraps a client; safe to use from several threads. The same prompt has the same state, whoever reads it.

    Args:
        inner: reads the prompts that are new.

    """

    def __init__(self, inner: StateClient) -> None:
        self._inner = inner
        self._known: RememberedRows[str] = RememberedRows(REMEMBERED)

    def states(self, prompts: Sequence[str]) -> FloatArray:
        """See ``StateClient.states``."""
        return np.stack(self._known.rows(prompts, self._inner.states))
