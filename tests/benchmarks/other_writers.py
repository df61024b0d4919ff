"""Measures the judge on answers of other writers: ``python -m tests.benchmarks.other_writers FILE --keep FOLDER``.

FILE holds labeled answers to questions of the bank, as ``bank_answers.jsonl`` does, by people who wrote nothing that
the judge was fitted to or chosen by. What it comes to is written into the trust card, as what a person is to expect.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rubric.grading import trust_card
from rubric.grading.judges.state_head import StateJudge
from rubric.grading.state_head import load
from rubric.grading.trust_card import OtherWriters
from tests.benchmarks.bank_answers import still_labeled
from tests.benchmarks.figures import FIGURES, FURTHER, Judged, figure, heading, line
from tests.benchmarks.grading import on
from tests.benchmarks.states import read

KEPT = ("κ", "AUC credit", "right", "surer 70 % right", "stated", "stated right", "contradicted, credited")
"""Figures that the card keeps."""


def measured(judged: Judged) -> OtherWriters:
    """What a judge is worth on some answers."""
    every = FIGURES | FURTHER
    return OtherWriters(
        answers=len(set(judged.data.answers[judged.rows].tolist())),
        questions=len({judged.data.questions[row] for row in judged.rows}),
        criteria=len(judged.rows),
        figures={name: figure(judged, every[name]) for name in KEPT},
    )


def main() -> None:
    """Print the table and write the card."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="labeled answers to questions of the bank")
    parser.add_argument("--keep", type=Path, help="folder to keep states in")
    wanted = parser.parse_args()
    answers, changed = still_labeled(wanted.file)
    if changed:
        sys.stderr.write(f"{changed} labels are left out: their criteria are others now.\n")
    head = load()
    (data,) = read([(wanted.file.stem, answers)], wanted.keep)
    judged = on(data, head, answers)
    for figures in (FIGURES, FURTHER):
        print(heading(figures))
        print(line(wanted.file.stem, judged, figures))
    name = StateJudge.name_of(head)
    for card in trust_card.cards():
        if card.judge == name:
            trust_card.save(card.model_copy(update={"others": measured(judged)}))


if __name__ == "__main__":
    main()
