"""Figures of a judge on labeled answers, as rows of Markdown tables, each with its interval. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rubric.grading import uncertainty
from rubric.grading.judges.state_head import StateJudge
from rubric.grading.trust_card import Figure
from rubric.grading.uncertainty import is_confident
from rubric.training import fit_state_head
from rubric.training.fit_state_head import Table
from tests.benchmarks import metrics as m


class Judged(NamedTuple):
    """Answers with what a judge made of them.

    Attributes:
        data: the samples.
        chances: probabilities of the four verdicts, [n, 4].
        rows: which samples are meant.
        spread: standard errors on either side of a score.

    """

    data: Table
    chances: np.ndarray
    rows: np.ndarray
    spread: float

    def of(self, chosen: np.ndarray) -> Judged:
        """Those samples that are also among the chosen, [n] of bool."""
        return self._replace(rows=self.rows[chosen[self.rows]])


Compute = Callable[[Table, np.ndarray, np.ndarray], float]


FIGURES: dict[str, Compute] = {
    "AUC credit": lambda d, c, r: m.auc(m.credited(d.labels[r]), m.credit(c[r])),
    "AUC contradicted": lambda d, c, r: m.auc(d.labels[r] == m.CONTRADICTED, c[r][:, m.CONTRADICTED]),
    "within": lambda d, c, r: m.within(d.labels[r], m.credit(c[r]), d.answers[r]),
    "κ": lambda d, c, r: m.kappa(d.labels[r], c[r]),
    "surer half right": lambda d, c, r: m.surer_right(d.labels[r], c[r], 0.5),
    "ECE": lambda d, c, r: m.calibration_error(d.labels[r], c[r]),
    "score r": lambda d, c, r: m.pearson(*scores(d, c, r)),
}

FURTHER: dict[str, Compute] = {
    "right": lambda d, c, r: m.surer_right(d.labels[r], c[r], 1.0),
    "surer 70 % right": lambda d, c, r: m.surer_right(d.labels[r], c[r], 0.7),
    "surer 30 % right": lambda d, c, r: m.surer_right(d.labels[r], c[r], 0.3),
    "macro F1": lambda d, c, r: m.macro_f1(d.labels[r], c[r]),
    "score RMSE": lambda d, c, r: float(np.sqrt(np.mean(np.subtract(*scores(d, c, r)) ** 2))),
    "contradicted, credited": lambda d, c, r: credited_among(c, r[d.labels[r] == m.CONTRADICTED]),
    "stated": lambda d, c, r: float(stated(c[r]).mean()),
    "stated right": lambda d, c, r: stated_right(d.labels[r], c[r]),
    "contradicted, stated right": lambda d, c, r: stated_contradiction_right(d.labels[r], c[r]),
    "contradicted, stated as credited": lambda d, c, r: stated_credit(c[r[d.labels[r] == m.CONTRADICTED]]),
    "met, stated as credited": lambda d, c, r: stated_credit(c[r[d.labels[r] == m.MET]]),
}


def scores(data: Table, chances: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weighted scores of the answers and those of their labels, [answers] each."""
    ours, theirs = [], []
    for answer in np.unique(data.answers[rows]):
        of = rows[data.answers[rows] == answer]
        weight = data.credit_weights[of]
        ours.append((m.credit(chances[of]) * weight).sum() / weight.sum())
        theirs.append((fit_state_head.CREDIT[data.labels[of]] * weight).sum() / weight.sum())
    return np.array(ours), np.array(theirs)


def coverage(judged: Judged) -> float:
    """Share of answers whose true score lies in its interval."""
    data, held = judged.data, []
    ours, theirs = scores(data, judged.chances, judged.rows)
    for answer, score, truth in zip(np.unique(data.answers[judged.rows]), ours, theirs, strict=True):
        of = judged.rows[data.answers[judged.rows] == answer]
        error = uncertainty.standard_error(m.credit(judged.chances[of]), data.credit_weights[of])
        held.append(abs(score - truth) <= judged.spread * error)
    return float(np.mean(held))


def credited_among(chances: np.ndarray, rows: np.ndarray) -> float:
    """Share of some samples that get credit at even odds."""
    return float((chances[rows][:, :2].sum(axis=1) >= 0.5).mean()) if len(rows) else float("nan")


def stated(chances: np.ndarray) -> np.ndarray:
    """Which verdicts are sure enough to be stated, [n]."""
    return np.array([is_confident(row, StateJudge.limits) for row in chances], dtype=bool)


class Marked(NamedTuple):
    """What becomes of some points.

    Attributes:
        credited: which get credit at even odds, [n].
        opposed: which get none and are likeliest contradicted, [n].
        sure: of which that is stated, [n].

    """

    credited: np.ndarray
    opposed: np.ndarray
    sure: np.ndarray


def marked(chances: np.ndarray) -> Marked:
    """What becomes of points by the probabilities of their verdicts, [n, 4]."""
    credited = chances[:, :2].sum(axis=1) >= 0.5
    return Marked(credited, ~credited & (chances.argmax(axis=1) == m.CONTRADICTED), stated(chances))


def shares(name: str, *of: np.ndarray) -> str:
    """A line of a table: how many there are, and the share of each kind among them."""
    return f"| {name} | {len(of[0])} | " + " | ".join(f"{each.mean():.3f}" for each in of) + " |"


def stated_right(labels: np.ndarray, chances: np.ndarray) -> float:
    """Share of what is stated, credited or not, that is right."""
    sure = stated(chances)
    right = (chances[:, :2].sum(axis=1) >= 0.5) == m.credited(labels)
    return float(right[sure].mean()) if sure.any() else float("nan")


def stated_contradiction_right(labels: np.ndarray, chances: np.ndarray) -> float:
    """Share of the stated contradictions that are some."""
    said = stated(chances) & (chances.argmax(axis=1) == m.CONTRADICTED)
    return float((labels[said] == m.CONTRADICTED).mean()) if said.any() else float("nan")


def stated_credit(chances: np.ndarray) -> float:
    """Share of some samples whose credit is stated."""
    if not len(chances):
        return float("nan")
    return float((stated(chances) & (chances[:, :2].sum(axis=1) >= 0.5)).mean())


def figure(judged: Judged, compute: Compute) -> Figure:
    """A figure with its 95 % interval."""
    data, chances, rows = judged.data, judged.chances, judged.rows
    low, high = m.interval(lambda picked: compute(data, chances, rows[picked]), [data.questions[n] for n in rows])
    return Figure(value=compute(data, chances, rows), low=low, high=high)


def line(name: str, judged: Judged, figures: dict[str, Compute]) -> str:
    """A row of a table."""
    found = (figure(judged, compute) for compute in figures.values())
    cells = [f"{each.value:.2f} ({each.low:.2f}-{each.high:.2f})" for each in found]
    questions = len({judged.data.questions[n] for n in judged.rows})
    return f"| {name} | {questions} | {len(judged.rows)} | " + " | ".join(cells) + " |"


def heading(figures: dict[str, Compute]) -> str:
    """The head of a table."""
    return "\n| | questions | criteria | " + " | ".join(figures) + " |\n|" + "---|" * (3 + len(figures))
