"""The wording of code: runs, submissions, tests, timings."""

from __future__ import annotations

from interviewer.report.schema.code import Attempt, CodeFinding
from interviewer.session.events import CodeRan
from rubric.coding.result import CodeStatus, Timing


def code_summary(run: CodeRan) -> str:
    """What became of a run or a submission, one sentence."""
    result = run.result
    what = "Submission" if run.submitted else "Run of the examples"
    if result.status is CodeStatus.SANDBOX_UNAVAILABLE:
        return f"{what}: nothing was verified, which is not your fault. {result.message}"
    if not result.tests:
        line = f" (line {result.line})" if result.line else ""
        return f"{what}: it does not start. {result.message}{line}"
    count = f"{result.passed} of {len(result.tests)} tests passed"
    on_gpu = " on the processor and on the GPU" if "cuda" in result.device else ""
    return f"{what}: {count}{on_gpu}."


def code_verdict(code: CodeFinding) -> str:
    """What became of the code in the end."""
    result = code.result
    if result.status is CodeStatus.SANDBOX_UNAVAILABLE:
        return f"Nothing could be verified, so the code has no mark. {result.message}"
    if not code.submitted:
        return "The examples were run, but nothing was submitted, so the code has no mark."
    if not result.tests:
        return f"The last submission did not start: {result.message}"
    count_ = f"{result.passed} of {len(result.tests)} hidden and visible tests"
    where = f"executed behind {result.isolation} on this machine"
    if result.status is CodeStatus.PASSED:
        return f"The last submission passed all tests ({len(result.tests)}), {where}."
    return f"The last submission passed {count_}, {where}."


def attempt(found: Attempt) -> str:
    """What an attempt was and what became of it."""
    what = "submitted" if found.submitted else "run against the examples"
    count_ = f"{found.passed} of {found.tests} passed" if found.tests else found.status.replace("_", " ")
    return f"Attempt {found.number}, {what}: {count_}"


def timing(found: Timing) -> str:
    """How the time of the code grew, beside ours."""
    return (
        f"Measured, as advice: {found.title}. Its time grows like the size to the power {found.exponent:.1f}, "
        f"that of our solution to the power {found.our_exponent:.1f}.{impossible(found)}"
    )


def impossible(found: Timing) -> str:
    """A sentence, with a blank before it, where a time cannot be true; empty otherwise."""
    if not found.impossible:
        return ""
    return " It is shorter than the card's memory needs to deliver the input, so no card can have done the work in it."
