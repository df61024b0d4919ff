"""Where the reader's corpus comes from: the bank, our labeled answers, and files of further ones where they are there.

Never read are the answers that the judge is measured on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rubric.model import Criterion
from rubric.training.labeled_answers import (
    BANK_ANSWERS,
    BY_FOUR_HANDS,
    BY_FOUR_MORE_HANDS,
    BY_THREE_HANDS,
    FURTHER_ANSWERS,
    IN_FIVE_MANNERS,
    Answer,
    answers_still_labeled,
    by_question,
    read_answers,
    read_labeled_rows,
    read_rows,
)
from rubric.training.reader.corpus import Entry, entry, semeval_entries
from serving.encoders.sentence_encoder import Embedder

Reasons = dict[str, dict[str, str]]

OURS = (BANK_ANSWERS, IN_FIVE_MANNERS, BY_THREE_HANDS, BY_FOUR_HANDS, BY_FOUR_MORE_HANDS)
"""Files of our own labeled answers."""


class BankQuestion(NamedTuple):
    """A question of the bank.

    Attributes:
        text: as asked.
        criteria: its rubric's.
        reference: its answer.

    """

    text: str
    criteria: tuple[Criterion, ...]
    reference: str


def entries(questions: Mapping[str, BankQuestion], folder: Path | None, embedder: Embedder) -> Iterator[Entry]:
    """All that the reader is fitted to.

    Args:
        questions: the bank's, by id.
        folder: may hold ``FURTHER_ANSWERS``, ``graded_answers.jsonl`` with ``example_statements.jsonl``, and
            ``public/semeval.jsonl``.
        embedder: of the fitted encoder; cached by the caller.

    """
    more = [folder / FURTHER_ANSWERS] if folder else []
    yield from bank_entries(questions, [*OURS, *(path for path in more if path.is_file())], embedder)
    if folder and (folder / "graded_answers.jsonl").is_file():
        yield from graded_entries(folder, embedder)
    if folder and (folder / "public" / "semeval.jsonl").is_file():
        yield from semeval_entries(read_rows(folder / "public" / "semeval.jsonl"), embedder)


def bank_entries(questions: Mapping[str, BankQuestion], files: Sequence[Path], embedder: Embedder) -> Iterator[Entry]:
    """The bank's questions, with the labeled answers of some files.

    Args:
        questions: the bank's, by id.
        files: JSON lines as ``rubric.training.labeled_answers.read_bank_answers`` reads them; answers may have
            ``why`` by criterion.
            Labels of criteria that the bank has no longer, or words otherwise, are left out.
        embedder: of the fitted encoder.

    """
    rows: dict[str, list[dict[str, Any]]] = {}
    for path in files:
        for row in read_labeled_rows(path):
            rows.setdefault(row["id"], []).append(row)
    for name, (text, criteria, reference) in questions.items():
        answers: list[Answer] = []
        reasons: Reasons = {}
        for row in rows.get(name, []):
            answers += answers_still_labeled(row, text, criteria)
            reasons |= {given["text"]: given.get("why", {}) for given in row["answers"]}
        yield entry(name, "bank", text, criteria, answers, embedder=embedder, reference=reference, reasons=reasons)


def graded_entries(folder: Path, embedder: Embedder) -> Iterator[Entry]:
    """The questions of ``graded_answers.jsonl``."""
    references = {row["id"]: row["reference"] for row in read_rows(folder / "graded_answers.jsonl")}
    for question_id, answers in by_question(read_answers(folder)).items():
        first = answers[0]
        yield entry(
            question_id,
            "graded",
            first.question,
            first.criteria,
            answers,
            embedder=embedder,
            reference=references[question_id],
        )
