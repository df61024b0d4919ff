"""Measures a turn on this machine: ``make bench``. From the answer being sent to its mark being in the journal.

The mark is the page's own: the grade, the words that it rests on, and the statements that are doubted. Thirty
questions of the bank, five criteria each, an answer of some ninety words made of example statements; the server warm,
each question new to it, as in an interview. A third of the answers are sent at once ("cold"), a third when what is
prepared while the person thinks has long been prepared ("warm"), and a third is told sentence by sentence, read ahead
as it grows, and then sent ("told").
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from interviewer.cli.container import Container, unattended_service
from interviewer.engine.ports import Library
from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from knowledge.bank.parser import load_bank
from knowledge.model import Hit, Question
from rubric.grading.evidence import sentences

TURNS, CRITERIA = 30, 5
THINKS_S = 12.0
"""Far less than a person takes for ninety words, and enough for all that is prepared meanwhile."""
SENTENCE_S = 5.0
"""Seconds that a sentence of some twenty words takes: spoken, they take seven."""
KINDS = ("cold", "warm", "told")
FIGURES = {
    "turn.words": "",
    **{
        f"turn.{kind}.{what}": unit
        for kind in KINDS
        for what, unit in (("turns", ""), ("median_s", "s"), ("p95_s", "s"), ("longest_s", "s"))
    },
}
"""The names of the figures that are measured here, with their units."""


class Shelf:
    """The questions measured, as a library; what is near to a sentence is searched for in the whole one."""

    def __init__(self, questions: list[Question], library: Library) -> None:
        self._questions, self._library = tuple(questions), library

    def questions(self) -> tuple[Question, ...]:
        """See ``QuestionIndex.questions``."""
        return self._questions

    def leads(self) -> tuple[Question, ...]:
        """See ``QuestionIndex.leads``."""
        return self._questions

    def near(self, question: Question) -> frozenset[str]:
        """See ``QuestionIndex.near``."""
        return frozenset()

    @property
    def complete(self) -> bool:
        """There is nothing to wait for."""
        return True

    def search(self, text: str, k: int) -> list[Hit]:
        """See ``QuestionIndex.search``."""
        return self._library.search(text, k)


def answer_to(question: Question) -> str:
    """Three points met, one contradicted, one missed."""
    criteria = question.rubric.criteria
    said = [item.examples.met[number % len(item.examples.met)] for number, item in enumerate(criteria[:3])]
    return " ".join([*said, criteria[3].examples.contradicted[0], criteria[4].examples.near[0]])


def shortened(question: Question) -> Question:
    """The question with its first five criteria."""
    rubric = question.rubric.model_copy(update={"criteria": question.rubric.criteria[:CRITERIA]})
    return question.model_copy(update={"rubric": rubric})


def tell(service: InterviewService, session: str, said: str) -> None:
    """Say an answer sentence by sentence, the last one only when it is sent."""
    for _, end in sentences(said)[:-1]:
        time.sleep(SENTENCE_S)
        service.drafts.heard(session, said[:end])
    time.sleep(SENTENCE_S)


def measure(*, quick: bool = False) -> dict[str, float]:
    """Hold the turns.

    Args:
        quick: one turn of each kind, to see that it works.

    """
    turns = len(KINDS) if quick else TURNS
    usable = [question for question in load_bank() if len(question.rubric.criteria) >= CRITERIA]
    questions = [shortened(question) for question in usable[: turns + 1]]
    container = Container()
    seconds: dict[str, list[float]] = {kind: [] for kind in KINDS}
    words = []
    try:
        container.embedding_model()
        container.judge()
        library = container.library()
        library.catch_up()
        with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.db") as journal:
            plan = Plan(question_ids=tuple(question.id for question in questions), follow_ups=0)
            with unattended_service(container, journal, Shelf(questions, library)) as service:
                session = service.start(plan)
                for number in range(len(questions)):
                    said = answer_to(service.state(session).current.question)
                    kind = KINDS[number % len(KINDS)]
                    if kind == "told":
                        tell(service, session, said)
                    time.sleep(THINKS_S if kind == "warm" else 0.0)
                    begin = time.perf_counter()
                    service.answer(session, said, f"turn-{number}")
                    service.advance(session)
                    # Of the first one a good part is loading what stays loaded.
                    if number:
                        seconds[kind].append(time.perf_counter() - begin)
                    words.append(len(said.split()))
    finally:
        container.close()
    figures = {"turn.words": float(np.mean(words))}
    for kind, measured in seconds.items():
        middle, high = np.percentile(measured, [50, 95])
        figures[f"turn.{kind}.turns"] = float(len(measured))
        figures[f"turn.{kind}.median_s"] = float(middle)
        figures[f"turn.{kind}.p95_s"] = float(high)
        figures[f"turn.{kind}.longest_s"] = max(measured)
    return figures


def lines(figures: Mapping[str, float]) -> Iterator[str]:
    """The figures as they are printed."""
    yield f"{CRITERIA} criteria each, {figures['turn.words']:.0f} words an answer"
    for kind in KINDS:
        turns, middle, high, longest = (
            figures[f"turn.{kind}.{what}"] for what in ("turns", "median_s", "p95_s", "longest_s")
        )
        yield f"{kind}: {turns:.0f} turns, median {middle:.2f} s, p95 {high:.2f} s, longest {longest:.2f} s"


def main() -> None:
    """Print median and 95th percentile."""
    print("\n".join(lines(measure())))


if __name__ == "__main__":
    main()
