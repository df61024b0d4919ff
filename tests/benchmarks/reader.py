"""Measures a reader beside today's judge: ``python -m tests.benchmarks.reader FOLDER/best.pt --keep FOLDER``.

On our own answers to 42 questions of the bank, and with --further on another file of such answers; nothing is fitted
to either. Told are the reader alone, today's judge alone, and both weighed by a logistic regression: of the first body
with the questions left out in turn, of the further one fitted on all of the first.

What today's judge says, and the excerpts, are kept in the folder given with --keep.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from rubric.fitted_weights import ADAPTER
from rubric.grading import excerpts, signals, state_head
from rubric.grading.claims import claims
from rubric.grading.state_head import softmax
from rubric.training import fit_state_head
from rubric.training.fit_state_head import regression
from rubric.training.labeled_answers import Answer, folds
from rubric.training.reader.checkpoint import Reader, Settings, load_weights
from rubric.training.reader.corpus import claimed
from rubric.training.reader.examples import Task
from rubric.training.reader.tune import load_reader, prepare_processor
from serving.encoders.cached_encoder import CachedEmbedder
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.models import adapter, catalogue
from tests.benchmarks import metrics as m
from tests.benchmarks.bank_answers import read_bank_answers
from tests.benchmarks.states import read

STRENGTH = 0.1
"""Inverse regularization of the regression that weighs both."""

FOLDS = 10

Rows = np.ndarray


class Body(NamedTuple):
    """Labeled answers; rows are the criteria of one answer after another."""

    name: str
    answers: list[Answer]

    @property
    def labels(self) -> Rows:
        return np.array([state_head.CLASSES.index(label) for each in self.answers for label in each.labels])

    @property
    def questions(self) -> list[str]:
        return [each.question_id for each in self.answers for _ in each.labels]

    @property
    def silent(self) -> Rows:
        return np.array([claims(each.text, each.question).silent for each in self.answers for _ in each.labels])

    @property
    def digest(self) -> str:
        text = json.dumps([(each.question, each.text, [item.text for item in each.criteria]) for each in self.answers])
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def judged(bodies: Sequence[Body], keep: Path) -> list[Rows]:
    """What today's judge says, [rows, 4] for each body; its server is started unless all of it was kept."""
    fitted = state_head.load()
    version = hashlib.sha256(f"{catalogue.judge_digest()}{fitted.version}".encode()).hexdigest()[:12]
    paths = [keep / f"judged-{version}-{body.digest}.npy" for body in bodies]
    if not all(path.is_file() for path in paths):
        keep.mkdir(parents=True, exist_ok=True)
        tables = read([(body.name, body.answers) for body in bodies], keep)
        for path, data in zip(paths, tables, strict=True):
            np.save(path, fit_state_head.predict(fitted, data))
    return [np.load(path) for path in paths]


def excerpts_of(body: Body, keep: Path) -> list[list[str]]:
    """What each criterion of each answer is read beside."""
    version = f"{adapter.version_of(ADAPTER)}-{excerpts.MOST}-{excerpts.MARGIN}-{excerpts.ALONE}"
    path = keep / f"excerpts-{version}-{body.digest}.json"
    if not path.is_file():
        keep.mkdir(parents=True, exist_ok=True)
        embedder = CachedEmbedder(SentenceTransformerEmbedder(catalogue.ensure_embedder(), ADAPTER))
        found = []
        for each in body.answers:
            seen = signals.view(claimed(each), embedder)
            found.append([signals.read_beside(seen, item, embedder) for item in each.criteria])
        path.write_text(json.dumps(found), encoding="utf-8")
    result: list[list[str]] = json.loads(path.read_text(encoding="utf-8"))
    return result


def excerpt_tasks(body: Body, words: list[list[str]]) -> Iterator[tuple[Task, list[int]]]:
    """The tasks of a body, a question each, and the rows that their logits belong to."""
    begins = np.cumsum([0, *(len(each.labels) for each in body.answers)])
    for question in dict.fromkeys(body.questions):
        places = [place for place, each in enumerate(body.answers) if each.question_id == question]
        first = body.answers[places[0]]
        criteria = range(len(first.criteria))
        given = [(first.criteria[number].text, [words[place][number] for place in places]) for number in criteria]
        rows = [int(begins[place]) + number for number in criteria for place in places]
        yield Task(first.question, given, [()] * len(rows), []), rows


def logits_of(reader: Reader, tasks: Iterator[tuple[Task, list[int]]], count: int) -> Rows:
    """The reader's logits, [rows, 4]."""
    found = np.zeros((count, len(state_head.CLASSES)), np.float32)
    with torch.no_grad():
        for task, rows in tasks:
            found[rows] = reader.logits(task).cpu().numpy()
    return found


def weighed(train: tuple[Rows, Rows], test: Rows) -> Rows:
    """Probabilities of a regression on some features, [rows, 4]."""
    features, labels = train
    part = regression(features, labels, np.ones(len(labels), np.float32), STRENGTH)
    return softmax(part.logits(test))


def crossed(features: Rows, labels: Rows, questions: Sequence[str]) -> Rows:
    """The same of all rows, each from a regression that had not seen its question."""
    fold = np.array(folds(questions, FOLDS))
    chances = np.zeros((len(labels), len(state_head.CLASSES)), np.float32)
    for number in range(FOLDS):
        train, test = fold != number, fold == number
        if test.any():
            chances[test] = weighed((features[train], labels[train]), features[test])
    return chances


def line(name: str, body: Body, chances: Rows) -> str:
    """A row of the table."""
    labels, told = body.labels, chances[:, :2].sum(axis=1) >= 0.5
    chances = m.silenced(chances, body.silent)

    def share(said: Rows, label: int) -> str:
        of = labels == label
        return f"{said[of].mean():.2f}" if of.any() else "-"

    low, high = m.interval(lambda rows: m.kappa(labels[rows], chances[rows]), body.questions)
    figures = [
        f"{m.kappa(labels, chances):.3f} ({low:.2f}-{high:.2f})",
        f"{m.auc(m.credited(labels), m.credit(chances)):.3f}",
        share(~told, m.MET),
        share(told, m.CONTRADICTED),
        share(told, m.MISSING),
        share(chances.argmax(axis=1) == m.PARTIAL, m.PARTIAL),
        f"{m.surer_right(labels, chances, 0.7):.3f}",
        f"{m.calibration_error(labels, chances):.3f}",
    ]
    return f"| {name} | {' | '.join(figures)} |"


HEADING = (
    "| | κ | AUC credit | met denied | contradicted credited | missing credited | partial told | surer 70 % right "
    "| calibration error |\n|---|---|---|---|---|---|---|---|---|"
)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path, help="best.pt or latest.pt of a fit; none is read where it is “none”")
    parser.add_argument("--keep", type=Path, required=True, help="folder for what is kept")
    parser.add_argument("--further", type=Path, help="another file of labeled answers to questions of the bank")
    parser.add_argument("--base", type=Path, default=catalogue.judge_folder())
    parser.add_argument("--layers", type=int, default=catalogue.JUDGE_LAYERS)
    parser.add_argument("--threads", type=int, default=2)
    wanted = parser.parse_args()
    bodies = [Body("measured", read_bank_answers())]
    if wanted.further:
        bodies.append(Body("further", read_bank_answers(wanted.further)))
    judge = judged(bodies, wanted.keep)
    if str(wanted.weights) == "none":
        for body, chances in zip(bodies, judge, strict=True):
            print(f"\n## {body.name}: {len(body.labels)} points\n\n{HEADING}\n{line('judge of now', body, chances)}")
        return
    prepare_processor(wanted.threads)
    settings = Settings(**torch.load(wanted.weights, weights_only=True)["settings"])
    reader = load_reader(wanted.base, wanted.layers, settings, "cpu", None)
    load_weights(reader.model, wanted.weights)
    reading: list[Rows] = []
    for body in bodies:
        sys.stderr.write(f"Reading {body.name}\n")
        count = len(body.labels)
        tasks = excerpt_tasks(body, excerpts_of(body, wanted.keep))
        reading.append(logits_of(reader, tasks, count))
    known = {"judge of now": [np.log(np.maximum(chances, 1e-4)) for chances in judge], "reader": reading}
    for place, body in enumerate(bodies):
        print(f"\n## {body.name}: {len(body.labels)} points of {len(set(body.questions))} questions\n\n{HEADING}")
        for name, logits in known.items():
            print(line(name, body, softmax(logits[place])))
        features = [np.concatenate(each, axis=1) for each in zip(*known.values(), strict=True)]
        first = bodies[0]
        if place == 0:
            chances = crossed(features[0], first.labels, first.questions)
        else:
            chances = weighed((features[0], first.labels), features[place])
        print(line("both", body, chances))


if __name__ == "__main__":
    main()
