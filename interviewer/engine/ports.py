"""What a service is lent, beside a grader: what runs code, and what reads a disputed point again."""

from __future__ import annotations

from typing import Protocol

from knowledge.model import Hit, Question
from rubric.coding.result import CodeResult
from rubric.coding.task import CodingTask
from rubric.grading.grader import GradeRequest
from rubric.grading.second_reading import SecondReading


class Library(Protocol):
    """Where questions come from; ``knowledge.index.question_index.QuestionIndex`` is one."""

    def questions(self) -> tuple[Question, ...]:
        """All of them."""
        ...

    def leads(self) -> tuple[Question, ...]:
        """Those to be asked: of several that ask the same only one."""
        ...

    def near(self, question: Question) -> frozenset[str]:
        """Ids of the questions that are not asked in one interview with that one."""
        ...

    @property
    def complete(self) -> bool:
        """Whether a search answers at once."""
        ...

    def search(self, text: str, k: int) -> list[Hit]:
        """The ``k`` nearest to a text, best first."""
        ...


class Verifier(Protocol):
    """Runs code against a task's tests; ``rubric.coding.verifier.Verifier`` is one."""

    def prepare(self, task: CodingTask) -> None:
        """Get ready for submissions to a task; returns at once."""
        ...

    def unavailable(self, task: CodingTask) -> str:
        """Why nothing written for a task can be executed here; empty where it can."""
        ...

    def verify(self, task: CodingTask, source: str, *, only_examples: bool = False) -> CodeResult:
        """What becomes of a program.

        Raises:
            BadInputError: it is empty, too long, or no text.

        """
        ...


class SecondReader(Protocol):
    """Judges a disputed point again; ``rubric.grading.second_reading.SecondReader`` is one."""

    def read(self, request: GradeRequest, criterion_id: str) -> SecondReading:
        """Judge one criterion of an answer alone, on the sentences nearest to it.

        Raises:
            InterviewerError: it cannot be judged, or not now.

        """
        ...
