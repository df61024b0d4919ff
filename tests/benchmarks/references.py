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
from rubric.model import Criterion, Verdict
from rubric.training.labeled_answers import Answer
from tests.benchmarks.figures import Judged, marked, shares
from tests.benchmarks.grading import on
from tests.benchmarks.states import read


def answers(bank: Sequence[Question]) -> Iterator[Answer]:
    """Each reference as somebody would say it: without code and markup."""
    for question in bank:
        said = readable(question.reference)
        if question.rubric is not None and said:
            yield said_to(question, question.rubric.criteria, said, Verdict.MET)


def said_to(question: Question, criteria: tuple[Criterion, ...], text: str, label: Verdict) -> Answer:
    """What somebody says to a question of the bank, labeled alike for each of its points."""
    return Answer(
        question_id=question.id,
        question=question.text,
        criteria=criteria,
        style=question.kind.value,
        family="bank",
        text=text,
        labels=(label,) * len(criteria),
    )


def row(name: str, judged: Judged, of: np.ndarray) -> str:
    """A line of the table: of some points the shares that are credited, contradicted, and surely not credited."""
    credited, opposed, sure = marked(judged.chances[of])
    return shares(name, credited, opposed, sure & ~credited, sure & opposed)


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
    credited, _, sure = marked(judged.chances)
    against = sure & ~credited
    for place in np.flatnonzero(against):
        name, point = points[place]
        print(f"- {name}/{point.id} {judged.chances[place].round(2)} {point.text}")


if __name__ == "__main__":
    main()
