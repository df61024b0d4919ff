"""Models of submitted code and its runs."""

from __future__ import annotations

from datetime import datetime

from rubric.coding.result import CodeResult, CodeStatus
from rubric.coding.task import StarterForm
from rubric.model import Unit
from serving.frozen import FrozenModel


class Attempt(FrozenModel):
    """Code that was run or submitted.

    Attributes:
        event_id: the ``CodeRan`` event.
        number: its place among the question's attempts, from 1.
        submitted: whether the hidden tests ran too, or the examples alone.
        status: what became of it.
        passed, tests: how many tests passed, of how many.
        diff: what changed since the attempt before, or since the starter; empty where nothing did.

    """

    event_id: str
    at: datetime
    number: int
    submitted: bool
    status: CodeStatus
    passed: int
    tests: int
    diff: str


class CodeFinding(FrozenModel):
    """The code of one question.

    Attributes:
        attempts: in order.
        result: of the last submission; of the last run where nothing was submitted.
        submitted: whether anything was submitted.
        credit: what the last submission earned; ``None`` where there is none, or nothing could be executed.
        solution: ours.
        starter: what the person started from, of the two forms that the question has; ``None`` where it has one.

    """

    attempts: tuple[Attempt, ...]
    result: CodeResult
    submitted: bool
    credit: Unit | None
    solution: str
    starter: StarterForm | None = None
