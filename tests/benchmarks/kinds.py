"""Measures the judge on stories and designs apart: ``python -m tests.benchmarks.kinds --keep FOLDER``.

``stories_and_designs.jsonl``: 20 stories from work and 20 designs by one writer who had not seen the bank's example
statements, to 20 questions of the bank, of all but one of which no layer has learned from any answer; each label has
the words it rests on.
Stories are labeled a second time by what any story is asked for where a question has no rubric of its own. Nothing is
ever fitted to them.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from knowledge.bank.parser import bank_criteria
from rubric.answer_kinds import story_criteria
from rubric.grading.state_head import load
from rubric.training.labeled_answers import Answer, bank_answer, read_rows
from tests.benchmarks.bank_answers import read_bank_answers
from tests.benchmarks.figures import FIGURES, FURTHER, heading, line
from tests.benchmarks.grading import on
from tests.benchmarks.states import read

WRITTEN = Path(__file__).with_name("stories_and_designs.jsonl")


def bodies(path: Path = WRITTEN) -> Mapping[str, list[Answer]]:
    """The answers by kind, and the stories with the criteria of any story."""
    answers = read_bank_answers(path)
    return {
        "stories": [each for each in answers if not each.question_id.startswith("design-")],
        "designs": [each for each in answers if each.question_id.startswith("design-")],
        "any story": as_any_story(read_rows(path)),
    }


def as_any_story(rows: list[dict[str, Any]]) -> list[Answer]:
    """The stories as answers to questions that brought no rubric."""
    questions = bank_criteria()
    return [
        bank_answer(row["id"], questions[row["id"]][0], story_criteria(), given | {"labels": given["story"]["labels"]})
        for row in rows
        for given in row["answers"]
        if "story" in given
    ]


def main() -> None:
    """Print the tables of each kind as soon as it was judged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="folder to keep states in")
    found = bodies()
    parser.add_argument("--only", choices=found, action="append", help="this kind; may be given again")
    wanted = parser.parse_args()
    head = load()
    for name in wanted.only or found:
        (data,) = read([(name, found[name])], wanted.keep)
        judged = on(data, head, found[name])
        for figures in (FIGURES, FURTHER):
            print(heading(figures))
            print(line(name, judged, figures), flush=True)


if __name__ == "__main__":
    main()
