"""What happens to an answer is seen across processes, and no exported span, metric, or line of a log has its words."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.storage.postgres_journal import PostgresJournal
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion.pipeline import IngestReport
from knowledge.model import Kind
from rubric.coding.result import CodeStatus
from rubric.coding.task import CodingTask
from rubric.coding.verifier import Verifier
from rubric.grading.grader import GradeRequest
from serving.llm.judge_health import look_at
from serving.llm.judge_servers import JudgeServers
from serving.llm.vllm_server import free_port
from serving.observation.process import Observation
from serving.warmup import Warmup
from tests.collector import Collector, Told, collecting
from tests.http_page import HttpPage
from tests.integration.test_queued_regrading import Worker, start, store, until
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.interviewer.report.sample_session import question as told_question
from tests.locations import ROOT
from tests.postgres import PostgresServer
from tests.rubric.doubles import BagOfWords
from tests.serving.llm.test_state_server import _PROGRAM

__all__ = ["start"]  # a fixture

MARKER = "platypus"
"""A word that only the person says, in every way in which they can say something."""

TASK = CodingTask(
    starter="def twice(x):\n    return x\n",
    solution="def twice(x):\n    return 2 * x\n",
    tests="def example_two(t):\n    yield 4, twice(2)\n",
)
CODING = told_question("twice", [("why", "It doubles.", 1)], kind=Kind.CODING, task=TASK)
PLAN = Plan(question_ids=("spoken", "twice"), editor=True, talks=True)


@pytest.fixture(autouse=True)
def own_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)


@contextmanager
def judging(collector: Collector, log: Path) -> Iterator[tuple[str, str]]:
    """A judge in a process of its own, with an engine that needs no model; gives its URL and that of its metrics."""
    port, metrics = free_port(), free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-c", _PROGRAM, "--model", "none", "--name", "judge", "--port", str(port)]
    command += ["--traces-url", collector.url, "--metrics-port", str(metrics), "--log-format", "json", "--drain", "60"]
    with log.open("w") as file:
        program = subprocess.Popen(command, cwd=ROOT, stderr=file)
    try:
        until(lambda: look_at(url).state == "answering")
        yield url, f"http://127.0.0.1:{metrics}/metrics"
        program.send_signal(signal.SIGTERM)
        assert program.wait(60) == 0
    finally:
        program.kill()
        program.wait()


def hold(service: InterviewService) -> str:
    """An interview in which every word of the person's has the marker in it."""
    session = service.start(PLAN)
    number = iter(range(100))

    def say(text: str) -> None:
        service.answer(session, text, f"r{next(number)}", literally=service.state(session).segment is None)
        service.advance(session)

    say(f"I am {MARKER}, hello.")
    while service.state(session).segment is not None:
        service.skip(session, f"r{next(number)}")
    say(f"The worker loads {MARKER} batches.")
    service.skip(session, f"r{next(number)}", whole=True)
    source = f"# {MARKER}\ndef twice(x):\n    print('{MARKER}')\n    return 2 * x\n"
    service.run_code(session, f"def twice(x): raise ValueError('{MARKER}')", f"r{next(number)}", submit=False)
    state = service.run_code(session, source, f"r{next(number)}", submit=True)
    assert state.asked[-1].runs[-1].result.status is CodeStatus.PASSED
    service.end(session, f"r{next(number)}")
    service.advance(session)
    return session


async def read_report(url: str, session: str) -> None:
    async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False) as http:
        await HttpPage(http).open(session)


def test_an_interview_is_seen_from_the_page_to_the_judge_without_a_word_of_it(
    tmp_path: Path, verifier: Verifier, caplog: pytest.LogCaptureFixture
) -> None:
    for ours in ("interviewer", "knowledge", "rubric", "serving"):
        caplog.set_level(logging.DEBUG, ours)
    spoken = question("spoken")
    index = QuestionIndex.open(tmp_path / "index", BagOfWords())
    metrics = free_port()
    with collecting() as collector, judging(collector, tmp_path / "judge.log") as (url, counted):
        judges = JudgeServers([url], model="judge", digest="judge")
        judges.start()
        grader = KeywordGrader(lambda request: asked(judges, request))
        seen = Observation("page", traces_url=collector.url, metrics_port=metrics)
        shelf = Shelf([spoken, CODING])
        with (
            Journal(tmp_path / "journal.db") as journal,
            InterviewService(journal, shelf, grader, patience_s=None, verifier=verifier) as service,
        ):
            session = hold(service)
            index.replace("a", [spoken])
            index.search(MARKER, 3)
            page = build_page(service, shelf, Warmup([]), journal, lambda files: IngestReport(files=(), questions=()))
            try:
                asyncio.run(read_report(launch_page(page, port=free_port()), session))
            finally:
                page.close(verbose=False)
        told = [httpx.get(each, trust_env=False).text for each in (counted, f"http://127.0.0.1:{metrics}/metrics")]
        judges.close()
        seen.close()
        httpx.post(f"{url}/v1/embeddings", content=b"{", trust_env=False)
    spans = collector.spans
    check_tree(spans, session)
    assert MARKER.encode() not in b"".join(collector.raw)
    assert not any(MARKER in text or session in text for text in told)
    assert "interviewer_prompt_seconds_count" in told[0]
    assert 'interviewer_judge_call_seconds_count{call="embeddings"}' in told[1]
    assert MARKER not in (tmp_path / "judge.log").read_text()
    assert MARKER not in caplog.text


def asked(judges: JudgeServers, request: GradeRequest) -> None:
    judges.states([request.answer, request.question])


def check_tree(spans: list[Told], session: str) -> None:
    by_id = {span.id: span for span in spans}

    def path(span: Told) -> list[str]:
        above = by_id.get(span.parent)
        return [*(path(above) if above else []), f"{span.service} {span.name}"]

    paths = {tuple(path(span)) for span in spans}
    assert paths >= {
        ("page interview.start", "page turn.next", "page journal.append"),
        ("page interview.skip", "page turn.next", "page question.choose"),
        ("page interview.answer", "page turn.understand"),
        ("page interview.answer", "page journal.append"),
        ("page interview.run_code", "page code.verify", "page sandbox.run"),
        ("page report.make",),
        ("page library.search",),
    }
    read = next(each for each in paths if each[-1] == "judge prompt.read")
    assert read[-5:] == (
        "page answer.grade",
        "page answer.read",
        "page POST /v1/embeddings",
        "judge POST /v1/embeddings",
        "judge prompt.read",
    )
    assert any(each[-1] == "page answer.wait" for each in paths)
    known = {"interview.id", "question.id"}
    of_interviews = [span for span in spans if span.service == "page" and span.name != "library.search"]
    assert {span.attributes.get("interview.id") for span in of_interviews} == {session}
    assert {span.attributes["question.id"] for span in spans if "question.id" in span.attributes} == {"spoken", "twice"}
    texts = {value for span in spans for name, value in span.attributes.items() if name not in known}
    assert not any(isinstance(value, str) and " " in value for value in texts)
    assert [span for span in spans if span.failed and span.service == "page"] == []


def test_a_worker_is_seen_by_the_interviews_id_and_not_by_the_account(
    postgres: PostgresServer, start: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, metrics = postgres.database(), free_port()
    store(url, MARKER, ["left"], f"alpha {MARKER}", "beta")
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        worker = start(url, 0.0, 0.5, str(metrics))
        worker.wait_for("Graded")
        told = httpx.get(f"http://127.0.0.1:{metrics}/metrics", trust_env=False).text
        assert worker.send(signal.SIGTERM) == 0
        spans = {span.name: span for span in collector.spans}
    assert spans["process grade"].attributes["interview.id"] == "left"
    assert spans["process grade"].service == "worker"
    assert spans["answer.read"].trace == spans["process grade"].trace
    assert MARKER.encode() not in b"".join(collector.raw)
    assert 'interviewer_jobs_total{job="grade",outcome="done"} 1.0' in told
    assert "interviewer_grading_seconds_count 2.0" in told
    assert MARKER not in told
    with PostgresJournal(url, MARKER) as journal:
        assert len([event for event in journal.events("left") if event.type == "answer_graded"]) == 2


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("worker", "--database", "postgresql://nobody@127.0.0.1:1/none"), "database"),
        (("judge", "--host", "0.0.0.0"), "everybody who can reach this machine"),
    ],
)
def test_a_command_that_logs_json_says_nothing_else(command: tuple[str, ...], said: str, home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "app.py", *command, "--log-format", "json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {2, 3}, done.stderr
    rows = [json.loads(line) for line in done.stderr.splitlines()]
    assert rows[-1]["level"] == "error"
    assert said in rows[-1]["message"]
    assert done.stdout == ""
