"""Compares what a submission's tests told with what our own solution's told: pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rubric.coding.observations import (
    Key,
    Observations,
    has_raised,
    is_broken,
    key_of,
    line_of,
    message_of,
    observations,
)
from rubric.coding.result import CodeResult, CodeStatus, CodeTest, FailingCase, Remark
from rubric.coding.task import CodeTestFunction, CodeTestKind, CodingTask, read_tests
from rubric.coding.timings import timings
from rubric.coding.value_diff import difference, named, shown
from serving.sandbox.job import JobTest, WorkerOutcome
from serving.sandbox.report import Report

MOST_CASES = 2
"""Failing cases that are shown."""

HIDDEN_BYTES = 256 * 1024 * 1024
"""What a program's process may hold beyond our solution's: modules that it imports are no offense."""

_ENDS = {
    WorkerOutcome.TIMEOUT: (CodeStatus.TIMEOUT, "It was still running when the time was up."),
    WorkerOutcome.OVERSIZE: (CodeStatus.OVERSIZE, "It gave back far more than this task can."),
    WorkerOutcome.DEVICE_MEMORY: (CodeStatus.OVERSIZE, "It held more of the GPU's memory than a job may."),
}
_OUT_OF_MEMORY = {"OutOfMemoryError", "AcceleratorError"}
"""What torch raises where a card has no memory left."""

_NOT_REACHED = (CodeStatus.NO_RESULT, "It was not reached.")
_DIED = (CodeStatus.NO_RESULT, "The process ended here without a result: it was killed, left, or ran out of memory.")


def compared(task: CodingTask, run: Sequence[JobTest], expected: Observations, report: Report) -> CodeResult:
    """The verdict: what the submission told beside what our own solution told."""
    start = next((told for told in report.told if _says_not_started(told)), None)
    if start is not None:
        return _not_started(start)
    if (tampering := _tampering(report)) is not None:
        return tampering
    got = observations(report)
    functions = {test.name: test for test in read_tests(task.tests)}
    tests: list[CodeTest] = []
    devices: dict[str, None] = {}
    over = False
    for test in run:
        if functions[test.name].kind is CodeTestKind.SPEED or (
            test.device != "cpu" and (_fails(expected, key_of(test)) or _card_fails(report, got, key_of(test)))
        ):
            continue
        result = _compared_test(test, functions[test.name], expected, got, None if over else report.end)
        over = over or key_of(test) not in got.seconds
        tests.append(result)
        devices[test.device] = None
    shown_cases = MOST_CASES
    for place, result in enumerate(tests):
        tests[place] = result.model_copy(update={"failing": result.failing[:shown_cases]})
        shown_cases -= len(tests[place].failing)
    bad = next((test for test in tests if test.status is not CodeStatus.PASSED), None)
    status = bad.status if bad else CodeStatus.PASSED
    if not tests:
        status = CodeStatus.NO_RESULT
    timing = tuple(timings(run, functions, expected, got))
    return CodeResult(status=status, tests=tuple(tests), timing=timing, device=" and ".join(devices) or "cpu")


def expected_of(run: Sequence[JobTest], ours: Report) -> tuple[Observations, str]:
    """What our own solution saw, and why nothing can be expected by it; empty where it came through."""
    seen = observations(ours)
    if ours.end is not WorkerOutcome.DONE:
        return seen, "Our own solution did not pass its tests here, so nothing can be verified."
    broken = next((test.name for test in run if test.device == "cpu" and is_broken(seen, key_of(test))), "")
    return seen, broken and f"Our own solution did not pass the test {broken} here; submit again."


def _says_not_started(told: Any) -> bool:
    return isinstance(told, dict) and ("import" in told or "lacking" in told)


def _not_started(told: Mapping[str, Any]) -> CodeResult:
    if "lacking" in told:
        lacking = told["lacking"] if isinstance(told["lacking"], list) else []
        names = ", ".join(f"`{name}`" for name in lacking if isinstance(name, str))
        return CodeResult(status=CodeStatus.ERROR, message=f"The code does not define {names[:300]}.")
    failure = told["import"] if isinstance(told["import"], dict) else {}
    late = failure.get("type") == "TimeUp"
    return CodeResult(
        status=CodeStatus.TIMEOUT if late else CodeStatus.ERROR,
        message=message_of(failure.get("message")),
        line=line_of(failure),
    )


def hidden_memory(task: CodingTask, theirs: Report, ours: Report) -> Iterator[Remark]:
    """Far more memory than our solution needed, where the task is about memory and the kernel tells."""
    about_memory = any(word in task.tests for word in ("t.peak(", "t.alive(", "tracemalloc"))
    if about_memory and theirs.held is not None and ours.held is not None and theirs.held > ours.held + HIDDEN_BYTES:
        held, least = theirs.held // 1_000_000, max(0, ours.held) // 1_000_000
        yield Remark(line=0, what=f"its process held {held} MB, where our solution's held {least} MB")


def _tampering(report: Report) -> CodeResult | None:
    """What the worker noticed of its instruments; after that nothing it told of costs is to be believed."""
    for told in report.told:
        if isinstance(told, dict) and "tampered" in told:
            return CodeResult(status=CodeStatus.TAMPERED, message=message_of(told["tampered"]), line=line_of(told))
    return None


def _compared_test(
    test: JobTest, function: CodeTestFunction, expected: Observations, got: Observations, end: WorkerOutcome | None
) -> CodeTest:
    """One test's result; ``end`` is how the worker ended, ``None`` where an earlier test ended it."""
    key = key_of(test)
    ours, theirs = expected.cases.get(key, []), got.cases.get(key, [])
    failing = [
        (found, FailingCase(put_in=named(put_in), expected=_outcome(want), got=_outcome(have)))
        for (put_in, want), (_, have) in zip(ours, theirs, strict=False)
        if (found := _difference(want, have))
    ]
    which = [*([test.dtype] if function.by_dtype else []), *([] if test.device == "cpu" else [test.device])]
    named_test = f"{test.name}[{', '.join(which)}]" if which else test.name
    base = CodeTest(
        name=named_test,
        kind=function.kind,
        title=function.title,
        status=CodeStatus.PASSED,
        seconds=got.seconds.get(key, 0.0),
        cases=len(ours),
        failing=tuple(case for _, case in failing),
    )

    def bad(status: CodeStatus, message: str, line: int | None = None) -> CodeTest:
        return base.model_copy(update={"status": status, "message": message, "line": line})

    raised = next((have for _, have in theirs if has_raised(have)), None)
    failure = raised if raised is not None else None if failing else got.failed.get(key)
    if failure is not None:
        return bad(_status(failure), message_of(failure.get("message")), line_of(failure))
    if failing:
        return bad(CodeStatus.MISMATCH, failing[0][0])
    if key in got.used and key not in expected.used:
        name, line = got.used[key]
        return bad(CodeStatus.FORBIDDEN, f"It calls `{name.removeprefix('.')}`, which the question rules out.", line)
    if key not in got.seconds:
        return bad(*(_NOT_REACHED if end is None else _ENDS.get(end, _DIED)))
    if len(theirs) != len(ours):
        return bad(CodeStatus.NO_RESULT, f"{len(theirs)} of {len(ours)} results came back.")
    return base


def _fails(seen: Observations, key: Key) -> bool:
    """Whether our own solution fails: a test that is not made for this device says nothing about anybody."""
    return is_broken(seen, key) or any(has_raised(value) for _, value in seen.cases.get(key, []))


def _card_fails(report: Report, got: Observations, key: Key) -> bool:
    """Whether a submission's test failed for want of the card: it cannot be used, or others hold its memory."""
    unusable = any(isinstance(told, dict) and told.get("device") and "test" not in told for told in report.told)
    raised = [value for _, value in got.cases.get(key, []) if has_raised(value)]
    failures = [*raised, *([got.failed[key]] if key in got.failed else [])]
    return any(unusable or (report.device_short and each.get("type") in _OUT_OF_MEMORY) for each in failures)


def _difference(want: Any, have: Any) -> str:
    if has_raised(have):
        return message_of(have["message"]) if not has_raised(want) else ""
    return difference(want, have)


def _outcome(value: Any) -> str:
    """What came back, or what was raised instead."""
    return message_of(value["message"]) if has_raised(value) else shown(value)


def _status(failure: Mapping[str, Any]) -> CodeStatus:
    return CodeStatus.TIMEOUT if failure.get("type") == "TimeUp" else CodeStatus.ERROR
