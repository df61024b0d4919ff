"""Coding tasks: their tests, names and mutants."""

from __future__ import annotations

import pytest

from rubric.coding.task import CodeTestKind, CodingTask, Mutant, mutated, read_tests

TESTS = '''
import torch

LIMIT = 3


def _helper(x):
    return x


def example_small_inputs(t):
    """Small inputs. And more"""
    yield {}, double(_helper(LIMIT))


def property_of_any_type(t):
    yield {}, double(t.randn(3, dtype=t.dtype))


def gradient_of_the_input(t):
    yield {}, t.gradients(double(t.randn(3)), [])


def speed_with_length(t):
    yield 1, 0.1


def test_old(t):
    pass
'''
SOLUTION = "import torch\n\nLIMIT = 4\nunused = 1\n\n\ndef double(x):\n    y = x + x\n    return y\n"


def test_the_kind_stands_in_a_test_s_name() -> None:
    found = read_tests(TESTS)
    assert [test.kind for test in found] == [
        CodeTestKind.EXAMPLE,
        CodeTestKind.PROPERTY,
        CodeTestKind.GRADIENT,
        CodeTestKind.SPEED,
    ]
    assert [test.title for test in found] == [
        "Small inputs. And more",
        "of any type",
        "gradient of the input",
        "with length",
    ]
    assert [test.by_dtype for test in found] == [False, True, False, False]
    assert [test.by_device for test in found] == [False, True, True, False]


def test_a_solution_must_define_what_the_tests_use_and_do_not_define() -> None:
    assert CodingTask(starter="", solution=SOLUTION, tests=TESTS).names == ("double",)


def test_a_mutant_is_the_solution_with_some_lines_changed() -> None:
    changed = mutated(
        SOLUTION, Mutant(name="m", diff="-LIMIT = 4\n+LIMIT = 5\n…\n     y = x + x\n-    return y\n+    return x")
    )
    assert changed == SOLUTION.replace("LIMIT = 4", "LIMIT = 5").replace("return y", "return x")


@pytest.mark.parametrize("diff", ["-nowhere\n+here", "+added", " import torch", "-\n+x"])
def test_a_mutant_that_does_not_fit_is_refused(diff: str) -> None:
    with pytest.raises(ValueError, match="mutant “m”"):
        mutated(SOLUTION, Mutant(name="m", diff=diff))
