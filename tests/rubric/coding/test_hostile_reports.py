"""Reports as a program could forge them, and faults of our own: a status that can be stored comes of each."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

from rubric.coding import comparison
from rubric.coding import verifier as code
from rubric.coding.result import CodeResult, CodeStatus
from rubric.coding.task import CodingTask
from rubric.coding.verifier import Verifier
from serving.errors import BadInputError
from serving.sandbox.inside.frames import Opaque
from serving.sandbox.job import Job, WorkerOutcome
from serving.sandbox.report import Report

SOLUTION = "def twice(x):\n    return 2 * x\n"
SUBMISSION = "def twice(x):\n    return x + x\n"
TASK = CodingTask(
    starter="",
    solution=SOLUTION,
    tests="def example_one(t):\n    yield 1, 2\n\n\ndef speed_with_length(t):\n    yield 1, 2.0\n",
)
KEY = {"test": "example_one", "dtype": "float32", "device": "cpu"}
SPEED = {"test": "speed_with_length", "dtype": "float32", "device": "cpu"}
ONES = torch.ones(2, 2)


def honest(seen: Any = ONES) -> list[Any]:
    """What a right submission tells."""
    return [
        {**KEY, "shown": {"x": 1}, "seen": seen},
        {**KEY, "seconds": 0.1},
        {**SPEED, "shown": 1, "seen": 0.25},
        {**SPEED, "shown": 2, "seen": 0.5},
        {**SPEED, "seconds": 0.1},
        {"end": True},
    ]


class Told:
    """Runs nothing: our own solution tells what is right, and a submission what it was given."""

    isolation = "none"

    def __init__(self, told: Callable[[], list[Any]]) -> None:
        self._told = told

    def unavailable(self, processes: int) -> str:
        del processes
        return ""

    def run(self, job: Job) -> Report:
        told = honest() if job.source == SOLUTION else self._told()
        signed = [{**each, "token": job.token} if isinstance(each, dict) else each for each in told]
        return Report(end=WorkerOutcome.DONE, told=tuple(signed))


def verified(told: Callable[[], list[Any]]) -> CodeResult:
    verifier = Verifier(Told(told))
    try:
        result = verifier.verify(TASK, SUBMISSION)
    finally:
        verifier.close()
    assert CodeResult.model_validate_json(result.model_dump_json()) == result
    return result


def test_an_honest_report_passes_and_is_timed() -> None:
    result = verified(honest)
    assert result.status is CodeStatus.PASSED
    assert result.timing[0].exponent == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("seen", "message"),
    [
        (10**400, "a tensor was expected"),
        (torch.empty(2**40, 0), "shape (2, 2) was expected"),
        ({10**400: ONES, (1, (2,)): 1}, "a tensor was expected"),
        (torch.ones(2, 2).to(torch.float8_e8m0fnu), "dtype float32 was expected"),
        (Opaque("Tensor of dtype qint8"), "an object of class Tensor of dtype qint8 came back"),
    ],
    ids=["huge integer", "odd shape", "odd keys", "odd dtype", "opaque"],
)
def test_what_is_odd_is_a_mismatch_that_says_so(seen: Any, message: str) -> None:
    result = verified(lambda: honest(seen))
    assert result.status is CodeStatus.MISMATCH
    assert message in result.tests[0].message
    assert result.tests[0].failing


@pytest.mark.parametrize(
    "frame",
    [
        {"lacking": 3},
        {"lacking": [None, "twice"]},
        {"import": ONES},
        {"import": {"type": ONES, "message": ONES, "line": 10**30}},
        {**KEY, "seen": {"type": ONES, "message": [1], "line": True}},
        {**KEY, "failed": {"type": [1], "message": 10**400, "line": 10**400}},
        {**KEY, "seconds": math.nan},
        {**KEY, "seconds": math.inf},
        {**KEY, "seconds": -1.0},
        {**SPEED, "shown": 10**400, "seen": 0.5},
        {**SPEED, "shown": 1, "seen": {"seconds": ONES, "bytes": None, "clock_khz": "", "bus_bits": 10**400}},
        {"test": ONES, "dtype": 10**5000, "device": [ONES], "seen": 1},
        [1],
        None,
        ONES,
    ],
    ids=lambda frame: "-".join(frame) if isinstance(frame, dict) else type(frame).__name__,
)
def test_a_forged_frame_makes_a_result_that_can_be_stored(frame: Any) -> None:
    alone = verified(lambda: [frame])
    assert alone.status in {CodeStatus.NO_RESULT, CodeStatus.ERROR}
    assert alone.line is None
    assert verified(lambda: [frame, *honest()]).status is not CodeStatus.SANDBOX_UNAVAILABLE


@pytest.mark.parametrize("error", [MemoryError, OverflowError, RuntimeError("CUDA is gone"), OSError(28, "no space")])
def test_a_fault_of_ours_is_nobody_s_and_is_logged(
    error: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> list[Any]:
        raise error

    for result in (
        verified(fails),
        _with_fault(monkeypatch, comparison, "compared", fails),
        _with_fault(monkeypatch, code, "_run", fails),
    ):
        assert (result.status, result.tests) == (CodeStatus.SANDBOX_UNAVAILABLE, ())
        assert "could not be verified" in result.message
        assert "not of the code" in result.message
    assert caplog.text.count("Traceback") == 3
    assert verified(honest).status is CodeStatus.PASSED


def _with_fault(monkeypatch: pytest.MonkeyPatch, where: Any, name: str, fails: Callable[..., Any]) -> CodeResult:
    with monkeypatch.context() as patch:
        patch.setattr(where, name, fails)
        return verified(honest)


def test_our_own_solution_that_fails_by_accident_fails_no_later_submission() -> None:
    answers = iter([RuntimeError("once")])

    class Once(Told):
        def run(self, job: Job) -> Report:
            if job.source == SOLUTION and (error := next(answers, None)):
                raise error
            return super().run(job)

    verifier = Verifier(Once(honest))
    assert verifier.verify(TASK, SUBMISSION).status is CodeStatus.SANDBOX_UNAVAILABLE
    assert verifier.verify(TASK, SUBMISSION).status is CodeStatus.PASSED
    verifier.close()


def test_half_a_character_in_the_code_is_told_with_its_line() -> None:
    verifier = Verifier(Told(honest))
    with pytest.raises(BadInputError, match="Line 2"):
        verifier.verify(TASK, f"{SUBMISSION.splitlines()[0]}\n    return '\ud800'\n")
    verifier.close()


def test_a_job_has_an_end_whatever_its_tests_may_take() -> None:
    from serving.sandbox.job import LONGEST_S, JobTest

    run = tuple(JobTest(name="example_one", dtype="float32", seed=1) for _ in range(30))

    def longest(seconds: float, tests: int) -> float:
        return Job(source="", tests="", names=(), run=run[:tests], seconds=seconds).longest

    assert longest(15.0, 30) == LONGEST_S
    assert longest(2.0, 2) == 7.5
    # A single test has all the time that it may take.
    assert longest(100.0, 1) > 100
