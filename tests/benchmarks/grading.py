"""Measures the grader on graded answers: ``make grade-bench DATA=folder``; prints one Markdown table.

Every question used for fitting is left out of its own test (ten folds by question). The states of the answers
are kept in the folder given with --keep, since reading them takes the better part of an hour on two cores.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np

from app import Parts, shown
from rubric import fit, signals
from rubric.fit import Table
from rubric.prompts import judge_prompt
from rubric.samples import Answer, read_answers
from serving import models
from tests.benchmarks import metrics as m

FAMILIES = ("mixed", "balanced", "first")


def samples(answers: list[Answer], keep: Path | None) -> Table:
    """The table of samples, read from ``keep`` when it holds the states of these very prompts."""
    digest = hashlib.sha256(
        "".join(judge_prompt(a.question, a.text, c.text) for a in answers for c in a.criteria).encode()
    ).hexdigest()[:16]
    kept = keep / f"states-{models.JUDGE_LAYERS}-{digest}.npy" if keep else None
    parts = Parts()
    try:
        parts.embedding_model()
        if kept is None or not kept.exists():
            parts.judge()
        with shown("Reading answers") as tell:
            client = Replay(np.load(kept)) if kept is not None and kept.exists() else parts.judge_service.client
            data = fit.table(answers, client, parts.embedder, lambda n, of: tell(f"{n} of {of}", n / of))
    finally:
        parts.close()
    if kept is not None and not kept.exists():
        np.save(kept, data.states)
    return data


class Replay:
    """Gives states that were read before, in their order."""

    def __init__(self, states: np.ndarray) -> None:
        self._states, self._next = states, 0

    def states(self, prompts: list[str]) -> np.ndarray:
        """See ``StateClient.states``."""
        begin, self._next = self._next, self._next + len(prompts)
        return self._states[begin : self._next].astype(np.float32)


def row(name: str, data: Table, chances: np.ndarray, chosen: np.ndarray) -> str:
    """One line of the table."""
    rows = np.flatnonzero(chosen)
    questions = [data.questions[n] for n in rows]

    def cell(figure) -> str:
        low, high = m.interval(lambda picked: figure(rows[picked]), questions)
        return f"{figure(rows):.2f} ({low:.2f}-{high:.2f})"

    cells = [
        cell(lambda r: m.auc(m.credited(data.labels[r]), m.credit(chances[r]))),
        cell(lambda r: m.auc(data.labels[r] == m.CONTRADICTED, chances[r][:, m.CONTRADICTED])),
        cell(lambda r: m.within(data.labels[r], m.credit(chances[r]), data.answers[r])),
        cell(lambda r: m.kappa(data.labels[r], chances[r])),
        cell(lambda r: m.surer_right(data.labels[r], chances[r], 0.5)),
        cell(lambda r: m.calibration_error(data.labels[r], chances[r])),
        cell(lambda r: score_r(data, chances, r)),
    ]
    return f"| {name} | {len(set(questions))} | {len(rows)} | " + " | ".join(cells) + " |"


def score_r(data: Table, chances: np.ndarray, rows: np.ndarray) -> float:
    """Correlation of the answers' weighted scores with those of the labels."""
    ours, theirs = [], []
    for answer in np.unique(data.answers[rows]):
        of = rows[data.answers[rows] == answer]
        weight = data.credit_weights[of]
        truth = np.select([data.labels[of] == m.MET, data.labels[of] == m.PARTIAL], [1.0, 0.5], 0.0)
        ours.append((m.credit(chances[of]) * weight).sum() / weight.sum())
        theirs.append((truth * weight).sum() / weight.sum())
    return m.pearson(np.array(ours), np.array(theirs))


def overlap_only(data: Table) -> np.ndarray:
    """The baseline without a model: a regression on word overlap alone, questions held out."""
    return _signals_only(data, [signals.TEXT_SIGNALS.index("overlap")])


def similarity_only(data: Table) -> np.ndarray:
    """The baseline of embedding similarity alone, questions held out."""
    return _signals_only(data, [signals.TEXT_SIGNALS.index(name) for name in ("criterion_best", "criterion_mean")])


def _signals_only(data: Table, columns: list[int], count: int = 10) -> np.ndarray:
    from rubric.head import softmax

    chances = np.zeros((len(data.labels), 4), dtype=np.float32)
    fold = np.array(fit.folds(data.questions, count))
    for number in range(count):
        train, test = fold != number, fold == number
        part = fit.regression(data.text[train][:, columns], data.labels[train], data.weights[train], 1.0)
        chances[test] = softmax(part.logits(data.text[test][:, columns]))
    return chances


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with graded_answers.jsonl")
    parser.add_argument("--keep", type=Path, help="folder to keep the states in")
    arguments = parser.parse_args()
    answers = read_answers(arguments.data)
    data = samples(answers, arguments.keep)
    family = np.array([answers[n].family for n in data.answers])
    style = np.array([answers[n].style for n in data.answers])
    has = ~np.isnan(data.examples[:, 0])
    judged, with_examples = fit.held_out(data, with_examples=False), fit.held_out(data)
    head = "| | questions | criteria | AUC credit | AUC contradicted | within | κ | surer half right | ECE | score r |"
    print(head + "\n|" + "---|" * 10)
    for name in FAMILIES:
        chosen = family == name
        print(row(f"{name}, judge", data, judged, chosen))
        print(row(f"{name}, word overlap", data, overlap_only(data), chosen))
        print(row(f"{name}, embedding similarity", data, similarity_only(data), chosen))
    print(row("mixed with statements, judge without them", data, judged, has))
    print(row("mixed with statements, judge with them", data, with_examples, has))
    hostile = np.char.startswith(style.astype(str), "adversarial")
    false_credit = (judged[:, :2].sum(axis=1) >= 0.5)[hostile & (data.labels >= m.MISSING)].mean()
    opposed = (judged[:, :2].sum(axis=1) >= 0.5)[data.labels == m.CONTRADICTED].mean()
    print(f"\nHostile answers credited for a point they do not make: {false_credit:.1%}")
    print(f"Contradicted points that got credit: {opposed:.1%}")
    print(json.dumps({"states": fit.digest_of(arguments.data)}))


if __name__ == "__main__":
    main()
