"""What the report says about the code of one question. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from interviewer.report.schema.code import Attempt, CodeFinding
from interviewer.scoring.code_credit import CODE_SHARE, code_credit
from interviewer.session.events import CodeRan
from interviewer.session.state import AskedQuestion
from rubric.model import Interval

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
        starter=asked.starter if asked.question.task.blank else None,
    )


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
    before = asked.starting_code
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
