"""What a conductor is lent, beside a grader: what runs code, and what reads a disputed point again."""

from __future__ import annotations

from typing import Protocol

from rubric.execution import CodeResult
from rubric.grader import GradeRequest
from rubric.second import SecondReading
from rubric.task import CodingTask


class Verifier(Protocol):
    """Runs code against a task's tests; ``rubric.code.Verifier`` is one."""

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
    """Judges a disputed point again; ``rubric.second.SecondReader`` is one."""

    def read(self, request: GradeRequest, criterion_id: str) -> SecondReading:
        """Judge one criterion of an answer alone, on the sentences nearest to it.

        Raises:
            InterviewerError: it cannot be judged, or not now.

        """
        ...
