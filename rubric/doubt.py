"""How far a score can be trusted: an interval from the judge's own doubt, widened until it holds. Pure.

Each credit counts as all or nothing with the judge's probability, and the criteria as independent; neither is quite
so. How much wider an interval has to be for that is fitted on labelled answers whose questions the judge had not
seen (``spread_of``) and belongs to the judge.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rubric.model import CriterionVerdict, Interval, Rubric
from serving.clients import FloatArray

HELD = 0.9
"""Share of answers whose true score an interval is to hold."""


def interval(rubric: Rubric, verdicts: Sequence[CriterionVerdict], spread: float | None) -> Interval | None:
    """The interval of a score; ``None`` where there is no score, or the judge was never measured.

    Args:
        rubric: whose weights count.
        verdicts: one a criterion, in the rubric's order; waived ones do not count.
        spread: standard errors on either side, fitted by ``spread_of``; ``None`` where nothing was.

    """
    if spread is None:
        return None
    pairs = zip(verdicts, rubric.criteria, strict=True)
    counted = [(verdict.credit, criterion.weight) for verdict, criterion in pairs if not verdict.waived]
    earned = np.array([np.nan if credit is None else credit for credit, _ in counted])
    if not len(earned) or np.isnan(earned).any():
        return None
    weights = np.array([weight for _, weight in counted])
    middle = float((earned * weights).sum() / weights.sum())
    half = spread * standard_error(earned, weights)
    return (round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4))


def standard_error(earned: FloatArray, weights: FloatArray) -> float:
    """Standard deviation of a weighted mean of credits that are each 0 or 1 with the given probability."""
    return float(np.sqrt((weights**2 * earned * (1 - earned)).sum()) / weights.sum())


def spread_of(earned: FloatArray, truths: FloatArray, weights: FloatArray, answers: npt.NDArray[np.int64]) -> float:
    """How many standard errors hold the share ``HELD`` of the true scores.

    Args:
        earned: expected credit of each criterion of each answer, judged without having seen its question, [n].
        truths: credit by the label: 1, 0.5 or 0, [n].
        weights: of the criteria, [n].
        answers: which answer each row belongs to, [n].

    """
    off = []
    for answer in np.unique(answers):
        of = answers == answer
        error = abs(float(((earned[of] - truths[of]) * weights[of]).sum() / weights[of].sum()))
        off.append(error / max(standard_error(earned[of], weights[of]), 1e-6))
    return float(np.quantile(off, HELD))
