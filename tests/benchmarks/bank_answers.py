"""Our own labeled answers to questions of the bank: what any judge can be measured on in minutes.

``bank_answers.jsonl``: 42 questions, four answers each, every answer labeled criterion by criterion. Each answer mixes
met and unmet points in one manner (textbook, plain, rambling, confident), spread over the criteria, so that the manner
tells nothing about a label. Whoever wrote them had not seen the criteria's example statements, and a second reader who
had not seen the labels gave the same one to 862 of the 864. Nothing is ever fitted to them.
"""

from __future__ import annotations

from pathlib import Path

from knowledge.bank.parser import bank_criteria
from rubric.training.labeled_answers import BANK_ANSWERS, Answer, answers_still_labeled, read_labeled_rows
from rubric.training.labeled_answers import read_bank_answers as read

MEASURED = Path(__file__).parent / "bank_answers.jsonl"
FOR_FITTING = BANK_ANSWERS


def read_bank_answers(path: Path = MEASURED) -> list[Answer]:
    """The answers, with the criteria and statements that the bank has now.

    Raises:
        ValueError: an answer's labels are not those of its question's criteria.

    """
    return read(path, bank_criteria())


RELABELED = MEASURED.with_name("relabeled.jsonl")
"""Labels of criteria that were reworded, given anew by readers who saw the answers and those criteria only."""


def still_labeled(path: Path, relabeled: Path = RELABELED) -> tuple[list[Answer], int]:
    """The answers of a file, with the labels of criteria that the bank has now, and how many labels are of others.

    A file that somebody else keeps does not change when the bank does.
    """
    questions = bank_criteria()
    answers: list[Answer] = []
    given = 0
    for row in read_labeled_rows(path, relabeled):
        given += sum(len(each["labels"]) for each in row["answers"])
        answers += answers_still_labeled(row, *questions.get(row["id"], ("", ())))
    return answers, given - sum(len(each.labels) for each in answers)
