"""Measures a turn on this machine: ``make bench``. From the answer being sent to its grade being in the journal.

Twenty questions of the bank, five criteria each, an answer of some ninety words made of example statements; the
server warm, each question new to it, as in an interview.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from app import Parts
from interviewer.conductor import Conductor
from interviewer.events import Plan
from interviewer.journal import Journal
from knowledge.bank import load_bank
from knowledge.model import Question

TURNS, CRITERIA = 20, 5


class Shelf:
    """The questions measured, as a library."""

    def __init__(self, questions: list[Question]) -> None:
        self._questions = tuple(questions)

    def questions(self) -> tuple[Question, ...]:
        """See ``QuestionIndex.questions``."""
        return self._questions

    def leads(self) -> tuple[Question, ...]:
        """See ``QuestionIndex.leads``."""
        return self._questions

    def near(self, question: Question) -> frozenset[str]:
        """See ``QuestionIndex.near``."""
        return frozenset()

    def search(self, text: str, k: int) -> list:
        """Nothing is alike."""
        return []


def answer_to(question: Question) -> str:
    """Three points met, one contradicted, one missed."""
    criteria = question.rubric.criteria
    said = [item.examples.met[number % len(item.examples.met)] for number, item in enumerate(criteria[:3])]
    return " ".join([*said, criteria[3].examples.contradicted[0], criteria[4].examples.near[0]])


def shortened(question: Question) -> Question:
    """The question with its first five criteria."""
    rubric = question.rubric.model_copy(update={"criteria": question.rubric.criteria[:CRITERIA]})
    return question.model_copy(update={"rubric": rubric})


def main() -> None:
    """Print median and 95th percentile."""
    usable = [question for question in load_bank() if len(question.rubric.criteria) >= CRITERIA]
    questions = [shortened(question) for question in usable[: TURNS + 1]]
    parts = Parts()
    seconds, words = [], []
    try:
        parts.embedding_model()
        parts.judge()
        with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.db") as journal:
            plan = Plan(question_ids=tuple(question.id for question in questions), follow_ups=0)
            with Conductor(journal, Shelf(questions), parts.grader, patience_s=None) as conductor:
                session = conductor.start(plan)
                for number in range(len(questions)):
                    said = answer_to(conductor.state(session).current.question)
                    begin = time.perf_counter()
                    conductor.answer(session, said, f"turn-{number}")
                    conductor.advance(session)
                    seconds.append(time.perf_counter() - begin)
                    words.append(len(said.split()))
    finally:
        parts.close()
    measured = np.array(seconds[1:])
    print(f"{len(measured)} turns, {CRITERIA} criteria each, {np.mean(words):.0f} words an answer")
    print(
        f"median {np.median(measured):.2f} s, p95 {np.percentile(measured, 95):.2f} s, longest {measured.max():.2f} s"
    )


if __name__ == "__main__":
    main()
