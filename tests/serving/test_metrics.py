"""Prometheus reads what the program counts, from a port of its own, and finds nobody's words in it."""

from __future__ import annotations

import logging
import socket
from pathlib import Path

import httpx
import pytest

from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from serving import metrics
from serving.errors import BadInputError, ServiceMissingError
from serving.metrics import MetricsServer
from tests.interviewer.builders import KeywordGrader, Shelf, question


def sample(name: str, **labels: str) -> float:
    return metrics.REGISTRY.get_sample_value(name, labels) or 0.0


def test_an_interview_is_counted_and_its_words_are_not_told(tmp_path: Path) -> None:
    given = sample("interviewer_events_total", type="answer_given")
    graded = sample("interviewer_grading_seconds_count")
    server = MetricsServer(0)
    try:
        with (
            Journal(tmp_path / "journal.db") as journal,
            InterviewService(journal, Shelf([question("q")]), KeywordGrader(), patience_s=None) as service,
        ):
            session = service.start(Plan(question_ids=("q",)))
            service.answer(session, "Workers load batches; platypus.", "r1")
            service.advance(session)
        told = httpx.get(f"http://127.0.0.1:{server.port}/metrics", trust_env=False).text
    finally:
        server.close()
    assert sample("interviewer_events_total", type="answer_given") == given + 1
    assert sample("interviewer_grading_seconds_count") == graded + 1
    assert sample("interviewer_answers_in_grading") == 0
    assert 'interviewer_events_total{type="answer_given"}' in told
    assert "platypus" not in told
    assert session not in told


def test_problems_in_the_log_are_counted_while_metrics_are_served() -> None:
    before = sample("interviewer_log_messages_total", level="warning")
    server = MetricsServer(0)
    try:
        logging.getLogger("interviewer.test").warning("something is wrong")
    finally:
        server.close()
    logging.getLogger("interviewer.test").warning("nobody counts this one")
    assert sample("interviewer_log_messages_total", level="warning") == before + 1


def test_a_port_that_cannot_be_had_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(ServiceMissingError, match="Metrics cannot be served"):
            MetricsServer(taken.getsockname()[1])
    with pytest.raises(BadInputError, match="no port 70000"):
        MetricsServer(70000)
