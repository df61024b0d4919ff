"""The device that a result names is that of tests that ran, and a card's own trouble is nobody's mistake."""

from __future__ import annotations

from typing import Any

import pytest

from interviewer.report.phrases.code import code_summary
from interviewer.session.events import CodeRan
from rubric.coding.comparison import compared, expected_of
from rubric.coding.result import CodeResult, CodeStatus
from rubric.coding.task import CodingTask
from rubric.coding.verifier import Verifier, _run
from serving.sandbox.gpu_access import GpuAccess
from serving.sandbox.job import WorkerOutcome
from serving.sandbox.report import Report
from serving.sandbox.worker_pool import WorkerPool

TASK = CodingTask(
    starter="def twice(x):\n    pass\n",
    solution="def twice(x):\n    return x * 2\n",
    tests="def example_one(t):\n    x = t.randn(3)\n    yield x, twice(x)\n",
)
RUN = _run(TASK, ("cpu", "cuda"), 7)
OUT_OF_MEMORY = {"type": "OutOfMemoryError", "message": "CUDA out of memory.", "line": 2}


def report(cuda: dict[str, Any] | float = 2.0, *, cpu: float = 2.0, short: bool = False, card: str = "") -> Report:
    """What a program told: a value on each device, or how it failed on the card."""
    told: list[dict[str, Any]] = [{"device": card}]
    for device, seen in (("cpu", cpu), ("cuda", cuda)):
        key = {"test": "example_one", "dtype": "float32", "device": device}
        told.append(key | ({"failed": seen} if isinstance(seen, dict) else {"shown": 1.0, "seen": seen}))
        told.append({**key, "seconds": 0.1})
    return Report(end=WorkerOutcome.DONE, told=tuple(told), device_short=short)


def result(theirs: Report, ours: Report | None = None) -> CodeResult:
    expected, why = expected_of(RUN, ours or report())
    assert not why
    return compared(TASK, RUN, expected, theirs)


def summary(found: CodeResult) -> str:
    return code_summary(CodeRan.model_construct(result=found, submitted=True))


def test_both_devices_are_named_where_tests_ran_on_both() -> None:
    found = result(report())
    assert (found.status, found.device, len(found.tests)) == (CodeStatus.PASSED, "cpu and cuda", 2)
    assert "on the CPU and the GPU" in summary(found)
    assert result(report(cuda=3.0)).status is CodeStatus.MISMATCH


def test_where_our_own_solution_fails_on_the_card_the_card_is_not_named() -> None:
    failing = report({"type": "RuntimeError", "message": "not implemented for Half", "line": 1})
    found = result(report(), failing)
    assert (found.status, found.device, len(found.tests)) == (CodeStatus.PASSED, "cpu", 1)
    assert "GPU" not in summary(found)


@pytest.mark.parametrize("kind", ["OutOfMemoryError", "AcceleratorError"])
def test_memory_that_others_hold_is_not_the_candidates_fault(kind: str) -> None:
    failed = OUT_OF_MEMORY | {"type": kind}
    assert result(report(failed)).status is CodeStatus.ERROR
    found = result(report(failed, short=True))
    assert (found.status, found.device) == (CodeStatus.PASSED, "cpu")
    # Whatever else goes wrong meanwhile is still looked at.
    assert result(report(failed | {"type": "ValueError"}, short=True)).status is CodeStatus.ERROR
    assert result(report(failed, cpu=5.0, short=True)).status is CodeStatus.MISMATCH


def test_a_card_that_cannot_be_used_is_not_the_candidates_fault() -> None:
    found = result(report({"type": "RuntimeError", "message": "no", "line": 0}, card="CUDA driver error: 304"))
    assert (found.status, found.device) == (CodeStatus.PASSED, "cpu")


def test_a_job_that_held_too_much_of_the_card_has_not_passed() -> None:
    ended = report().model_copy(update={"end": WorkerOutcome.DEVICE_MEMORY, "told": report().told[:3]})
    found = result(ended)
    assert found.status is CodeStatus.OVERSIZE
    assert "GPU's memory" in next(test.message for test in found.tests if test.status is CodeStatus.OVERSIZE)


def test_in_the_real_sandbox_without_a_card_the_processor_alone_is_named() -> None:
    nothing = GpuAccess(nodes=(), reads=(), visible="GPU-none")
    with WorkerPool(0, gpu=nothing) as workers:
        verifier = Verifier(workers, ("cpu", "cuda"))
        found = verifier.verify(TASK, TASK.solution)
        assert (found.status, found.device, len(found.tests)) == (CodeStatus.PASSED, "cpu", 1)
        verifier.leave_card()
        assert verifier.verify(TASK, TASK.solution).device == "cpu"
        verifier.close()
