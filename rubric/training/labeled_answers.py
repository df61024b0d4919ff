"""Labeled answers to fit and measure the judge with: one sample for each criterion of each answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rubric.model import Criterion, Examples, Verdict
from rubric.spelling import american_text
from serving.errors import BadInputError
from serving.frozen import FrozenModel


class Answer(FrozenModel):
    """One labeled answer.

    Attributes:
        question_id: the question's id: what folds are made by.
        question: as asked.
        criteria: the question's.
        style: how the answer was written, for figures by style.
        family: ``first``, ``mixed`` or ``balanced``: whether manner goes with the mark; ``bank`` for our own answers.
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


def by_question(answers: Iterable[Answer]) -> dict[str, list[Answer]]:
    """The answers to each question, by its id, in the order in which the questions come."""
    found: dict[str, list[Answer]] = {}
    for answer in answers:
        found.setdefault(answer.question_id, []).append(answer)
    return found


def read_answers(folder: Path) -> list[Answer]:
    """The answers of ``graded_answers.jsonl``, their criteria with the examples of ``example_statements.jsonl``.

    Raises:
        BadInputError: the folder holds no such files.
    """
    try:
        questions = read_rows(folder / "graded_answers.jsonl")
        statements = {row["id"]: row["criteria"] for row in read_rows(folder / "example_statements.jsonl")}
    except OSError as error:
        raise BadInputError(f"{error.filename} cannot be read: {error.strerror}.") from error
    return [answer for row in questions for answer in _answers(row, statements.get(row["id"], {}))]


BANK_ANSWERS = Path(__file__).parent / "data" / "bank_answers.jsonl"
"""Our own labeled answers to questions of the bank, some of them hostile, to fit with; never measured on."""

FURTHER_ANSWERS = "bank_answers_c.jsonl"
"""Name of a file of further ones, in a folder of the person who fits."""

IN_FIVE_MANNERS = BANK_ANSWERS.with_name("bank_answers_in_five_manners.jsonl")
"""Further ones to fit with: right but for one point, fluent and wrong, rambling, near misses, a story from work.

Each answer has a ``why`` for every label, with the words that it rests on. Never measured on.
"""

BY_THREE_HANDS = BANK_ANSWERS.with_name("bank_answers_by_three_hands.jsonl")
"""Further ones to fit with, by three other writers: what is right, half said, and wrong is mixed in every answer.

Each has a ``why`` as those before. Never measured on.
"""

BY_FOUR_HANDS = BANK_ANSWERS.with_name("bank_answers_by_four_hands.jsonl")
"""Further ones to fit with, by four other writers, to questions that had few; each has a ``why``. Never measured on."""

BY_FOUR_MORE_HANDS = BANK_ANSWERS.with_name("bank_answers_by_four_more_hands.jsonl")
"""The same by four others, each label given a second time by somebody who had not seen it. Never measured on."""

RELABELED = BANK_ANSWERS.with_name("relabeled.jsonl")
"""Labels of criteria that were reworded, for answers of a file that somebody else keeps."""

TO_HELD_OUT_QUESTIONS = BANK_ANSWERS.with_name("bank_answers_to_held_out_questions.jsonl")
"""By four further writers, to questions that the layers never learn from: how the judge weighs is fitted to them.

Each has a ``why`` as those before. Never measured on.
"""


def read_bank_answers(path: Path, questions: Mapping[str, tuple[str, tuple[Criterion, ...]]]) -> list[Answer]:
    """Labeled answers to questions of the bank, with the criteria and statements that the bank has now.

    A criterion that came to its question later, or is worded otherwise than when it was labeled, is left out.

    Args:
        path: JSON lines: a question's ``id`` and its ``answers``, each with ``style``, ``text`` and ``labels`` by
            criterion, and perhaps the ``criteria`` as they were labeled.
        questions: text and criteria by id.

    Raises:
        ValueError: an answer has a label of a criterion that its question does not have, or not those of its siblings.

    """
    answers = []
    for row in read_rows(path):
        text, criteria = questions[row["id"]]
        known = {item.id for item in criteria}
        for each in row["answers"]:
            if set(each["labels"]) != set(row["answers"][0]["labels"]) or not known.issuperset(each["labels"]):
                raise ValueError(f"{path.name}: the labels of an answer to {row['id']} are not those of its criteria.")
        answers += answers_still_labeled(row, text, criteria)
    return answers


def answers_still_labeled(row: Mapping[str, Any], question: str, criteria: Sequence[Criterion]) -> list[Answer]:
    """The answers of a row, each with the criteria that it has labels of; those without any are left out."""
    found = []
    for given in row["answers"]:
        labeled = labeled_criteria(row, given, criteria)
        if labeled:
            found.append(bank_answer(row["id"], question, labeled, given))
    return found


def labeled_criteria(
    row: Mapping[str, Any], given: Mapping[str, Any], criteria: Sequence[Criterion]
) -> tuple[Criterion, ...]:
    """The criteria that an answer has labels of and that say what they said when it was labeled.

    How they are spelled does not matter.

    Args:
        row: the question's; its ``criteria``, where it has them, are the texts that were labeled, by id.
        given: the answer, with ``labels`` by criterion.
        criteria: those that the bank has now.

    """
    texts = row.get("criteria", {})
    return tuple(
        item
        for item in criteria
        if item.id in given["labels"] and american_text(texts.get(item.id, item.text)) == american_text(item.text)
    )


def read_labeled_rows(path: Path, relabeled: Path = RELABELED) -> list[dict[str, Any]]:
    """The rows of a file of labeled answers, with the labels that criteria got anew after they were reworded.

    Args:
        path: JSON lines, as ``read_bank_answers`` reads them.
        relabeled: JSON lines: the ``file``'s name, a question's ``id``, its reworded ``criteria`` by id, and their
            ``labels`` for each of the question's answers, in order.

    Raises:
        ValueError: a question's new labels are not one set for each of its answers.

    """
    anew = {row["id"]: row for row in read_rows(relabeled) if row["file"] == path.name}
    return [_relabeled(row, anew[row["id"]]) if row["id"] in anew else row for row in read_rows(path)]


def _relabeled(row: dict[str, Any], anew: dict[str, Any]) -> dict[str, Any]:
    if len(anew["labels"]) != len(row["answers"]):
        raise ValueError(f"The new labels of {row['id']} are of {len(anew['labels'])} answers, not of all.")
    answers = [
        given | {"labels": given["labels"] | labels}
        for given, labels in zip(row["answers"], anew["labels"], strict=True)
    ]
    return row | {"criteria": row.get("criteria", {}) | anew["criteria"], "answers": answers}


def bank_answer(question_id: str, question: str, criteria: tuple[Criterion, ...], given: dict[str, Any]) -> Answer:
    """An answer to a question of the bank, from its row: ``style``, ``text``, and ``labels`` by criterion."""
    return Answer(
        question_id=question_id,
        question=question,
        criteria=criteria,
        style=given["style"],
        family="bank",
        text=given["text"],
        labels=tuple(Verdict(given["labels"][item.id]) for item in criteria),
    )


def dealt(answers: Sequence[Answer]) -> tuple[list[Answer], list[Answer]]:
    """Our answers, as those that the model's upper layers learn from and those that the judge's weights are fitted to.

    No question is in both: the states of what was learned are surer than those of what is new, and weights fitted to
    them would trust all states too much.
    """
    fold = folds([answer.question_id for answer in answers], 3)
    learned = [answer for answer, number in zip(answers, fold, strict=True) if number]
    return learned, [answer for answer, number in zip(answers, fold, strict=True) if not number]


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file; empty lines are none."""
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
