"""How far a verdict and a score can be trusted. Pure.

A verdict is sure, and may be stated, where its odds are clear. A score has an interval from the judge's own doubt,
widened until it holds.

Each credit counts as all or nothing with the judge's probability, and the criteria as independent; neither is quite
so. How much wider an interval has to be for that is fitted on labeled answers whose questions the judge had not
seen (``fit_spread``) and belongs to the judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubric.grading.state_head import CLASSES
from rubric.model import CriterionVerdict, Interval, Rubric, Verdict
from serving.arrays import FloatArray

HELD = 0.9
"""Share of answers whose true score an interval is to hold."""

OPPOSED_LESS = 0.5
"""How many times as likely a contradiction is in interviews, against the odds of the other verdicts, as in the answers
that the judge was fitted and calibrated on.

Of those answers' points 23 in 100 are contradicted, since they were written to be; of the points of 15 interviews
that candidates held in their own words about 7 in 100. A classifier that was calibrated on other shares of its classes
is put right by the ratio of the shares (Saerens, Latinne and Decaestecker 2002, "Adjusting the Outputs of a
Classifier to New a Priori Probabilities"). That ratio would be a quarter; half is taken, at which the marks of the
measured answers are no worse, where they contradict as often as they do or a fifth as often
(docs/benchmarks/judge-history.md).
"""

OPPOSITE = 0.5
"""Probability of a contradiction from which it is likelier than not that the person said the opposite."""


def as_in_interviews(chances: FloatArray) -> FloatArray:
    """Probabilities of the verdicts where contradictions are as rare as in interviews.

    Args:
        chances: probabilities of the verdicts ``CLASSES`` as they were calibrated, [n, 4].

    """
    shares = np.ones(len(CLASSES), dtype=np.float32)
    shares[CLASSES.index(Verdict.CONTRADICTED)] = OPPOSED_LESS
    weighed = chances * shares
    result: FloatArray = weighed / weighed.sum(axis=-1, keepdims=True)
    return result


class Limits(NamedTuple):
    """From where a verdict is sure. Each class has a limit of its own, since a judge errs in each differently often.

    Attributes:
        credit: probability of credit, met or partly met, from which credit is sure.
        opposed: probability of a contradiction from which it is not.
        denial: probability of credit up to which it is sure that there is none.
        contradiction: probability of a contradiction from which it is sure that the person said the opposite.
        part: probability of a part from which it is sure that a part was said and not the whole.

    """

    credit: float
    opposed: float
    denial: float
    contradiction: float
    part: float = 0.7


def is_confident(chances: FloatArray, limits: Limits) -> bool:
    """Whether a verdict is sure, and may be stated.

    Args:
        chances: probabilities of the verdicts ``CLASSES``, [4].
        limits: of the judge that gave them.

    """
    met, partial, _, contradicted = (float(chance) for chance in chances)
    verdict = CLASSES[int(np.argmax(chances))]
    if verdict is Verdict.CONTRADICTED:
        return contradicted >= limits.contradiction
    if verdict is Verdict.MISSING:
        return met + partial <= limits.denial
    credited = met + partial >= limits.credit and contradicted < limits.opposed
    return credited and (verdict is Verdict.MET or partial >= limits.part)


def score_interval(rubric: Rubric, verdicts: Sequence[CriterionVerdict], spread: float | None) -> Interval | None:
    """The interval of a score; ``None`` where there is no score, or the judge was never measured.

    Args:
        rubric: whose weights count.
        verdicts: one a criterion, in the rubric's order; waived ones do not count.
        spread: standard errors on either side, fitted by ``fit_spread``; ``None`` where nothing was.

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


def fit_spread(earned: FloatArray, truths: FloatArray, weights: FloatArray, answers: npt.NDArray[np.int64]) -> float:
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
