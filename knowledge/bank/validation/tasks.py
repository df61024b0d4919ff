"""Coding tasks of the bank: our solution passes, the starter fails, and every mutant dies.

``python -m knowledge.bank.validation.tasks [ID...]`` prints what became of each, for whoever writes one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from knowledge.bank.parser import load_bank
from knowledge.bank.validation.blank_starters import FEWEST, from_nothing, problems_of_blank
from knowledge.bank.validation.forked_runner import ForkedRunner
from knowledge.model import Kind, Question
from rubric.coding.result import CodeResult, CodeStatus
from rubric.coding.task import CodeTestKind, CodingTask, mutated, read_tests
from rubric.coding.verifier import Runner, Verifier

MUTANTS = 4
"""The least number of mutants of a task."""

_STARTER = "the starter"
_BLANK = "the blank starter"

TASKS = 100
"""Coding and debugging questions of the bank."""

SECONDS = 10.0
"""What a test of our solution may take here, on a busy machine."""

LEAST_SECONDS = 1.5
SLOWER = 20
"""What a mutant's test may take: so many times the slowest test of our solution, but no less than those seconds."""

SEEDS = (1, 2)
"""Inputs that our solution must pass with itself: what differs between two runs is no test."""


def problems(task: CodingTask, runner: Runner) -> Iterator[str]:
    """What is wrong with a task, one line each."""
    try:
        tests = read_tests(task.tests)
    except SyntaxError as error:
        yield f"the tests are not valid Python: {error}"
        return
    kinds = {test.kind for test in tests} - {CodeTestKind.SPEED}
    if CodeTestKind.EXAMPLE not in kinds:
        yield "Tests define no example_ test"
    if len(kinds) < 2:
        yield "Tests define nothing hidden: property_, gradient_ or resource_"
    if len(task.mutants) < MUTANTS:
        yield f"{len(task.mutants)} mutants, fewer than {MUTANTS}"
    yield from problems_of_blank(task)
    verifier = Verifier(runner, seconds=SECONDS)
    try:
        ours = verifier.verify(task, task.solution, seed=SEEDS[1])
        yield from _own(ours, SEEDS[1])
        slowest = max((test.seconds for test in ours.tests), default=0.0)
        limit = min(SECONDS, max(LEAST_SECONDS, SLOWER * slowest))
        named = list(wrong(task))
        yield from (str(source) for _, source in named if isinstance(source, ValueError))
        wrongs = [(name, source) for name, source in named if isinstance(source, str)]
        sources = [task.solution, *(source for _, source in wrongs)]
        again, *others = verifier.refute_each(task, sources, seed=SEEDS[0], seconds=limit)
        if again.status is CodeStatus.TIMEOUT:
            # The limit is the mutants'. Our solution has all the seconds, which a busy machine may need.
            again = verifier.verify(task, task.solution, seed=SEEDS[0])
        yield from _own(again, SEEDS[0])
        for (name, _), result in zip(wrongs, others, strict=True):
            if result.status is CodeStatus.PASSED:
                yield f"{name} passes the tests"
            elif name != _STARTER and (result.message or not result.tests):
                yield f"{name} does not even start: {result.message}"
    finally:
        verifier.close()


def _own(result: CodeResult, seed: int) -> Iterator[str]:
    if result.status is not CodeStatus.PASSED:
        yield f"the solution fails its own tests (seed {seed}): {told(result)}"
    if result.remarks:
        yield f"the solution does what its question rules out: {result.strict.message}"


def wrong(task: CodingTask) -> Iterator[tuple[str, str | ValueError]]:
    """What must fail: the starters and the mutants, each with its source, or why it has none."""
    yield _STARTER, task.starter
    if task.blank:
        yield _BLANK, task.blank
    for mutant in task.mutants:
        try:
            yield f"the mutant “{mutant.name}”", mutated(task.solution, mutant)
        except ValueError as error:
            yield f"the mutant “{mutant.name}”", error


def told(result: CodeResult) -> str:
    """A result in one line."""
    bad = next((test for test in result.tests if test.status is not CodeStatus.PASSED), None)
    if bad is None:
        return f"{result.status} {result.message}".strip()
    case = f" | {bad.failing[0]}" if bad.failing else ""
    line = f" (line {bad.line})" if bad.line else ""
    return f"{bad.status}: {bad.name}: {bad.message}{line}{case}"


def problems_of_all(questions: Sequence[Question]) -> Iterator[str]:
    """What the bank lacks as a whole, one line each."""
    asking = [question for question in questions if question.kind in {Kind.CODING, Kind.DEBUGGING}]
    if len(asking) < TASKS:
        yield f"{len(asking)} coding and debugging questions, fewer than {TASKS}"
    free = sum(from_nothing(question.task) for question in asking if question.task)
    if free < FEWEST:
        yield f"{free} tasks can be written from nothing, fewer than {FEWEST}"


def main(ids: Sequence[str]) -> int:
    """Prints what becomes of the tasks named, or of all; 1 where any has a problem."""
    runner = ForkedRunner()
    bad = 0
    for question in load_bank():
        task = question.task
        if task is None or (ids and question.id not in ids):
            continue
        found = list(problems(task, runner))
        bad += bool(found)
        print(f"{question.id}: {'; '.join(found) if found else 'good'}")
        if not ids:
            continue
        verifier = Verifier(runner, seconds=SECONDS)
        named = [("the solution", task.solution), *wrong(task)]
        sources = {name: source for name, source in named if isinstance(source, str)}
        for name, result in zip(sources, verifier.verify_each(task, list(sources.values())), strict=True):
            print(f"  {name}: {result.passed} of {len(result.tests)} passed, {result.seconds:.2f} s. {told(result)}")
        verifier.close()
    for problem in () if ids else problems_of_all(load_bank()):
        bad += 1
        print(problem)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
