"""Which points an answer most likely contradicts although the judge isn't sure."""

from __future__ import annotations

from interviewer.session.state import AskedQuestion
from rubric.model import Verdict

LIKELY = 0.8
"""Probability of a contradiction from which it is told as a likely one: of 123 such points of the bank's labeled
answers 85 % were contradicted, 10 % missing, and 5 % made in part or whole (``tests/benchmarks/judged_bank.csv``); of
the 140 below it that the judge called contradicted 47 % were."""


def likely_contradicted(asked: AskedQuestion, criterion_id: str) -> bool:
    """Whether the last grade has a point for contradicted, surely or most likely.

    Args:
        asked: the question.
        criterion_id: of the point.

    """
    if not asked.grades:
        return False
    verdict = next((each for each in asked.grades[-1].grade.criteria if each.id == criterion_id), None)
    if verdict is None or verdict.verdict is not Verdict.CONTRADICTED:
        return False
    return verdict.sure or (verdict.contradicted or 0.0) >= LIKELY
