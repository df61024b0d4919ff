from __future__ import annotations

import pytest

from knowledge.bank.parser import load_bank
from knowledge.bank.validation.blank_starters import FEWEST, from_nothing, problems_of_blank
from rubric.coding.task import CodingTask

SOLUTION = """
import torch

LIMIT = 4


class Keeper:
    def __init__(self, size, *, seed=0):
        self.size = size

    def put(self, x):
        return x


def doubled(x, times=1):
    return x * 2 * times
"""
TESTS = "def example_one(t):\n    yield {}, Keeper(1).put(doubled(2))\n"
BLANK = '''
import torch

LIMIT = 4


class Keeper:
    """Keeps."""

    def __init__(self, size, *, seed=1): ...

    def put(self, x):
        """Puts."""


def doubled(x, times=2):
    """Twice x."""
'''
TASK = CodingTask(starter=SOLUTION, blank=BLANK, solution=SOLUTION, tests=TESTS)


def test_signatures_and_docstrings_are_a_blank_starter() -> None:
    assert list(problems_of_blank(TASK)) == []
    assert from_nothing(TASK)


def test_a_starter_that_is_blank_itself_is_enough() -> None:
    assert from_nothing(TASK.model_copy(update={"starter": BLANK, "blank": ""}))
    assert not from_nothing(TASK.model_copy(update={"blank": ""}))
    assert list(problems_of_blank(TASK.model_copy(update={"blank": ""}))) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("LIMIT = 4", "LIMIT = 5", "holds more than signatures: LIMIT = 5"),
        ('"""Keeps."""', "pass", "Keeper of the blank starter has no docstring"),
        ('"""Keeps."""', '"""Keeps."""\n\n    size = 1', "holds more than signatures: size = 1"),
        ('"""Puts."""', '"""Puts."""\n        return x', "Keeper.put of the blank starter has a body"),
        ('"""Twice x."""', '"""Twice x."""\n    return 2 * x', "doubled of the blank starter has a body"),
        ("times=2", "times", "doubled has another signature in the solution"),
        ("(self, x)", "(self, y)", "Keeper.put has another signature in the solution"),
        ("*, seed=1", "seed=1", "Keeper.__init__ has another signature in the solution"),
        ("def put", "def push", "Keeper.push of the blank starter is not in the solution"),
        ("class Keeper:", "class Keeper(dict):", "Keeper has other bases in the solution"),
        ("def doubled", "def twice", "has no doubled"),
        ("def doubled", "async def doubled", "doubled is not what it is|is not what it is in the solution"),
        ("def doubled(", "def doubled", "not valid Python"),
    ],
)
def test_each_problem_is_named(old: str, new: str, problem: str) -> None:
    assert BLANK.count(old) == 1
    found = list(problems_of_blank(TASK.model_copy(update={"blank": BLANK.replace(old, new)})))
    assert any(part in line for line in found for part in problem.split("|")), found


def test_most_tasks_of_the_bank_can_be_written_from_nothing() -> None:
    tasks = [question.task for question in load_bank() if question.task]
    assert [problem for task in tasks for problem in problems_of_blank(task)] == []
    assert sum(map(from_nothing, tasks)) >= FEWEST
