"""What a judge is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rubric.grading.signals import CriterionView
from rubric.grading.uncertainty import Limits
from rubric.model import Criterion
from serving.arrays import FloatArray


class Judge(Protocol):
    """Tells how likely each verdict is for each criterion of one answer.

    Attributes:
        name: with its version, for the record.
        model: the model behind it.
        digest: SHA-256 of that model's weights, empty when unknown.
        limits: from where its verdicts are sure.
        spread: standard errors that a score's interval has on either side; ``None`` where it was never measured.
    """

    name: str
    model: str
    digest: str
    limits: Limits
    spread: float | None

    def probabilities(
        self, question: str, answer: str, criteria: Sequence[Criterion], views: Sequence[CriterionView]
    ) -> FloatArray:
        """Probabilities of met, partial, missing and contradicted for each criterion, [n, 4].

        Raises:
            ServerGoneError: the server does not answer (now).
            ProtocolError: it answered with something that is no judgment.
        """
        ...

    def read_ahead(
        self,
        question: str,
        criteria: Sequence[Criterion],
        views: Sequence[CriterionView | None],
        stop: Callable[[], bool],
    ) -> None:
        """Read what ``probabilities`` will read, so that it need not; nothing where that would cost somebody.

        Args:
            question: as it was asked.
            criteria: to be judged.
            views: what an unfinished answer has on each; ``None`` where nothing was said yet.
            stop: whether somebody waits for a mark; nothing more is read then.

        Raises:
            ServerGoneError: the server does not answer (now).
            ProtocolError: it answered with something that is no judgment.
        """
        ...
