"""What the report says about the code of one question. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from interviewer.events import CodeRan
from interviewer.report.model import Attempt, CodeFinding
from interviewer.state import AskedQuestion
from rubric.execution import CodeResult, CodeStatus
from rubric.model import Interval

CODE_SHARE = 0.5
"""What the tests count of a coding question's score; the rest is what was said about the code."""

PARTLY = 0.5
"""What all tests but one could earn at most: code that is wrong somewhere is not nearly right."""

_CONTEXT = 2


def code_finding(asked: AskedQuestion) -> CodeFinding | None:
    """What became of the person's code; ``None`` where nothing was run."""
    if asked.question.task is None or not asked.runs:
        return None
    submitted = asked.submission
    return CodeFinding(
        attempts=tuple(_attempts(asked)),
        result=(submitted or asked.runs[-1]).result,
        submitted=submitted is not None,
        credit=code_credit(submitted.result) if submitted else None,
        solution=asked.question.task.solution,
    )


def code_credit(result: CodeResult) -> float | None:
    """What a submission earns: all where every test passed, a part of ``PARTLY`` otherwise; ``None`` if nothing ran."""
    if result.status is CodeStatus.SANDBOX_UNAVAILABLE:
        return None
    if result.status is CodeStatus.PASSED:
        return 1.0
    return PARTLY * result.passed / len(result.tests) if result.tests else 0.0


def first_credit(asked: AskedQuestion) -> float | None:
    """What the first submission earned, before anything was said about it."""
    first = next((run for run in asked.runs if run.submitted), None)
    return code_credit(first.result) if first else None


def with_code(words: float | None, code: float | None) -> float | None:
    """The score of a coding question out of that of the words and that of the code; of one where there is only one."""
    if words is None or code is None:
        return words if code is None else code
    return CODE_SHARE * code + (1 - CODE_SHARE) * words


def interval_with_code(words: Interval | None, code: float | None) -> Interval | None:
    """The interval of such a score: what the tests say is certain."""
    if words is None or code is None:
        return words
    low, high = (CODE_SHARE * code + (1 - CODE_SHARE) * end for end in words)
    return low, high


def _attempts(asked: AskedQuestion) -> Iterator[Attempt]:
    before = asked.question.task.starter if asked.question.task else ""
    for number, run in enumerate(asked.runs, 1):
        yield Attempt(
            event_id=run.id,
            at=run.at,
            number=number,
            submitted=run.submitted,
            status=run.result.status,
            passed=run.result.passed,
            tests=len(run.result.tests),
            diff=_diff(before, run),
        )
        before = run.source


def _diff(before: str, run: CodeRan) -> str:
    """What changed since the attempt before, or since the starter, as a unified diff without its file names."""
    lines = difflib.unified_diff(before.splitlines(), run.source.splitlines(), n=_CONTEXT, lineterm="")
    return "\n".join(list(lines)[2:])
