"""Interviews go on while one of two judges is told to stop: every answer gets its mark, and none gets two."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.session.events import AnswerGiven, AnswerGraded, GradingFailed
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from rubric.grading.grader import GradeRequest
from serving.llm.judge_servers import JudgeServers
from serving.models import catalogue
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.web.holding import SHELF
from tests.serving.llm.test_draining import Judge, digest, two_judges, until

SESSIONS = [f"{number:032x}" for number in range(6)]


@pytest.fixture
def judges(tmp_path: Path) -> Iterator[list[Judge]]:
    with two_judges(tmp_path) as made:
        yield made


def prompts(request: GradeRequest) -> list[str]:
    """What a judge is asked of an answer."""
    return [f"{request.question}\n\n{request.answer} Is this made: {each.text}" for each in request.rubric.criteria]


def test_every_answer_is_marked_once_though_a_judge_stops_in_the_middle(tmp_path: Path, judges: list[Judge]) -> None:
    stopping, other = judges
    asked: list[str] = []
    urls = [judge.url for judge in judges]
    with closing(JudgeServers(urls, model="judge", digest=catalogue.judge_digest())) as servers:
        servers.start()

        def read(request: GradeRequest) -> None:
            servers.states(prompts(request))
            asked.extend(prompts(request))

        with (
            Journal(tmp_path / "journal.db") as journal,
            InterviewService(journal, SHELF, KeywordGrader(read), patience_s=0.0, answers_at_once=4) as service,
        ):

            def events(kind: type) -> list[object]:
                return [each for name in SESSIONS for each in journal.events(name) if isinstance(each, kind)]

            def stop() -> None:
                until(lambda: bool(stopping.read()))
                stopping.process.terminate()

            teller = threading.Thread(target=stop)
            teller.start()
            for session in SESSIONS:
                service.start(Plan(length=3, follow_ups=1), session)
            for number in range(3):
                for place, session in enumerate(SESSIONS):
                    service.answer(session, f"It is the leaf, {place}, and I say {number}.", f"answer-{number}")
            teller.join()
            assert stopping.process.wait(60) == 0
            given = events(AnswerGiven)
            assert len(given) >= 2 * len(SESSIONS)
            until(lambda: len(events(AnswerGraded)) == len(given))
            marked = Counter(
                (name, each.answer_id)
                for name in SESSIONS
                for each in journal.events(name)
                if isinstance(each, AnswerGraded)
            )
            assert set(marked.values()) == {1}
            assert len(marked) == len(given)
            # Nobody waited for a mark; that it was late is all that is said of any of them.
            assert all(isinstance(each, GradingFailed) and each.late for each in events(GradingFailed))
    # Each prompt was read by one judge, once, though one of them left.
    every = stopping.read() + other.read()
    assert stopping.read()
    assert other.read()
    assert {digest(each) for each in asked} == set(every)
    assert set(every.values()) == {1}
