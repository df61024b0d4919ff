"""Labelled answers to fit and measure the judge with: one sample for each criterion of each answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rubric.model import Criterion, Examples, Verdict
from serving.errors import BadInputError
from serving.frozen import Frozen


class Answer(Frozen):
    """One labelled answer.

    Attributes:
        question_id: the question's id: what folds are made by.
        question: as asked.
        criteria: the question's.
        style: how the answer was written, for figures by style.
        family: ``first``, ``mixed`` or ``balanced``: whether manner goes with the mark.
        text: the answer.
        labels: the verdict of each criterion, in the criteria's order.
    """

    question_id: str
    question: str
    criteria: tuple[Criterion, ...]
    style: str
    family: str
    text: str
    labels: tuple[Verdict, ...]


def read_answers(folder: Path) -> list[Answer]:
    """The answers of ``graded_answers.jsonl``, their criteria with the examples of ``example_statements.jsonl``.

    Raises:
        BadInputError: the folder holds no such files.
    """
    try:
        questions = _rows(folder / "graded_answers.jsonl")
        statements = {row["id"]: row["criteria"] for row in _rows(folder / "example_statements.jsonl")}
    except OSError as error:
        raise BadInputError(f"{error.filename} cannot be read: {error.strerror}.") from error
    return [answer for row in questions for answer in _answers(row, statements.get(row["id"], {}))]


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _answers(row: dict[str, Any], statements: dict[str, Any]) -> Iterator[Answer]:
    criteria = tuple(
        Criterion(
            id=item["id"],
            text=item["text"],
            weight=item["weight"],
            examples=Examples.model_validate(statements.get(item["id"], {})),
        )
        for item in row["criteria"]
    )
    family = family_of(row["answers"][0]["style"])
    for answer in row["answers"]:
        labels = tuple(Verdict(answer["labels"][item.id]) for item in criteria)
        yield Answer(
            question_id=row["id"],
            question=row["question"],
            criteria=criteria,
            style=answer["style"],
            family=family,
            text=answer["text"],
            labels=labels,
        )


def family_of(first_style: str) -> str:
    """The family of a question's answers, told by the style of the first."""
    return {"strong": "first", "strong textbook": "balanced"}.get(first_style, "mixed")


def folds(question_ids: Sequence[str], count: int) -> list[int]:
    """A fold for each sample so that no question stands in two; the same for the same ids."""
    order = {question: number for number, question in enumerate(sorted(set(question_ids)))}
    return [order[question] * 7919 % count for question in question_ids]
