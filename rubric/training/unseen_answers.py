"""Labeled answers to questions that no layer and no head of the judge has seen: how it weighs is fitted to them.

What a judge says of questions that it learned from is surer than what it says of new ones; weights fitted to that would
trust it too much.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rubric.model import Criterion
from rubric.training.labeled_answers import (
    BANK_ANSWERS,
    FURTHER_ANSWERS,
    IN_FIVE_MANNERS,
    TO_HELD_OUT_QUESTIONS,
    Answer,
    answers_still_labeled,
    dealt,
    read_answers,
    read_bank_answers,
    read_labeled_rows,
)
from rubric.training.reader.corpus import HELD_OUT, held_out

Questions = Mapping[str, tuple[str, tuple[Criterion, ...]]]


def unseen(questions: Questions, folder: Path | None = None) -> list[Answer]:
    """All such answers there are.

    Args:
        questions: the bank's, text and criteria by id.
        folder: with the graded answers, and further answers to the bank where it has them.

    Raises:
        BadInputError: the folder holds no graded answers.

    """
    _, ours = dealt(read_bank_answers(BANK_ANSWERS, questions))
    found = [each for each in ours if held_out(each.question_id, HELD_OUT["bank"])]
    for path in (IN_FIVE_MANNERS, TO_HELD_OUT_QUESTIONS):
        found += _bank(path, questions)
    if folder is None:
        return found
    graded = [each for each in read_answers(folder) if held_out(each.question_id, HELD_OUT["graded"])]
    further = folder / FURTHER_ANSWERS
    return graded + found + (_bank(further, questions) if further.is_file() else [])


def _bank(path: Path, questions: Questions) -> list[Answer]:
    """Answers to held-out questions of the bank, with the labels of criteria that are still what was labeled."""
    return [
        answer
        for row in read_labeled_rows(path)
        if row["id"] in questions and held_out(row["id"], HELD_OUT["bank"])
        for answer in answers_still_labeled(row, *questions[row["id"]])
    ]
