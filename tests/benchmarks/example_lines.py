"""Grades example statements of held-out questions: ``python -m tests.benchmarks.example_lines --keep FOLDER``.

Of the questions that the judge's layers were never fitted to (``rubric.training.reader.corpus.held_out``) some points
lose a statement of each class: one that makes the point, one that contradicts it, one that is near it. That statement
is the answer, by itself or between what two other points of the question call met, and is judged with the statements
that are left. So it is what a person might say of a point that the judge meets for the first time.

The head that reads a statement by itself, and the two small encoders, have read the bank as it was when they were
fitted. With ``--seen FILE`` statements in that file, one a line, are never taken.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from knowledge.bank.parser import load_bank
from knowledge.model import Question
from rubric.grading.state_head import load
from rubric.model import Criterion, Verdict
from rubric.training.labeled_answers import Answer
from rubric.training.reader.corpus import HELD_OUT, held_out
from serving.arrays import FloatArray
from tests.benchmarks.figures import marked, shares
from tests.benchmarks.grading import on
from tests.benchmarks.references import said_to
from tests.benchmarks.states import read

LABELS = {"met": Verdict.MET, "contradicted": Verdict.CONTRADICTED, "near": Verdict.MISSING}
"""The classes of example statements, and what each is worth."""


class Line(NamedTuple):
    """A statement that is judged.

    Attributes:
        label: its class, a key of ``LABELS``.
        alone: whether nothing else is said.
        point: the place of its point among those of the question.
        answer: the answer it is or stands in; the labels of other points are not looked at.

    """

    label: str
    alone: bool
    point: int
    answer: Answer


def lines(bank: Sequence[Question], points: int, seen: Collection[str] = (), seed: int = 0) -> list[Line]:
    """Statements of held-out questions.

    Args:
        bank: all questions.
        points: how many points are drawn; each gives up to three statements, and each of these two lines.
        seen: statements that are not taken.
        seed: of the draw.

    """
    drawn = random.Random(seed)
    held = [each for each in bank if each.rubric is not None and held_out(each.id, HELD_OUT["bank"])]
    places = [(each, place) for each in held for place in range(len(each.rubric.criteria if each.rubric else ()))]
    drawn.shuffle(places)
    return [line for question, place in places[:points] for line in _of_point(question, place, seen, drawn)]


def _of_point(question: Question, place: int, seen: Collection[str], drawn: random.Random) -> Iterator[Line]:
    assert question.rubric is not None
    criteria = question.rubric.criteria
    others = [each for number, each in enumerate(criteria) if number != place and each.examples.met]
    for label, worth in LABELS.items():
        left = [each for each in getattr(criteria[place].examples, label) if each not in seen]
        if not left:
            continue
        said = drawn.choice(left)
        without = (*criteria[:place], _without(criteria[place], said), *criteria[place + 1 :])
        around = [drawn.choice(each.examples.met) for each in drawn.sample(others, min(2, len(others)))]
        yield Line(label, True, place, said_to(question, without, said, worth))
        inside = " ".join([*around[:1], said, *around[1:]])
        yield Line(label, False, place, said_to(question, without, inside, worth))


def _without(criterion: Criterion, said: str) -> Criterion:
    kept = {name: tuple(each for each in getattr(criterion.examples, name) if each != said) for name in LABELS}
    return criterion.model_copy(update={"examples": criterion.examples.model_copy(update=kept)})


def row(name: str, chances: FloatArray) -> str:
    """A line of the table: of some statements the shares that are credited, denied, and contradicted.

    Args:
        name: what the statements are.
        chances: of each the probabilities of the verdicts, [statements, 4].

    """
    credited, opposed, sure = marked(chances)
    return shares(name, credited, credited & sure, ~credited & sure, opposed, opposed & sure)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=100, help="how many points are drawn")
    parser.add_argument("--seen", type=Path, help="file of statements that are not taken, one a line")
    parser.add_argument("--keep", type=Path, help="folder to keep states in")
    wanted = parser.parse_args()
    seen = frozenset(wanted.seen.read_text(encoding="utf-8").splitlines()) if wanted.seen else frozenset()
    found = lines(load_bank(), wanted.points, seen)
    answers = [each.answer for each in found]
    (data,) = read([("example statements", answers)], wanted.keep)
    chances = on(data, load(), answers).chances
    begins = np.cumsum([0, *(len(each.criteria) for each in answers)])
    of_lines = chances[[begin + line.point for begin, line in zip(begins, found, strict=False)]]
    print("| | statements | credited | surely credited | surely denied | likelier contradicted | surely |")
    print("|---|---|---|---|---|---|---|")
    for alone in (True, False):
        for label in LABELS:
            chosen = np.array([line.alone is alone and line.label == label for line in found])
            print(row(f"{label}, {'alone' if alone else 'inside an answer'}", of_lines[chosen]))


if __name__ == "__main__":
    main()
