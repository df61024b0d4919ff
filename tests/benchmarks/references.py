"""Grades the bank's references as answers: ``python -m tests.benchmarks.references --keep FOLDER``; prints a table.

A reference makes every point of its rubric, so what is held against one is an error of the judge, or the reference
leaves a point out. Statements like those of references were learned from; the references' own sentences too, so that
this says nothing of other answers: it is the least that a judge must do.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from interviewer.speech.speakable_text import readable
from knowledge.bank.parser import load_bank
from knowledge.model import Question
from rubric.grading.state_head import load
from rubric.model import Verdict
from rubric.training.labeled_answers import Answer
from tests.benchmarks import metrics as m
from tests.benchmarks.figures import Judged, stated
from tests.benchmarks.grading import on
from tests.benchmarks.states import read


def answers(bank: Sequence[Question]) -> Iterator[Answer]:
    """Each reference as somebody would say it: without code and markup."""
    for question in bank:
        said = readable(question.reference)
        if question.rubric is None or not said:
            continue
        yield Answer(
            question_id=question.id,
            question=question.text,
            criteria=question.rubric.criteria,
            style=question.kind.value,
            family="bank",
            text=said,
            labels=(Verdict.MET,) * len(question.rubric.criteria),
        )


def row(name: str, judged: Judged, of: np.ndarray) -> str:
    """A line of the table: of some points the shares that are credited, contradicted, and surely not credited."""
    chances = judged.chances[of]
    credited = chances[:, :2].sum(axis=1) >= 0.5
    sure, opposed = stated(chances), chances.argmax(axis=1) == m.CONTRADICTED
    shares = (credited, ~credited & opposed, sure & ~credited, sure & ~credited & opposed)
    return f"| {name} | {len(chances)} | " + " | ".join(f"{share.mean():.3f}" for share in shares) + " |"


def main() -> None:
    """Print the table, and each point that is surely held against its own reference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="folder to keep states in")
    wanted = parser.parse_args()
    found, head = list(answers(load_bank())), load()
    (data,) = read([("references", found)], wanted.keep)
    judged = on(data, head, found)
    print("| | points | credited | contradicted | surely not credited | of these contradicted |")
    print("|---|---|---|---|---|---|")
    styles = np.array([found[number].style for number in data.answers])
    print(row("all", judged, np.ones(len(styles), dtype=bool)))
    for kind in sorted(set(styles)):
        print(row(kind, judged, styles == kind))
    points = [(each.question_id, point) for each in found for point in each.criteria]
    against = stated(judged.chances) & (judged.chances[:, :2].sum(axis=1) < 0.5)
    for place in np.flatnonzero(against):
        name, point = points[place]
        print(f"- {name}/{point.id} {judged.chances[place].round(2)} {point.text}")


if __name__ == "__main__":
    main()
