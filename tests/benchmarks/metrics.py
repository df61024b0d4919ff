"""Figures of a grader against labels, each with its interval. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from sklearn.metrics import cohen_kappa_score, f1_score, roc_auc_score

Floats = npt.NDArray[np.floating]
Labels = npt.NDArray[np.int64]

MET, PARTIAL, MISSING, CONTRADICTED = range(4)
_MADE = np.array([1.0, 0.5, 0.0, 0.0])
"""Share of a point that each verdict says was made."""


def silenced(chances: Floats, silent: npt.NDArray[np.bool_]) -> Floats:
    """The probabilities with nothing but "missing" where an answer claims nothing, which no judge is asked about."""
    nothing = np.eye(4, dtype=chances.dtype)[MISSING]
    return np.where(silent[:, None], nothing, chances)


def credit(chances: Floats) -> Floats:
    """Expected credit, [n], of probabilities [n, 4]."""
    return chances[:, MET] + chances[:, PARTIAL] / 2


def credited(labels: Labels) -> npt.NDArray[np.bool_]:
    """Whether a label earns anything."""
    return labels <= PARTIAL


def auc(positive: npt.NDArray[np.bool_], score: Floats) -> float:
    """Area under the ROC curve; NaN when there is only one class."""
    return float(roc_auc_score(positive, score)) if 0 < positive.sum() < len(positive) else float("nan")


def kappa(labels: Labels, chances: Floats) -> float:
    """Cohen's kappa of credited against not, the threshold at even odds."""
    return float(cohen_kappa_score(credited(labels), chances[:, :2].sum(axis=1) >= 0.5))


def macro_f1(labels: Labels, chances: Floats) -> float:
    """Macro F1 over the four verdicts."""
    return float(f1_score(labels, chances.argmax(axis=1), average="macro"))


def within(labels: Labels, score: Floats, answers: Labels) -> float:
    """How often a met criterion gets more credit than a missing or contradicted one of the same answer."""
    right = total = 0.0
    for answer in np.unique(answers):
        of = answers == answer
        met, not_met = score[of & (labels == MET)], score[of & (labels >= MISSING)]
        right += float((met[:, None] > not_met[None]).sum() + (met[:, None] == not_met[None]).sum() / 2)
        total += len(met) * len(not_met)
    return right / total if total else float("nan")


def surer_right(labels: Labels, chances: Floats, share: float) -> float:
    """Accuracy of credited against not among the surer ``share`` of all criteria."""
    probability = chances[:, :2].sum(axis=1)
    order = np.argsort(-np.abs(probability - 0.5), kind="stable")[: max(1, round(share * len(labels)))]
    return float(((probability >= 0.5) == credited(labels))[order].mean())


def calibration_error(labels: Labels, chances: Floats, bins: int = 10) -> float:
    """Expected calibration error of the probability of credit, equal-width bins."""
    probability = chances[:, :2].sum(axis=1)
    place = np.minimum((probability * bins).astype(int), bins - 1)
    gaps = (abs(probability[place == n].mean() - credited(labels)[place == n].mean()) for n in np.unique(place))
    return float(sum(gap * (place == n).mean() for gap, n in zip(gaps, np.unique(place), strict=True)))


def interval(
    figure: Callable[[npt.NDArray[np.int64]], float], questions: Sequence[str], draws: int = 300
) -> tuple[float, float]:
    """95 % interval of a figure by bootstrap over questions.

    Args:
        figure: computed from row numbers.
        questions: the question of each row.
        draws: bootstrap samples.
    """
    names = np.array(questions)
    rows = {name: np.flatnonzero(names == name) for name in np.unique(names)}
    keys = list(rows)
    rng = np.random.default_rng(0)
    found = [
        figure(np.concatenate([rows[keys[n]] for n in rng.integers(len(keys), size=len(keys))])) for _ in range(draws)
    ]
    low, high = np.nanpercentile(found, [2.5, 97.5])
    return float(low), float(high)


def pearson(one: Floats, other: Floats) -> float:
    """Correlation; NaN when one of them does not vary."""
    return float(np.corrcoef(one, other)[0, 1]) if one.std() > 0 and other.std() > 0 else float("nan")


def hearing(labels: Labels, chances: Floats, answers: Labels) -> tuple[float, float, float]:
    """What a judge credits on average: for what was not made, for what was, and how widely credits scatter.

    Args:
        labels: of the points, [n].
        chances: probabilities of the four verdicts, [n, 4].
        answers: which answer each point is of, [n].

    Returns:
        Floor, ceiling, and dispersion (``interviewer.planning.ability.Hearing``): the square of how far an answer's
        credits lie from what is expected of them, relative to that of credits that are all or nothing.

    """
    got, made = credit(chances), _MADE[labels]
    floor, ceiling = float(got[made == 0].mean()), float(got[made == 1].mean())
    expected = np.clip(floor + (ceiling - floor) * made, 1e-3, 1 - 1e-3)
    off = [float((got - expected)[answers == each].sum()) for each in np.unique(answers)]
    return floor, ceiling, float(np.square(off).sum() / (expected * (1 - expected)).sum())
