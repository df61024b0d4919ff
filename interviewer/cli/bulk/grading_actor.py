"""What a Ray actor does: it opens a judge, as a worker does, and grades the answers that it is sent.

It gets and gives plain data (texts, JSON) and no error of ours, so that nothing has to be unpickled but that. It knows
no database. What it writes goes to Ray's log of its machine, so it writes nothing of an interview.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import NamedTuple, TypedDict

from interviewer.cli.container import Container
from interviewer.engine.grading_queue import PATIENCE_S, grade_patiently, may_pass
from rubric.grading.grader import Grader, GradeRequest
from serving.errors import InterviewerError
from serving.private_files import make_private_files

log = logging.getLogger(__name__)


class Opened(NamedTuple):
    """A judge that can be asked.

    Attributes:
        grader: asks it.
        answers_at_once: how many answers it is given at the same time.

    """

    grader: Grader
    answers_at_once: int


class Reply(TypedDict):
    """What came of a call.

    Attributes:
        grades: one a request, as JSON.
        failure: why there are none, in a sentence; empty where there are.
        passes: whether that is about the judge or the machine, and not about what was to be graded.
        process: the actor's process id.

    """

    grades: list[str]
    failure: str
    passes: bool
    process: int


Judge = Mapping[str, str | list[str] | None]
"""The judge that a command names, as arguments of ``Container``."""

OPENER = f"{__name__}:opened"
"""What opens an actor's judge, as ``module:name``."""


class GradingActor:
    """Grades the answers of one interview after the other.

    Args:
        opener: what opens the judge, given ``judge``.
        judge: which.

    """

    def __init__(self, opener: str, judge: Judge) -> None:
        self._opener, self._judge = opener, judge
        self._opened: Opened | None = None

    def open(self) -> Reply:
        """Bring the judge up; what was begun with it before stays."""
        return _told(lambda: self._graded([]))

    def grade(self, requests: Sequence[str]) -> Reply:
        """Grade answers, each a ``GradeRequest`` as JSON."""
        return _told(lambda: self._graded(requests))

    def _bring_up(self) -> Opened:
        if self._opened is None:
            module, _, name = self._opener.partition(":")
            made: Opened = getattr(import_module(module), name)(self._judge)
            self._opened = made
        return self._opened

    def _graded(self, requests: Sequence[str]) -> list[str]:
        grader, answers_at_once = self._bring_up()

        def graded(request: str) -> str:
            return grade_patiently(grader, GradeRequest.model_validate_json(request), PATIENCE_S).model_dump_json()

        with ThreadPoolExecutor(answers_at_once) as at_once:
            return list(at_once.map(graded, requests))


def opened(judge: Judge) -> Opened:
    """The judge that was named, or one of this machine's own, which stops with the process.

    Raises:
        ServiceMissingError: it did not come up.

    """
    make_private_files()
    container = Container(**judge, linger_s=0.0)  # type: ignore[arg-type]
    container.embedding_model()
    container.judge()
    profile = container.judge_service.profile
    # A judge on a processor has all its cores busy with one answer.
    return Opened(container.grader, 1 if profile.device == "cpu" else profile.answers_at_once)


def _told(work: Callable[[], list[str]]) -> Reply:
    failure, passes, grades = "", False, list[str]()
    try:
        grades = work()
    except InterviewerError as error:
        failure, passes = str(error), may_pass(error)
    except Exception:
        log.exception("an actor's work broke")
        failure = "A fault of this program; Ray's log of the actor says where."
    return Reply(grades=grades, failure=failure, passes=passes, process=os.getpid())
