"""What the judge reads of a criterion beside an excerpt: question and criterion first, then the answer's nearest words.

A causal model that meets the criterion before the answer's words reads them knowing what to look for. What comes before
the words is the same for every answer, so that a server could read it when the question is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rubric.grading.prompts import SYSTEM, neutral
from serving.arrays import FloatArray
from serving.llm.client import StateClient

LONGEST_QUESTION = 40
"""Words of a question that are read."""


def question_part(question: str) -> str:
    """What all criteria of a question share."""
    words = neutral(question).split()
    short = " ".join(words[:LONGEST_QUESTION]) + (" ..." if len(words) > LONGEST_QUESTION else "")
    return f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\nInterview question: {short}\n\n"


def criterion_part(criterion: str) -> str:
    """What all answers share that a criterion is asked of."""
    return (
        f"Point: {neutral(criterion)}\n"
        "Do the candidate's words make this point, make a part of it, say something wrong about it, or none of these?\n"
        "<<<\n"
    )


def words_part(words: str) -> str:
    """The rest, up to the model's turn.

    Args:
        words: sentences of an answer.

    """
    return f"{neutral(words)}\n>>>\n<|im_end|>\n<|im_start|>assistant\n"


def excerpt_prompt(question: str, criterion: str, words: str) -> str:
    """All that is read of one criterion beside an excerpt of an answer."""
    return question_part(question) + criterion_part(criterion) + words_part(words)


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
