"""The wording of code: runs, submissions, tests, timings."""

from __future__ import annotations

from collections.abc import Iterator

from interviewer.report.schema.code import Attempt, CodeFinding
from interviewer.session.events import CodeRan
from rubric.coding.result import CodeResult, CodeStatus, Timing, told
from rubric.coding.task import StarterForm

_STARTED = {
    StarterForm.BLANK: " You wrote it from scratch.",
    StarterForm.REPAIR: " You started from the program that was given.",
}


def code_summary(run: CodeRan) -> str:
    """What became of a run or a submission, one sentence."""
    result = run.result
    what = "Submission" if run.submitted else "Run of the examples"
    if result.status is CodeStatus.SANDBOX_UNAVAILABLE:
        return f"{what}: nothing could be checked, through no fault of yours. {result.message}"
    line = f" (line {result.line})" if result.line else ""
    if result.status is CodeStatus.TAMPERED:
        return f"{what}: stopped, because it tampered with its tests. {result.message}{line}"
    if not result.tests:
        return f"{what}: the code does not run. {result.message}{line}"
    count = f"{result.passed} of {len(result.tests)} tests passed"
    on_gpu = " on the CPU and the GPU" if "cuda" in result.device else ""
    return f"{what}: {count}{on_gpu}.{code_remarks(result)}"


def code_remarks(result: CodeResult) -> str:
    """What the program uses and should not, with a blank before it; empty where nothing was found."""
    return f" Noticed: {told(result.remarks)}" if result.remarks else ""


def code_verdict(code: CodeFinding) -> str:
    """What became of the code in the end, and what the person started from where there was a choice."""
    return f"{_became(code)}{_STARTED[code.starter] if code.starter else ''}"


def _became(code: CodeFinding) -> str:
    result = code.result
    if result.status is CodeStatus.SANDBOX_UNAVAILABLE:
        return f"Nothing could be checked, so the code is not graded. {result.message}"
    if not code.submitted:
        return "You ran the examples but submitted nothing, so the code is not graded."
    if result.status is CodeStatus.TAMPERED:
        return (
            f"Your last submission was stopped because it tampered with its tests; it earns no credit. {result.message}"
        )
    if not result.tests:
        return f"Your last submission does not run: {result.message}"
    count_ = f"{result.passed} of {len(result.tests)} hidden and visible tests"
    where = f"run in a sandbox ({result.isolation})"
    if result.status is CodeStatus.PASSED:
        count_ = f"all tests ({len(result.tests)})"
    if result.status is CodeStatus.FORBIDDEN:
        why = result.message or next(test.message for test in result.tests if test.status is CodeStatus.FORBIDDEN)
        return f"Your last submission does not count as passed ({count_}, {where}). {why}"
    return f"Your last submission passed {count_}, {where}.{code_remarks(result)}"


def attempt(found: Attempt) -> str:
    """What an attempt was and what became of it."""
    what = "submitted" if found.submitted else "examples only"
    count_ = f"{found.passed} of {found.tests} passed" if found.tests else found.status.replace("_", " ")
    return f"Attempt {found.number}, {what}: {count_}"


def timings(found: CodeResult) -> Iterator[str]:
    """What there is to say on how the times of the code grew, one line each."""
    yield from filter(None, map(timing, found.timing))


def timing(found: Timing) -> str:
    """How the time of the code grew, beside ours; empty where it grew alike, which tells nothing."""
    yours, ours = f"n^{found.exponent:.1f}", f"n^{found.our_exponent:.1f}"
    if yours == ours:
        return f"{found.title}, as advice only:{impossible(found)}" if found.impossible else ""
    return (
        f"{found.title}, as advice only: your time grows like {yours}, our solution’s like {ours}.{impossible(found)}"
    )


def impossible(found: Timing) -> str:
    """A sentence, with a blank before it, where a time cannot be true; empty otherwise."""
    if not found.impossible:
        return ""
    return " The time is shorter than the GPU needs to read the input, so it cannot be right."
