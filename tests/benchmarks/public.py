"""Our judge on public sets with human marks: ``make grade-bench`` with a folder that holds ``public/``.

These marks are for whole answers, and most questions have nothing but a reference. So the reference is taken as the one
criterion, and, as for a person's own documents, a rubric is derived from it. Figures for each set: our judge as it
stands, which has never met such marks, by the one, by the other and by the mean of both, and a ridge regression on the
same states and signals, fitted to marks of the set with the question left out. Of each set a seeded sample is read,
since every criterion costs a prompt.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LinearRegression, RidgeCV
from sklearn.metrics import cohen_kappa_score, f1_score

from rubric.authoring.derive import derive_rubric
from rubric.grading.signals import TEXT_SIGNALS
from rubric.grading.state_head import load
from rubric.model import Criterion, Verdict
from rubric.training import fit_state_head
from rubric.training.fit_state_head import Table
from rubric.training.labeled_answers import Answer, folds
from serving.errors import BadInputError
from tests.benchmarks import metrics as m
from tests.benchmarks.figures import scores
from tests.benchmarks.states import read

MARKED = ("nn_exam", "mohler", "sprag_ml", "os_llm_grader")
SEMEVAL = "semeval"
LABELS = {"correct": Verdict.MET, "incorrect": Verdict.MISSING, "contradictory": Verdict.CONTRADICTED}
SAMPLE = 100
"""Answers of a set that are read, at least; whole questions."""
MOST_OF_A_QUESTION = 5
STEPS = 5
"""Marks are compared as QWK on a scale from 0 to 5."""
ALPHAS = np.logspace(2, 6, 9)

Rows = np.ndarray
Compute = Callable[[Rows], float]


def sample(path: Path, count: int = SAMPLE, seed: int = 0) -> list[dict[str, Any]]:
    """Rows of a set: some answers to each of as many questions as are needed; the same for the same seed."""
    of: dict[str, list[dict[str, Any]]] = {}
    for row in (json.loads(text) for text in path.read_text(encoding="utf-8").splitlines() if text.strip()):
        of.setdefault(row["question"], []).append(row)
    draw = random.Random(seed)
    names = sorted(of)
    draw.shuffle(names)
    rows: list[dict[str, Any]] = []
    for name in names:
        if len(rows) >= count:
            break
        rows += draw.sample(of[name], min(MOST_OF_A_QUESTION, len(of[name])))
    return rows


def answer_of(row: dict[str, Any]) -> Answer:
    """A row as a labeled answer, the reference its one criterion."""
    reference = row["references"][0] if "references" in row else row["reference"] or ""
    return Answer(
        question_id=row["question"],
        question=row["question"],
        criteria=(Criterion(id="reference", text=reference.strip() or row["question"]),),
        style="",
        family="public",
        text=row["answer"].strip() or "(nothing)",
        labels=(LABELS[row["label"]] if "label" in row else nearest(row["score"]),),
    )


def by_points(answer: Answer) -> Answer:
    """An answer with the rubric that would be derived for its question; as it is where none can be."""
    reference = answer.criteria[0].text
    if reference == answer.question:
        return answer
    try:
        criteria = derive_rubric(answer.question, reference).criteria
    except BadInputError:
        return answer
    return answer.model_copy(update={"criteria": criteria, "labels": answer.labels * len(criteria)})


def nearest(score: float) -> Verdict:
    """The verdict whose credit is nearest to a mark from 0 to 1."""
    return Verdict.MET if score >= 0.75 else Verdict.PARTIAL if score >= 0.25 else Verdict.MISSING


def left_out(
    features: np.ndarray, target: np.ndarray, questions: tuple[str, ...], make: Callable[[], Any]
) -> np.ndarray:
    """Predictions for every row from a model fitted without its question."""
    found = np.zeros(len(target), dtype=np.float64)
    fold = np.array(folds(questions, fit_state_head.FOLDS))
    for number in np.unique(fold):
        train, test = fold != number, fold == number
        mean, scale = features[train].mean(axis=0), features[train].std(axis=0) + 1e-6
        model = make().fit((features[train] - mean) / scale, target[train])
        found[test] = model.predict((features[test] - mean) / scale)
    return found


def qwk(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Quadratic weighted kappa of marks from 0 to 1 on a scale of ``STEPS``."""
    one, other = (np.rint(np.clip(each, 0, 1) * STEPS).astype(int) for each in (ours, theirs))
    return float(cohen_kappa_score(one, other, weights="quadratic", labels=list(range(STEPS + 1))))


def told(compute: Compute, questions: tuple[str, ...]) -> str:
    """A figure with its interval."""
    low, high = m.interval(compute, questions)
    return f"{compute(np.arange(len(questions))):.2f} ({low:.2f}-{high:.2f})"


def mark_line(name: str, ours: np.ndarray, theirs: np.ndarray, questions: tuple[str, ...]) -> str:
    """A row of the table of marks."""
    cells = (
        told(lambda rows: m.pearson(ours[rows], theirs[rows]), questions),
        told(lambda rows: float(np.sqrt(np.mean((ours[rows] - theirs[rows]) ** 2))), questions),
        told(lambda rows: qwk(ours[rows], theirs[rows]), questions),
    )
    return f"| {name} | {len(set(questions))} | {len(ours)} | " + " | ".join(cells) + " |"


def three(chances: np.ndarray) -> np.ndarray:
    """Four verdicts as the three classes of the set: met or partial is correct."""
    return np.stack([chances[:, :2].sum(axis=1), chances[:, m.MISSING], chances[:, m.CONTRADICTED]], axis=1)


def class_line(name: str, found: np.ndarray, true: np.ndarray, questions: tuple[str, ...]) -> str:
    """A row of the table of classes."""
    cells = (
        told(lambda rows: float((found[rows] == true[rows]).mean()), questions),
        told(lambda rows: float(f1_score(true[rows], found[rows], average="macro", zero_division=0)), questions),
    )
    return f"| {name} | {len(set(questions))} | {len(found)} | " + " | ".join(cells) + " |"


def print_figures(folder: Path, keep: Path | None, count: int = SAMPLE) -> None:
    """Print the tables of the sets that are there."""
    rows = {
        name: sample(folder / f"{name}.jsonl", count * (2 if name == SEMEVAL else 1))
        for name in (*MARKED, SEMEVAL)
        if (folder / f"{name}.jsonl").is_file()
    }
    answers = {name: [answer_of(row) for row in some] for name, some in rows.items()}
    split = {_pointed(name): [by_points(each) for each in answers[name]] for name in rows if name != SEMEVAL}
    bodies = answers | split
    tables = dict(zip(bodies, read(list(bodies.items()), keep), strict=True))
    head = load()
    print("\n| public set | questions | answers | r | RMSE | QWK |\n|---|---|---|---|---|---|")
    for name, some in rows.items():
        if name != SEMEVAL:
            data, points = tables[name], tables[_pointed(name)]
            by_point, _ = scores(points, fit_state_head.predict(head, points), np.arange(len(points.labels)))
            marks(name, data, np.array([row["score"] for row in some]), fit_state_head.predict(head, data), by_point)
    if SEMEVAL in rows:
        print("\n| three classes | questions | answers | right | macro F1 |\n|---|---|---|---|---|")
        classes(SEMEVAL, tables[SEMEVAL], fit_state_head.predict(head, tables[SEMEVAL]))


def _pointed(name: str) -> str:
    return f"{name}, point by point"


def marks(name: str, data: Table, theirs: np.ndarray, chances: np.ndarray, by_point: np.ndarray) -> None:
    """Print the rows of a set with marks."""
    credit = m.credit(chances)
    overlap = data.text[:, [TEXT_SIGNALS.index("overlap"), TEXT_SIGNALS.index("length")]]
    everything = np.concatenate([data.states, data.text, credit[:, None]], axis=1)
    ways = {
        "our judge as it stands": credit,
        "our judge, point by point": by_point,
        "the mean of both": (credit + by_point) / 2,
        "… its mark scaled to the set": left_out(credit[:, None], theirs, data.questions, LinearRegression),
        "ridge on its states and signals": left_out(everything, theirs, data.questions, lambda: RidgeCV(ALPHAS)),
        "word overlap, regression": left_out(overlap, theirs, data.questions, LinearRegression),
    }
    for way, ours in ways.items():
        print(mark_line(f"{name}, {way}", ours, theirs, data.questions))


def classes(name: str, data: Table, chances: np.ndarray) -> None:
    """Print the rows of the set with classes."""
    true = np.searchsorted([m.PARTIAL, m.MISSING], data.labels, side="left")
    everything = np.concatenate([data.states, data.text, np.log(chances + 1e-6)], axis=1)
    values = [
        left_out(everything, (true == n).astype(float), data.questions, lambda: RidgeCV(ALPHAS)) for n in range(3)
    ]
    overlap = data.text[:, [TEXT_SIGNALS.index("overlap"), TEXT_SIGNALS.index("length")]]
    plain = [left_out(overlap, (true == n).astype(float), data.questions, LinearRegression) for n in range(3)]
    often = np.full(len(true), np.bincount(true).argmax())
    ways = {
        "our judge as it stands": three(chances).argmax(axis=1),
        "ridge on its states and signals": np.argmax(values, axis=0),
        "word overlap, regression": np.argmax(plain, axis=0),
        "always the commonest class": often,
    }
    for way, found in ways.items():
        print(class_line(f"{name}, {way}", found, true, data.questions))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--public", type=Path, required=True, help="folder with the sets")
    parser.add_argument("--keep", type=Path, help="folder to keep the states in")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="answers of a set that are read, at least")
    arguments = parser.parse_args()
    print_figures(arguments.public, arguments.keep, arguments.sample)
