"""Measures the grader: ``make grade-bench DATA=folder``; prints Markdown tables and writes the judge's trust card.

Two bodies of answers. Those of the folder: every question that was used for fitting is left out of its own test (ten
folds by question). And our own to 42 questions of the bank (``bank_answers.jsonl``), which nothing is ever fitted to;
they are judged by weights fitted on all of the folder and on our answers to 72 other questions, as in an interview.
Intervals are bootstrapped over questions.
The states of the answers are kept in the folder given with --keep, since reading them takes half an hour on two cores.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from app import Parts, shown
from rubric import doubt, fit, signals
from rubric.card import Figure, TrustCard
from rubric.card import save as save_card
from rubric.fit import Table
from rubric.head import CLASSES, load, softmax
from rubric.judge import StateJudge
from rubric.prompts import judge_prompt
from rubric.samples import BANK_ANSWERS, Answer, read_answers
from serving import models
from tests.benchmarks import metrics as m
from tests.benchmarks.bank_answers import read_bank_answers

FAMILIES = ("mixed", "balanced", "first")


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
}


def scores(data: Table, chances: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weighted scores of the answers and those of their labels, [answers] each."""
    ours, theirs = [], []
    for answer in np.unique(data.answers[rows]):
        of = rows[data.answers[rows] == answer]
        weight = data.credit_weights[of]
        ours.append((m.credit(chances[of]) * weight).sum() / weight.sum())
        theirs.append((fit.CREDIT[data.labels[of]] * weight).sum() / weight.sum())
    return np.array(ours), np.array(theirs)


def coverage(judged: Judged) -> float:
    """Share of answers whose true score lies in its interval."""
    data, held = judged.data, []
    ours, theirs = scores(data, judged.chances, judged.rows)
    for answer, score, truth in zip(np.unique(data.answers[judged.rows]), ours, theirs, strict=True):
        of = judged.rows[data.answers[judged.rows] == answer]
        error = doubt.standard_error(m.credit(judged.chances[of]), data.credit_weights[of])
        held.append(abs(score - truth) <= judged.spread * error)
    return float(np.mean(held))


def credited_among(chances: np.ndarray, rows: np.ndarray) -> float:
    """Share of some samples that get credit at even odds."""
    return float((chances[rows][:, :2].sum(axis=1) >= 0.5).mean()) if len(rows) else float("nan")


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


class Replay:
    """Gives states that were read before, in their order."""

    def __init__(self, states: np.ndarray) -> None:
        self._states, self._next = states, 0

    def states(self, prompts: list[str]) -> np.ndarray:
        """See ``StateClient.states``."""
        begin, self._next = self._next, self._next + len(prompts)
        return self._states[begin : self._next].astype(np.float32)


def kept_states(answers: list[Answer], keep: Path | None) -> Path | None:
    """Where the states of these very prompts are kept."""
    prompts = "".join(judge_prompt(a.question, a.text, c.text) for a in answers for c in a.criteria)
    digest = hashlib.sha256(prompts.encode()).hexdigest()[:16]
    return keep / f"states-{models.JUDGE_LAYERS}-{digest}.npy" if keep else None


def samples(parts: Parts, name: str, answers: list[Answer], keep: Path | None) -> Table:
    """The samples of some answers."""
    kept = kept_states(answers, keep)
    there = kept is not None and kept.exists()
    with shown(f"Reading {name}") as tell:
        client = Replay(np.load(kept)) if there else parts.judge_service.client
        data = fit.table(answers, client, parts.statement_encoder, lambda n, of: tell(f"{n} of {of}", n / of))
    if kept is not None and not there:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.save(kept, data.states)
    return data


def one_signal(data: Table, columns: list[int], count: int = fit.FOLDS) -> np.ndarray:
    """A baseline: a regression on some signals alone, questions held out."""
    chances = np.zeros((len(data.labels), 4), dtype=np.float32)
    fold = np.array(fit.folds(data.questions, count))
    for number in range(count):
        train, test = fold != number, fold == number
        part = fit.regression(data.text[train][:, columns], data.labels[train], data.weights[train], 1.0)
        chances[test] = softmax(part.logits(data.text[test][:, columns]))
    return chances


def without(data: Table, nested: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """What is left when one signal is left out, with example statements."""
    yield "nothing left out", fit.held_out(data, nested)
    yield "without the state", fit.held_out(data, np.zeros_like(nested))
    yield "without the statements", fit.held_out(data, nested, with_examples=False)
    for number, name in enumerate(signals.TEXT_SIGNALS):
        text = data.text.copy()
        text[:, number] = 0
        yield f"without {name}", fit.held_out(data._replace(text=text), nested)
    for number, name in enumerate(signals.EXAMPLE_SIGNALS):
        examples = data.examples.copy()
        examples[~np.isnan(examples[:, number]), number] = 0
        yield f"without {name}", fit.held_out(data._replace(examples=examples), nested)


def write_judged(judged: Judged, path: Path) -> None:
    """Write the label and the probabilities of each sample: what the simulation draws a judge's errors from."""
    rows = [
        f"{CLASSES[label]},{','.join(f'{chance:.3f}' for chance in chances)}\n"
        for label, chances in zip(judged.data.labels, judged.chances, strict=True)
    ]
    path.write_text("".join([f"label,{','.join(CLASSES)}\n", *rows]), encoding="utf-8")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with graded_answers.jsonl")
    parser.add_argument("--keep", type=Path, help="folder to keep the states in")
    parser.add_argument("--judged", type=Path, help="file for what was made of each point of our answers to the bank")
    arguments = parser.parse_args()
    given, fitting, ours = read_answers(arguments.data), read_bank_answers(BANK_ANSWERS), read_bank_answers()
    answers = given + fitting
    parts = Parts()
    try:
        parts.embedding_model()
        kept = [kept_states(each, arguments.keep) for each in (given, fitting, ours)]
        if not all(path is not None and path.exists() for path in kept):
            parts.judge()
        data = fit.joined(
            samples(parts, "the folder's answers", given, arguments.keep),
            samples(parts, "our answers to fit with", fitting, arguments.keep),
        )
        bank = samples(parts, "answers to the bank", ours, arguments.keep)
    finally:
        parts.close()
    family = np.array([answers[n].family for n in data.answers])
    style = np.array([answers[n].style for n in data.answers])
    told = ~np.isnan(data.examples[:, 0]) & (family != "bank")
    nested = fit.nested_logits(data)
    head = fit.fit(data)
    everything = np.arange(len(data.labels))
    judged = Judged(data, fit.held_out(data, nested, with_examples=False), everything, head.spread)
    informed = judged._replace(chances=fit.held_out(data, nested))
    on_bank = Judged(bank, fit.predict(head, bank), np.arange(len(bank.labels)), head.spread)
    if arguments.judged:
        write_judged(on_bank, arguments.judged)
    uninformed = on_bank._replace(
        chances=fit.predict(head, bank._replace(examples=np.full_like(bank.examples, np.nan)))
    )
    bare = {
        "word overlap": one_signal(data, [signals.TEXT_SIGNALS.index("overlap")]),
        "sentence similarity": one_signal(
            data, [signals.TEXT_SIGNALS.index(name) for name in ("criterion_best", "criterion_mean")]
        ),
    }
    rows = {f"{name}, judge": judged.of(family == name) for name in FAMILIES}
    rows["mixed with statements, judge without them"] = judged.of(told)
    rows["mixed with statements, judge with them"] = informed.of(told)
    rows["bank, judge without statements"] = uninformed
    rows["bank, judge with statements"] = on_bank
    print(heading(FIGURES))
    for name, part in rows.items():
        print(line(name, part, FIGURES))
    for signal, chances in bare.items():
        for name in FAMILIES:
            print(line(f"{name}, {signal} alone", judged._replace(chances=chances).of(family == name), FIGURES))
    print(heading(FURTHER))
    for name, part in rows.items():
        print(line(name, part, FURTHER))
    print(f"\nIntervals of scores, {head.spread:.2f} standard errors, hold the true one in:")
    for name, part in rows.items():
        print(f"- {name}: {coverage(part):.0%}")
    hostile = np.char.startswith(style.astype(str), "adversarial")
    false_credit = credited_among(judged.chances, np.flatnonzero(hostile & (data.labels >= m.MISSING)))
    print(f"\nHostile answers of the first kind, credited for a point they do not make: {false_credit:.1%}")
    by_style = {name: FIGURES[name] for name in ("AUC credit", "κ", "surer half right")}
    print(heading(by_style))
    for name in FAMILIES:
        for each in np.unique(style[family == name]):
            print(line(f"{name}: {each}", judged.of((family == name) & (style == each)), by_style))
    bank_style = np.array([ours[n].style for n in bank.answers])
    for each in np.unique(bank_style):
        print(line(f"bank: {each}", on_bank.of(bank_style == each), by_style))
    print("\nEach signal left out in turn, the 14 mixed questions with statements:")
    some = {name: FIGURES[name] for name in ("AUC credit", "AUC contradicted", "within", "κ")}
    print(heading(some))
    for name, chances in without(data, nested):
        print(line(name, informed._replace(chances=chances).of(told), some))
    figures = {name: figure(on_bank, compute) for name, compute in (FIGURES | FURTHER).items()}
    save_card(
        TrustCard(
            judge=StateJudge.name_of(load()),
            model=models.EMBEDDED.name,
            answers=len(ours),
            questions=len({each.question_id for each in ours}),
            criteria=len(bank.labels),
            coverage=coverage(on_bank),
            figures=figures,
        )
    )
    print(json.dumps({"fitted on": fit.digest_of(arguments.data)}))


if __name__ == "__main__":
    main()
