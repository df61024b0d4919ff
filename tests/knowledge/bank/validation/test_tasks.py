"""The bank's coding and debugging questions: our solution passes, the starter fails, every mutant dies."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from knowledge.bank.parser import load_bank, load_file
from knowledge.bank.validation.forked_runner import ForkedRunner
from knowledge.bank.validation.tasks import problems, problems_of_all
from knowledge.model import Question
from rubric.coding.result import CodeResult, CodeStatus
from rubric.coding.task import CodeTestKind, CodingTask, Mutant, read_tests
from rubric.coding.verifier import Verifier
from serving.errors import InterviewerError
from tests import sampling

GOOD = CodingTask(
    starter="def double(x):\n    return x\n",
    solution="def double(x):\n    return 2 * x\n",
    tests=(
        "def example_two(t):\n    yield {'x': 2}, lambda: double(2)\n\n\n"
        "def property_any(t):\n    n = t.random.randrange(3, 99)\n    yield {'x': n}, lambda: double(n)\n"
    ),
    mutants=tuple(Mutant(name=f"m{n}", diff=f"-    return 2 * x\n+    return x + {n}") for n in (3, 4, 5, 6)),
)

SAME = Mutant(name="same", diff="-    return 2 * x\n+    return x + x")
ODD = Mutant(name="odd", diff="-def double(x):\n+def double(x:")


@pytest.fixture(scope="module")
def runner() -> ForkedRunner:
    return ForkedRunner()


def tasks() -> list[tuple[str, CodingTask]]:
    return [(question.id, question.task) for question in load_bank() if question.task]


def test_a_good_task_has_no_problem(runner: ForkedRunner) -> None:
    assert list(problems(GOOD, runner)) == []


def test_our_solution_is_not_held_to_the_seconds_of_the_mutants(
    runner: ForkedRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Verifier.refute_each

    def too_slow(verifier: Verifier, *given: Any, **options: Any) -> list[CodeResult]:
        ours, *others = run(verifier, *given, **options)
        return [ours.model_copy(update={"status": CodeStatus.TIMEOUT}), *others]

    monkeypatch.setattr(Verifier, "refute_each", too_slow)
    assert list(problems(GOOD, runner)) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"starter": GOOD.solution}, "the starter passes the tests"),
        ({"blank": GOOD.solution}, "the blank starter passes the tests"),
        ({"blank": "def double(y):\n    ...\n"}, "double has another signature"),
        ({"mutants": GOOD.mutants[:3]}, "3 mutants, fewer than 4"),
        (
            {"mutants": (*GOOD.mutants, Mutant(name="same", diff="-    return 2 * x\n+    return x + x"))},
            "“same” passes",
        ),
        ({"mutants": (*GOOD.mutants, Mutant(name="far", diff="-    return 3 * x\n+    return x"))}, "“far”: its lines"),
        (
            {"mutants": (*GOOD.mutants, Mutant(name="odd", diff="-def double(x):\n+def double(x:"))},
            "does not even start",
        ),
        ({"tests": GOOD.tests.replace("example_two", "property_two")}, "no example_ test"),
        ({"tests": GOOD.tests.replace("property_any", "example_any")}, "nothing hidden"),
        ({"tests": "def example_two(t):"}, "not valid Python"),
        ({"solution": "import os\n\n\ndef double(x):\n    return os.getpid()\n"}, "the solution fails its own tests"),
    ],
)
def test_each_problem_is_named(changes: dict[str, object], problem: str, runner: ForkedRunner) -> None:
    found = list(problems(GOOD.model_copy(update=changes), runner))
    assert any(problem in line for line in found), found


@cache
def tasks_before(file: str) -> dict[str, CodingTask]:
    """The tasks of a bank's file where the change begins; none where it cannot be read."""
    with TemporaryDirectory() as folder:
        (path := Path(folder) / Path(file).name).write_text(sampling.before(file), encoding="utf-8")
        try:
            return {question.id: question.task for question in load_file(path) if question.task}
        except InterviewerError:
            return {}


def marks_of(question: Question) -> tuple[pytest.MarkDecorator, ...]:
    """One whose code the change touches is always run; prose around it does not count."""
    file = f"knowledge/bank/{Path(question.source.path).name}"
    same = not sampling.touched([file]) or tasks_before(file).get(question.id) == question.task
    return (pytest.mark.by_number(),) if same else ()


EACH = [
    pytest.param(question.task, id=question.id, marks=marks_of(question)) for question in load_bank() if question.task
]


@pytest.mark.parametrize("task", EACH)
def test_every_task_of_the_bank_is_fit_to_be_asked(task: CodingTask, runner: ForkedRunner) -> None:
    assert list(problems(task, runner)) == []


def test_there_are_enough_tasks_of_every_kind() -> None:
    known = tasks()
    kinds = [{test.kind for test in read_tests(task.tests)} for _, task in known]
    assert len(known) >= 80
    assert sum(len(task.mutants) for _, task in known) >= 500
    for kind, least in ((CodeTestKind.PROPERTY, 80), (CodeTestKind.GRADIENT, 15), (CodeTestKind.RESOURCE, 30)):
        assert sum(kind in each for each in kinds) >= least, kind


def test_the_bank_has_enough_tasks_and_enough_that_are_written_from_nothing() -> None:
    assert list(problems_of_all(load_bank())) == []
    repaired = [
        question.model_copy(update={"task": question.task.model_copy(update={"blank": ""})})
        for question in load_bank()[:40]
        if question.task
    ]
    found = list(problems_of_all(repaired))
    assert len(found) == 2
    assert "coding and debugging questions, fewer than 100" in found[0]
    assert "can be written from nothing, fewer than 60" in found[1]


def test_nothing_hidden_is_shown_with_the_question() -> None:
    for question in load_bank():
        assert_nothing_shown(question)


def test_a_question_says_so_where_its_tests_use_bfloat16() -> None:
    silent = []
    for question in load_bank():
        if question.task is None:
            continue
        tested = (
            any(test.by_dtype for test in read_tests(question.task.tests)) or "torch.bfloat16" in question.task.tests
        )
        if tested and "bfloat16" not in question.text and "any dtype" not in question.text:
            silent.append(question.id)
    assert silent == []


def assert_nothing_shown(question: Question) -> None:
    if question.task is None:
        return
    hidden = [test.name for test in read_tests(question.task.tests) if test.kind is not CodeTestKind.EXAMPLE]
    assert not [name for name in hidden if name in question.text + question.task.starter]
