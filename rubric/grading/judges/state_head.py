"""The judge that reads the hidden states of the embedded model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rubric.grading.excerpt_prompts import criterion_part, excerpt_prompt, excerpt_states, question_part
from rubric.grading.signals import CriterionView
from rubric.grading.state_head import Head
from rubric.grading.uncertainty import Limits, as_in_interviews
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

    limits = Limits(credit=0.82, opposed=0.1, denial=0.1, contradiction=0.85)
    """As measured on three bodies of answers, two of them never fitted to: docs/benchmarks/judge-history.md, "Read
    twice"."""

    def __init__(self, client: StateClient, head: Head, *, model: str, digest: str) -> None:
        self._client, self._head = client, head
        self.name = self.name_of(head)
        self.spread: float | None = head.spread
        self.model, self.digest = model, digest

    @staticmethod
    def name_of(head: Head) -> str:
        """Name of the judge with these weights, which reads each point beside up to two excerpts."""
        return f"state-head/2 {head.version}"

    def probabilities(
        self, question: str, answer: str, criteria: Sequence[Criterion], views: Sequence[CriterionView]
    ) -> FloatArray:
        """See ``Judge.probabilities``."""
        states = excerpt_states(
            self._client, question, [item.text for item in criteria], [view.excerpts for view in views]
        )
        text = np.stack([view.text for view in views])
        return as_in_interviews(self._head.probabilities(states, text, [view.examples for view in views]))

    def read_ahead(
        self,
        question: str,
        criteria: Sequence[Criterion],
        views: Sequence[CriterionView | None],
        stop: Callable[[], bool],
    ) -> None:
        """See ``Judge.read_ahead``: the server's cache keeps what comes before the words, the client whole states."""
        for item, view in zip(criteria, views, strict=True):
            before = question_part(question) + criterion_part(item.text)
            excerpts = () if view is None else view.excerpts
            for prompt in [excerpt_prompt(question, item.text, words) for words in excerpts] or [before]:
                if stop():
                    return
                self._client.states([prompt])
