"""What the parts are given on machines with cards: devices, workers, and the one card that this process sees."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence

import pytest

from interviewer.cli.container import Container
from interviewer.engine.grading_queue import GradingQueue
from rubric.grading.grader import GradeRequest
from rubric.model import Criterion, Grade, Rubric
from serving import machine as hardware
from serving.diagnostics import code_on_card
from serving.gpu.probe import VISIBLE
from serving.sandbox.gpu_probe import GpuTrial
from serving.speech.stt import on_card
from tests.serving.gpu.machines import machine


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch):
    """Makes the parts on a machine of the table."""
    made = []
    monkeypatch.setenv(VISIBLE, "as before")
    monkeypatch.setattr(code_on_card, "tried", lambda access: GpuTrial(cards=1))
    monkeypatch.setattr(on_card, "LIBRARY", "libc.so.6")

    def container(name: str, build: str = "cuda") -> Container:
        monkeypatch.setattr(hardware, "inspect", lambda folder: machine(name, build=build))
        made.append(Container())
        return made[-1]

    yield container
    for each in made:
        each.close()


def test_with_two_cards_the_judge_has_one_and_code_the_other(on) -> None:
    container = on("two cards")
    assert os.environ[VISIBLE] == "GPU-1"
    assert container.verifier._devices == ("cpu", "cuda")
    assert container.code_access.visible == "GPU-0"
    assert container.recognizer._gpu


def test_with_one_card_code_stays_on_the_processor(on) -> None:
    container = on("A100")
    assert (os.environ[VISIBLE], container.verifier._devices, container.code_access) == ("GPU-0", ("cpu",), None)
    assert container.recognizer._gpu


def test_asked_for_code_on_the_judges_card_leaves_it_when_the_judge_suffers(on, monkeypatch) -> None:
    monkeypatch.setenv("INTERVIEWER_GPU_CODE", "yes")
    container = on("A100")
    assert container.verifier._devices == ("cpu", "cuda")
    read = container.judge_service.client.on_read
    for _ in range(10):
        read(0.01)
    container.sandbox._on_card = 1
    for _ in range(10):
        read(0.2)
    assert container.verifier._devices == ("cpu",)


@pytest.mark.parametrize("name", ["driver too old", "card too old", "busy", "memory [N/A]"])
@pytest.mark.parametrize("build", ["cpu", "cuda"])
def test_a_card_that_cannot_be_used_is_seen_by_nobody(on, name: str, build: str) -> None:
    container = on(name, build)
    assert (os.environ[VISIBLE], container.verifier._devices) == ("", ("cpu",))
    assert not container.recognizer._gpu


def test_a_machine_without_cards_is_left_as_it_is(on) -> None:
    on("none", "cpu")
    assert os.environ[VISIBLE] == "as before"


class Meeting:
    """Grades nothing before a number of answers is being graded at once."""

    def __init__(self, count: int) -> None:
        self._together = threading.Barrier(count)

    def grade(self, request: GradeRequest) -> Grade:
        self._together.wait(60)
        return Grade.model_construct()

    def prepare(self, question: str, criteria: Sequence[Criterion]) -> None:
        """Nothing to do."""

    def read_ahead(self, request: GradeRequest, stop: Callable[[], bool]) -> None:
        """Nothing to do."""


def test_sixty_four_answers_do_not_queue_behind_two_threads(on) -> None:
    count = on("A100").judge_service.profile.answers_at_once
    assert count == 64
    queue = GradingQueue(Meeting(count), workers=count)
    marks: list[Grade] = []
    request = GradeRequest.model_construct(rubric=Rubric.model_construct(criteria=()))
    waiting = [queue.submit(("s", str(n)), request, marks.append, pytest.fail) for n in range(count)]
    for each in waiting:
        each.result(120)
    assert len(marks) == count
    queue.close()
