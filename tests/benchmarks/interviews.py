"""Measures the judge on interviews: ``python -m tests.benchmarks.interviews --keep FOLDER``; prints Markdown tables.

``interviews.jsonl``: 139 questions of 54 interviews that people held who had not seen the program, with all that was
said, and for each point two labels by readers who saw neither marks nor each other's labels: after the first answer,
after all answers, and in which answer it was made. Where they differ, which is once in forty, a point is left out.
Nothing is fitted to them, but from where a point is asked for and advised was chosen on them
(``interviewer.policy.follow_ups.LACKING``, ``interviewer.report.analysis.highlights``).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from knowledge.bank.parser import bank_criteria
from rubric.grading.state_head import load
from rubric.model import Criterion, Verdict
from rubric.training.labeled_answers import Answer
from tests.benchmarks import metrics as m
from tests.benchmarks.figures import FIGURES, FURTHER, heading, line
from tests.benchmarks.grading import on
from tests.benchmarks.states import read

INTERVIEWS = Path(__file__).parent / "interviews.jsonl"
MOMENTS = {"after the first answer": "first", "after all answers": "labels"}
"""When it is judged, and where the labels of that moment stand."""


def rows(path: Path = INTERVIEWS) -> list[dict[str, Any]]:
    """The questions, in the order in which they were asked."""
    return [json.loads(each) for each in path.read_text(encoding="utf-8").splitlines()]


def said(row: dict[str, Any], moment: str) -> str:
    """What is graded of a question at a moment, a key of ``MOMENTS``."""
    words = [turn for turn in row["turns"] if turn.get("graded")]
    first = next(number for number, turn in enumerate(words) if not turn.get("asks"))
    return "\n\n".join(turn["person"] for turn in (words[: first + 1] if MOMENTS[moment] == "first" else words))


def agreed(point: dict[str, Any], moment: str) -> Verdict | None:
    """The label that both readers gave; ``None`` where they gave two."""
    one, other = point[MOMENTS[moment]]
    return Verdict(one) if one == other else None


def answers(given: Sequence[dict[str, Any]], moment: str) -> Iterator[Answer]:
    """What was said as labeled answers, with the bank's statements where a point still has its words."""
    bank = {(name, point.id, point.text): point for name, (_, points) in bank_criteria().items() for point in points}
    texts = {name: text for name, (text, _) in bank_criteria().items()}
    for row in given:
        labeled = [(point, agreed(point, moment)) for point in row["points"]]
        kept = [(point, label) for point, label in labeled if label is not None]
        if not kept:
            continue
        yield Answer(
            question_id=f"{row['interview']}/{row['number']}",
            question=texts.get(row["question_id"], row["turns"][0]["interviewer"]),
            criteria=tuple(
                bank.get((row["question_id"], point["id"], point["text"]))
                or Criterion(id=point["id"], text=point["text"], weight=point["weight"])
                for point, _ in kept
            ),
            style=row["kind"],
            family="bank",
            text=said(row, moment),
            labels=tuple(label for _, label in kept),
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="folder to keep states in")
    wanted = parser.parse_args()
    given, head = rows(), load()
    bodies = {moment: list(answers(given, moment)) for moment in MOMENTS}
    judged = {
        moment: on(data, head, bodies[moment])
        for moment, data in zip(bodies, read(list(bodies.items()), wanted.keep), strict=True)
    }
    for figures in (FIGURES, FURTHER):
        print(heading(figures))
        for moment, made in judged.items():
            print(line(moment, made, figures))
            for kind in sorted({row["kind"] for row in given}):
                of = np.array([bodies[moment][number].style == kind for number in made.data.answers])
                print(line(f"… {kind}", made.of(of), figures))
    for moment, made in judged.items():
        floor, ceiling, dispersion = m.hearing(made.data.labels, made.chances, made.data.answers)
        print(f"Heard {moment}: floor {floor:.2f}, ceiling {ceiling:.2f}, dispersion {dispersion:.2f}.")


if __name__ == "__main__":
    main()
