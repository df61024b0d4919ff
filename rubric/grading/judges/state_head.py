"""The judge that reads the hidden states of the embedded model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rubric.grading.signals import CriterionView
from rubric.grading.state_head import Head
from rubric.grading.state_prompts import states_of
from rubric.grading.uncertainty import Limits
from rubric.model import Criterion
from serving.arrays import FloatArray
from serving.llm.client import StateClient


class StateJudge:
    """The trained head on the hidden states of the embedded model.

    Args:
        client: gives the states.
        head: the fitted weights.
        model: name of the model.
        digest: SHA-256 of the file it was made from.
    """

    limits = Limits(credit=0.8, opposed=0.15, denial=0.15, contradiction=0.9)
    """As measured on two bodies of answers that nothing was fitted to: docs/benchmarks.md, "Sure verdicts"."""

    def __init__(self, client: StateClient, head: Head, *, model: str, digest: str) -> None:
        self._client, self._head = client, head
        self.name = self.name_of(head)
        self.spread: float | None = head.spread
        self.model, self.digest = model, digest

    @staticmethod
    def name_of(head: Head) -> str:
        """Name of the judge with these weights."""
        return f"state-head {head.version}"

    def probabilities(
        self, question: str, answer: str, criteria: Sequence[Criterion], views: Sequence[CriterionView]
    ) -> FloatArray:
        """See ``Judge.probabilities``."""
        excerpts = [view.excerpt for view in views]
        states = states_of(self._client, question, answer, [item.text for item in criteria], excerpts)
        text = np.stack([view.text for view in views])
        return self._head.probabilities(states, text, [view.examples for view in views])
