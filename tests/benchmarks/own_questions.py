"""Measures how a person's own questions are answered: ``python -m tests.benchmarks.own_questions``.

``own_questions.jsonl``: what candidates may ask on entries of the bank, at the end of an interview or during it, by
four writers who saw the sentences that the interviewer has on an entry. Each question names the sentences that answer
it; a third has none. Nothing is fitted to them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from interviewer.engine.passages.passages import Passages
from interviewer.engine.passages.told_sentences import told_of
from interviewer.text import capitalized
from knowledge.bank.parser import load_bank
from knowledge.model import Hit, Question
from serving.encoders.cached_encoder import CachedEmbedder
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.models import catalogue

QUESTIONS = Path(__file__).parent / "own_questions.jsonl"


class Asked(NamedTuple):
    """A question of a person's.

    Attributes:
        words: as they asked it.
        on: the entry that it is on.
        answers: the sentences that answer it; empty where none does.

    """

    words: str
    on: Question
    answers: tuple[str, ...]


class Figures(NamedTuple):
    """How questions were answered.

    Attributes:
        right, wrong: shares of the questions that have an answer which were told one, and something else.
        beside: share of the others which were told anything.

    """

    right: float
    wrong: float
    beside: float


class Nothing:
    """A library in which nothing is found: only what was asked in the interview answers."""

    complete = True

    def questions(self) -> tuple[Question, ...]:
        """None."""
        return ()

    def search(self, text: str, k: int) -> list[Hit]:
        """Nothing."""
        return []


def asked(path: Path = QUESTIONS) -> Iterator[Asked]:
    """The questions on entries that are there still, with the sentences that are told of them still."""
    bank = {question.id: question for question in load_bank()}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["id"] not in bank:
            continue
        there = {each.said for each in told_of(bank[row["id"]])}
        for words, places in row["asked"]:
            answers = tuple(row["sentences"][place] for place in places)
            if there.issuperset(answers):
                yield Asked(words, bank[row["id"]], answers)


def figures(given: Sequence[Asked], passages: Passages) -> Figures:
    """How they are answered in an interview in which nothing but the entry was asked."""
    right = wrong = beside = none = 0
    for each in given:
        found = passages.on(each.words, [each.on])
        said = found.said if found is not None else ""
        none += not each.answers
        if each.answers:
            hit = any(capitalized(answer) in said for answer in each.answers)
            right, wrong = right + hit, wrong + (bool(said) and not hit)
        else:
            beside += bool(said)
    with_answer = len(given) - none
    return Figures(right / with_answer, wrong / with_answer, beside / none)


def main() -> None:
    """Print the figures."""
    searcher = CachedEmbedder(SentenceTransformerEmbedder(catalogue.embedder_folder()))
    given = list(asked())
    found = figures(given, Passages(Nothing(), None, searcher=searcher))
    print(f"{len(given)} questions on {len({each.on.id for each in given})} entries")
    print(
        f"answered {found.right:.2f}, told something else {found.wrong:.2f}, told something where none answers", end=" "
    )
    print(f"{found.beside:.2f}")


if __name__ == "__main__":
    main()
