"""Drafts are read ahead only while nobody waits for a mark, and only the latest of each person."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from interviewer.engine.grading_queue import GradingQueue
from rubric.grading.grader import GradeRequest
from rubric.model import Grade
from tests.interviewer.builders import KeywordGrader, question
from tests.interviewer.engine.test_service import until


class Slow(KeywordGrader):
    """Reads a draft until it is told to stop, and grades when it is let."""

    def __init__(self) -> None:
        super().__init__(lambda request: self.let.wait(20))
        self.let = threading.Event()
        self.stopped: list[str] = []
        self.order: list[str] = []

    def read_ahead(self, request: GradeRequest, stop: Callable[[], bool]) -> None:
        super().read_ahead(request, stop)
        self.order.append(request.answer)
        until(stop)
        self.stopped.append(request.answer)


def draft(text: str) -> GradeRequest:
    asked = question("leaf")
    assert asked.rubric is not None
    return GradeRequest(question=asked.text, rubric=asked.rubric, answer=text)


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def queue(slow: Slow) -> Iterator[GradingQueue]:
    made = GradingQueue(slow)
    yield made
    slow.let.set()
    made.close()


def test_what_was_said_since_replaces_what_is_being_read(queue: GradingQueue, slow: Slow) -> None:
    queue.read_ahead("one", draft("A leaf."))
    until(lambda: slow.ahead)
    queue.read_ahead("one", draft("A leaf. It"))
    queue.read_ahead("one", draft("A leaf. It keeps it."))
    until(lambda: slow.ahead[-1].answer == "A leaf. It keeps it.")
    assert slow.stopped[0] == "A leaf."


def test_an_answer_that_is_waited_for_goes_first(queue: GradingQueue, slow: Slow) -> None:
    queue.read_ahead("one", draft("A leaf."))
    until(lambda: slow.ahead)
    graded = queue.submit(("two", "a"), draft("The leaf keeps it."), lambda _: slow.order.append("marked"), pytest.fail)
    until(lambda: slow.stopped == ["A leaf."])
    for text in ("A leaf. It", "A leaf. It keeps it."):
        queue.read_ahead("one", draft(text))
        until(lambda: not queue._drafts)
    slow.let.set()
    graded.result(20)
    # Once nobody waits any more, the last draft may be read.
    assert slow.order[:2] == ["A leaf.", "marked"]


def test_a_fault_while_reading_ahead_costs_nobody_anything(slow: Slow) -> None:
    class Broken(KeywordGrader):
        def read_ahead(self, request: GradeRequest, stop: Callable[[], bool]) -> None:
            super().read_ahead(request, stop)
            raise RuntimeError("no card")

    grader = Broken()
    queue = GradingQueue(grader)
    try:
        for number, text in enumerate(("A leaf.", "A leaf. It keeps it."), start=1):
            queue.read_ahead("one", draft(text))
            until(lambda number=number: len(grader.ahead) == number)
        marks: list[Grade] = []
        queue.submit(("one", "a"), draft("A leaf."), marks.append, pytest.fail).result(20)
    finally:
        queue.close()
    assert marks


def test_what_else_is_to_be_read_of_a_draft_comes_after_it_and_not_while_a_mark_is_waited_for(slow: Slow) -> None:
    quick, read = KeywordGrader(), list[int]()
    queue = GradingQueue(quick)
    try:
        queue.read_ahead("one", draft("A leaf."), lambda: read.append(len(quick.ahead)))
        until(lambda: read == [1])
    finally:
        queue.close()
    waiting = GradingQueue(slow)
    try:
        waiting.read_ahead("one", draft("A leaf."), lambda: read.append(0))
        until(lambda: slow.ahead)
        waiting.submit(("two", "a"), draft("The leaf keeps it."), lambda _: None, pytest.fail)
        until(lambda: slow.stopped == ["A leaf."])
    finally:
        slow.let.set()
        waiting.close()
    assert read == [1]
