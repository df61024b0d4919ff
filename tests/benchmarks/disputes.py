"""Measures what a second reading is worth: ``make dispute-bench``; prints a table, writes it into the judge's card.

Our own labeled answers to the bank (``bank_answers.jsonl``), which nothing is ever fitted to, are graded as in an
interview; then every point is read a second time as if it were disputed (``rubric.grading.second_reading``). Of the
marks that were wrong, how many does the second reading put right, and of those that were right, how many does it
spoil? Marks that are too low are told apart, since these are the ones that people dispute. What was read is kept in
the folder given with --keep, so that a measurement that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from interviewer.cli.container import Container
from interviewer.cli.output import shown
from rubric.grading import trust_card
from rubric.grading.grader import GradeRequest
from rubric.grading.judges.state_head import StateJudge
from rubric.grading.second_reading import SecondReader
from rubric.grading.state_head import load
from rubric.model import Rubric, Verdict
from rubric.training.labeled_answers import Answer
from serving.frozen import FrozenModel
from tests.benchmarks import metrics as m
from tests.benchmarks.bank_answers import read_bank_answers
from tests.benchmarks.prompted import sampled

SAMPLE = 40
"""Answers: about five minutes on two cores."""

CREDITED = {Verdict.MET, Verdict.PARTIAL}


class Twice(FrozenModel):
    """A point that was read twice: its label, and both readings."""

    question_id: str
    style: str
    label: Verdict
    first: Verdict
    second: Verdict
    sure: bool

    @property
    def right(self) -> tuple[bool, bool]:
        """Whether each reading credits the point as the label does."""
        first, second = ((found in CREDITED) == (self.label in CREDITED) for found in (self.first, self.second))
        return first, second


def read_twice(container: Container, answer: Answer) -> list[Twice]:
    """Every point of an answer, as graded and as read a second time."""
    request = GradeRequest(
        question=answer.question, rubric=Rubric(criteria=answer.criteria, origin="bank"), answer=answer.text
    )
    reader = SecondReader(container.grader, container.statement_encoder)
    graded = container.grader.grade(request)
    return [
        Twice(
            question_id=answer.question_id,
            style=answer.style,
            label=label,
            first=verdict.verdict,
            second=reader.read(request, verdict.id).grade.criteria[0].verdict,
            sure=verdict.sure,
        )
        for verdict, label in zip(graded.criteria, answer.labels, strict=True)
    ]


def kept(path: Path | None) -> dict[tuple[str, str], list[Twice]]:
    """What was read before, by question and style."""
    found: dict[tuple[str, str], list[Twice]] = {}
    if path is not None and path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            points = [Twice.model_validate(each) for each in json.loads(line)]
            found[points[0].question_id, points[0].style] = points
    return found


def keep(path: Path | None, points: Sequence[Twice]) -> None:
    """Add what was read of one answer."""
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([point.model_dump(mode="json") for point in points]) + "\n")


def row(name: str, points: Sequence[Twice]) -> str:
    """A row of the table: how many, how many the second reading marked rightly, with a 95 % interval by question."""
    right = np.array([point.right[1] for point in points])
    if not len(right):
        return f"| {name} | 0 | – |"
    low, high = m.interval(lambda picked: float(right[picked].mean()), [point.question_id for point in points])
    return f"| {name} | {len(right)} | {right.mean():.2f} ({low:.2f}-{high:.2f}) |"


def print_table(points: Sequence[Twice]) -> None:
    """What the second reading made of marks that were wrong, and of marks that were right."""
    wrong, right = ([point for point in points if point.right[0] is of] for of in (False, True))
    low = [point for point in wrong if point.label in CREDITED]
    differ = [point for point in points if point.right[0] != point.right[1]]
    print("| marks on first reading | points | right on second reading |\n|---|---|---|")
    for name, some in (
        ("all", points),
        ("wrong", wrong),
        ("wrong, too low", low),
        ("wrong, too high", [point for point in wrong if point not in low]),
        ("wrong, and the judge was sure", [point for point in wrong if point.sure]),
        ("right", right),
        ("right, and the judge was sure", [point for point in right if point.sure]),
        ("other than the second reading", differ),
    ):
        print(row(name, some))
    same = sum(point.first is point.label for point in points), sum(point.second is point.label for point in points)
    print(f"\nThe very verdict of the label, of four: first reading {same[0]}, second {same[1]} of {len(points)}.")


def main() -> None:
    """Print the table and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=SAMPLE, help="read so many answers only; 0 reads all")
    parser.add_argument("--keep", type=Path, help="folder to keep what was read in")
    arguments = parser.parse_args()
    file = arguments.keep / f"disputes-{StateJudge.name_of(load()).split()[-1]}.jsonl" if arguments.keep else None
    before = kept(file)
    answers = read_bank_answers()
    chosen = [answers[place] for place in sampled(answers, arguments.sample or None)]
    container = Container()
    points: list[Twice] = []
    try:
        container.embedding_model()
        container.judge()
        begin = time.perf_counter()
        # Stopped by hand, it tells what was read by then.
        with shown("Reading twice") as tell, suppress(KeyboardInterrupt):
            for number, answer in enumerate(chosen, 1):
                read = before.get((answer.question_id, answer.style))
                if read is None:
                    read = read_twice(container, answer)
                    keep(file, read)
                points += read
                tell(f"{number} of {len(chosen)}", number / len(chosen))
        took = time.perf_counter() - begin
    finally:
        container.close()
    read_of = {(point.question_id, point.style) for point in points}
    print(f"{len(read_of)} answers to {len({name for name, _ in read_of})} questions, {took:.0f} s\n")
    print_table(points)
    wrong = [point for point in points if not point.right[0]]
    mended = sum(point.right[1] for point in wrong)
    spoiled = sum(point.right == (True, False) for point in points)
    second = trust_card.SecondReadings(marks=len(points), wrong=len(wrong), mended=mended, spoiled=spoiled)
    print(f"\n{second.sentence}")
    for known in trust_card.cards():
        trust_card.save(known.model_copy(update={"second": second}))


if __name__ == "__main__":
    main()
