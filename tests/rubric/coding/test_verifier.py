"""Verification with the real sandbox: what a submission is told."""

from __future__ import annotations

import pytest

from rubric.coding.result import CodeResult, CodeStatus
from rubric.coding.task import CodingTask
from rubric.coding.verifier import MOST_SOURCE, Verifier
from serving.errors import BadInputError, SandboxMissingError
from serving.sandbox.job import Job
from serving.sandbox.report import Report

SOLUTION = """
import torch


def unit(x):
    if x.numel() == 0:
        raise ValueError("empty")
    return x / x.norm()
"""
TESTS = """
import torch


def example_two(t):
    x = torch.tensor([3.0, 4.0])
    yield {"x": x}, lambda: unit(x)


def property_of_any_dtype(t):
    for n in (1, 7, 64):
        x = t.randn(n, dtype=t.dtype)
        yield {"x": x}, lambda: unit(x)


def property_empty(t):
    yield {"x": torch.zeros(0)}, t.raised(unit, torch.zeros(0))


def gradient_of_the_length(t):
    x = t.randn(5, dtype=torch.float64, requires_grad=True)
    yield {"x": x}, lambda: t.gradients(unit(x), [x])


def resource_memory(t):
    x = t.randn(1000)
    yield {"numbers": 1000}, lambda: {"at most 40 kB": t.peak(lambda: unit(x)) <= 40_000}


def speed_with_length(t):
    for n in (1000, 2000, 4000):
        x = t.randn(n)
        yield n, t.seconds(lambda: unit(x))
"""
TASK = CodingTask(starter="", solution=SOLUTION, tests=TESTS)


def changed(old: str, new: str) -> str:
    assert old in SOLUTION
    return SOLUTION.replace(old, new)


def status_of(result: CodeResult) -> dict[str, str]:
    return {test.name: str(test.status) for test in result.tests}


def test_our_own_solution_passes_everywhere_and_is_timed(verifier: Verifier) -> None:
    result = verifier.verify(TASK, SOLUTION)
    assert result.status is CodeStatus.PASSED
    assert set(status_of(result)) == {
        "example_two",
        *(f"property_of_any_dtype[{dtype}]" for dtype in ("float32", "float64", "bfloat16")),
        "property_empty",
        "gradient_of_the_length",
        "resource_memory",
    }
    (timed,) = result.timing
    assert timed.sizes == (1000, 2000, 4000)
    assert all(seconds > 0 for seconds in (*timed.seconds, *timed.ours))
    assert result.isolation.startswith("bubblewrap, its memory ")


@pytest.mark.parametrize(
    ("source", "fails", "status", "message"),
    [
        (
            changed("x / x.norm()", "x / x.norm().detach()"),
            "gradient_of_the_length",
            "mismatch",
            "of the numbers differ",
        ),
        (
            changed("x / x.norm()", "(x.float() / x.norm())"),
            "property_of_any_dtype[float64]",
            "mismatch",
            "dtype float64",
        ),
        (changed("raise ValueError", "return x  #"), "property_empty", "mismatch", "'ValueError' was expected"),
        (
            changed("x / x.norm()", "x / x.norm() + 0 * x.outer(x).sum()"),
            "resource_memory",
            "mismatch",
            "at most 40 kB",
        ),
        (changed("x / x.norm()", "x[0, 0]"), "example_two", "error", "IndexError"),
    ],
)
def test_what_is_wrong_is_told(source: str, fails: str, status: str, message: str, verifier: Verifier) -> None:
    result = verifier.verify(TASK, source)
    failed = next(test for test in result.tests if test.name == fails)
    assert (failed.status, result.status) == (status, next(t.status for t in result.tests if t.status != "passed"))
    assert message in failed.message
    assert sum(len(test.failing) for test in result.tests) <= 2


def test_an_error_names_the_line(verifier: Verifier) -> None:
    result = verifier.verify(TASK, changed("return x / x.norm()", "return x / nowhere"), only_examples=True)
    (test,) = result.tests
    assert (test.status, test.line) == ("error", 8)
    assert test.failing[0].put_in == "x = tensor([3, 4])"
    assert test.failing[0].expected == "tensor([0.6, 0.8])"


@pytest.mark.parametrize(
    ("source", "message", "line"),
    [
        ("def unit(x:\n", "SyntaxError", 1),
        ("\n1 / 0", "ZeroDivisionError", 2),
        ("x = 1", "does not define `unit`", None),
    ],
)
def test_code_that_does_not_start(source: str, message: str, line: int | None, verifier: Verifier) -> None:
    result = verifier.verify(TASK, source)
    assert (result.status, result.line, result.tests) == (CodeStatus.ERROR, line, ())
    assert message in result.message


def test_the_seed_draws_the_same_inputs_again(verifier: Verifier) -> None:
    wrong = changed("x / x.norm()", "2 * x")
    first = verifier.verify(TASK, wrong)
    again = verifier.verify(TASK, wrong, seed=first.seed)
    other = verifier.verify(TASK, wrong)
    assert [test.message for test in first.tests] == [test.message for test in again.tests]
    assert [test.message for test in first.tests] != [test.message for test in other.tests]


@pytest.mark.parametrize("source", ["", " \n", "x" * (MOST_SOURCE + 1), "a\0b"])
def test_what_is_no_program_is_refused(source: str, verifier: Verifier) -> None:
    with pytest.raises(BadInputError):
        verifier.verify(TASK, source)


def test_a_sandbox_that_is_away_is_nobody_s_fault() -> None:
    class Away:
        isolation = "none"

        def run(self, job: Job) -> Report:
            raise SandboxMissingError("There is none.")

    verifier = Verifier(Away())
    result = verifier.verify(TASK, SOLUTION)
    verifier.close()
    assert (result.status, result.message) == (CodeStatus.SANDBOX_UNAVAILABLE, "There is none.")


def test_our_own_broken_solution_is_nobody_s_fault(verifier: Verifier) -> None:
    broken = TASK.model_copy(update={"solution": "import os\n\nunit = 1\nos._exit(1)\n"})
    assert verifier.verify(broken, SOLUTION).status is CodeStatus.SANDBOX_UNAVAILABLE
