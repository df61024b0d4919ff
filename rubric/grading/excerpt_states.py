"""The states that the judge's model ends with, of points that are read beside excerpts of an answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rubric.grading.excerpt_prompts import excerpt_prompt
from serving.arrays import FloatArray
from serving.llm.client import StateClient


def excerpt_states(
    client: StateClient, question: str, points: Sequence[str], excerpts: Sequence[Sequence[str]]
) -> FloatArray:
    """The state of each point: the mean over the excerpts that it is read beside, [points, hidden].

    The head that reads states is linear, so that its logits are the mean of those of the excerpts.

    Args:
        client: gives the states.
        question: as asked.
        points: texts of the criteria.
        excerpts: of each point, one at least.

    """
    read = [
        excerpt_prompt(question, point, words) for point, some in zip(points, excerpts, strict=True) for words in some
    ]
    ends = np.cumsum([len(some) for some in excerpts])
    parts = np.split(client.states(read), ends[:-1])
    return np.stack([part.mean(axis=0) for part in parts]).astype(np.float32)
