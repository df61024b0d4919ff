"""The credit that submitted code earns."""

from __future__ import annotations

from interviewer.session.state import AskedQuestion
from rubric.coding.result import CodeResult, CodeStatus

CODE_SHARE = 0.5
"""What the tests count of a coding question's score; the rest is what was said about the code."""

PARTLY = 0.5
"""What all tests but one could earn at most: code that is wrong somewhere is not nearly right."""


def code_credit(result: CodeResult) -> float | None:
    """What a submission earns: all where every test passed, a part of ``PARTLY`` otherwise; ``None`` if nothing ran."""
    if result.status is CodeStatus.SANDBOX_UNAVAILABLE:
        return None
    if result.status is CodeStatus.PASSED:
        return 1.0
    if result.status is CodeStatus.TAMPERED:
        return 0.0
    return PARTLY * result.passed / len(result.tests) if result.tests else 0.0


def first_credit(asked: AskedQuestion) -> float | None:
    """What the first submission earned, before anything was said about it."""
    first = next((run for run in asked.runs if run.submitted), None)
    return code_credit(first.result) if first else None
