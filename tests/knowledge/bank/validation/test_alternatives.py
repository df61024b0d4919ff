"""Right solutions that go another way than ours, written from what is shown alone: each of them passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.bank.parser import load_bank
from knowledge.bank.validation.forked_runner import ForkedRunner
from knowledge.bank.validation.tasks import told
from rubric.coding.result import CodeStatus
from rubric.coding.task import CodingTask
from rubric.coding.verifier import Verifier

FOLDER = Path(__file__).parent / "alternatives"

FEWEST = 3
"""Programs a task."""

SECONDS = 20.0

TASKS = {question.id: question for question in load_bank() if question.task}

EACH = [
    pytest.param(
        TASKS[folder.name].task,
        sorted(folder.glob("*.py")),
        id=folder.name,
        marks=pytest.mark.by_number(
            f"knowledge/bank/{Path(TASKS[folder.name].source.path).name}",
            f"tests/knowledge/bank/validation/alternatives/{folder.name}",
        ),
    )
    for folder in sorted(FOLDER.iterdir())
    if folder.name in TASKS
]


@pytest.fixture(scope="module")
def runner() -> ForkedRunner:
    return ForkedRunner()


@pytest.mark.parametrize(("task", "programs"), EACH)
def test_another_right_solution_passes(task: CodingTask, programs: list[Path], runner: ForkedRunner) -> None:
    verifier = Verifier(runner, seconds=SECONDS)
    try:
        results = verifier.verify_each(task, [program.read_text() for program in programs])
    finally:
        verifier.close()
    problems = {
        program.stem: f"{told(result)} {result.remarks}".strip()
        for program, result in zip(programs, results, strict=True)
        if result.status is not CodeStatus.PASSED or result.remarks
    }
    assert problems == {}


def test_each_belongs_to_a_task_and_is_another_program() -> None:
    folders = sorted(folder for folder in FOLDER.iterdir() if folder.is_dir())
    assert {folder.name for folder in folders} == TASKS.keys()
    for folder in folders:
        task = TASKS[folder.name].task
        assert task is not None
        programs = [program.read_text().strip() for program in folder.glob("*.py")]
        assert len(programs) >= FEWEST, folder.name
        assert len({*programs, task.solution.strip(), task.starter.strip()}) == len(programs) + 2, folder.name
