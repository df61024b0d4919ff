"""Regrading by workers that are processes, with a real PostgreSQL: killed, told to stop, and out of reach of it."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from interviewer.report.analysis.regrade import Regrade, compare, due
from interviewer.session.events import AnswerGiven, Event, InterviewStarted, QuestionAsked
from interviewer.session.plan import Plan
from interviewer.storage.jobs import JobQueue
from interviewer.storage.left_over import LEFT_S
from interviewer.storage.postgres_journal import PostgresJournal
from interviewer.storage.regrades import TRIES, Regrades, Standing
from serving import paths
from tests.integration.commands import ROOT, in_process
from tests.interviewer.builders import at, keyword_grade, question
from tests.postgres import PostgresServer

PATIENCE_S = 120.0
SILENT_S = 3.0
"""Seconds until a worker of these tests is taken for dead."""


def held(*answers: str) -> tuple[Event, ...]:
    """An interview of one question, its answers not graded yet."""
    given = (
        AnswerGiven(id=f"a{number}", at=at(3 + number), asked_id="q", text=text) for number, text in enumerate(answers)
    )
    asked = QuestionAsked(id="q", at=at(2), number=1, question=question("one"), said="?")
    return (InterviewStarted(id="s", at=at(1), plan=Plan()), asked, *given)


def store(url: str, owner: str, sessions: list[str], *answers: str) -> None:
    with PostgresJournal(url, owner) as journal:
        for session in sessions:
            for event in held(*answers):
                journal.append(session, event)


def put(url: str, owner: str, *, again: bool = False) -> int:
    with PostgresJournal(url, owner) as journal:
        return Regrades(journal).put([one.id for one in journal.sessions()], JobQueue(url), again=again)


def standing(url: str, owner: str) -> Standing:
    with PostgresJournal(url, owner) as journal:
        return Regrades(journal).standing()


def left(postgres: PostgresServer, url: str) -> list[tuple[object, ...]]:
    """The jobs of people that the queue still has."""
    name = url.rpartition("/")[2]
    ((schema,),) = postgres.sql("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'jobs%'", name)
    return postgres.sql(f"SELECT status::text FROM {schema}.procrastinate_jobs WHERE task_name <> 'sweep'", name)


class Worker:
    """A worker that runs; what it says is kept."""

    def __init__(self, url: str, seconds: float, left_s: float, *more: str) -> None:
        numbers = map(str, (seconds, SILENT_S, left_s))
        arguments = [sys.executable, "-m", "tests.integration.worker_child", url, *numbers, *more]
        self.process = subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
        )
        self.said: list[str] = []
        self._new: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.strip())
            self._new.put(line)
        self.process.stdout.close()

    def wait_for(self, words: str) -> str:
        end = time.monotonic() + PATIENCE_S
        while True:
            line = self._new.get(timeout=max(end - time.monotonic(), 0.01))
            if words in line:
                return line

    def send(self, sign: signal.Signals) -> int:
        """Send a signal; returns the exit status."""
        self.process.send_signal(sign)
        status = self.process.wait(PATIENCE_S)
        self._reader.join()
        return status

    @property
    def regraded(self) -> list[str]:
        """What it finished and counts."""
        return [each.partition(":")[0] for each in self.said if each.startswith("Regraded") and "count." not in each]


@pytest.fixture
def start() -> Iterator[Callable[..., Worker]]:
    started: list[Worker] = []

    def make(url: str, seconds: float = 0.0, left_s: float = LEFT_S, *more: str) -> Worker:
        started.append(Worker(url, seconds, left_s, *more))
        return started[-1]

    yield make
    for each in started:
        if each.process.poll() is None:
            each.send(signal.SIGKILL)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_two_workers_grade_forty_interviews_once_each_though_one_of_them_is_killed(
    postgres: PostgresServer, start: Callable[..., Worker]
) -> None:
    url = postgres.database()
    owners = ("", "ada", "ben", "carol")
    sessions = [f"s{number}" for number in range(10)]
    for owner in owners:
        store(url, owner, sessions, f"alpha, said {owner or 'nobody'}", "beta")
        assert put(url, owner) == 10
    killed, other = start(url, 0.1), start(url, 0.1)
    killed.wait_for("Regraded")
    killed.wait_for("Regrading")
    killed.send(signal.SIGKILL)
    dead = time.monotonic()
    until(lambda: all(standing(url, owner).over for owner in owners))
    assert time.monotonic() - dead < PATIENCE_S
    assert [standing(url, owner) for owner in owners] == [Standing(0, 0, 10, 0)] * 4
    assert len(killed.regraded) < 40
    # None counted twice, none was lost: the one in hand of the killed worker was done by the other.
    counted = Counter(killed.regraded + other.regraded)
    assert set(counted.values()) == {1}
    assert len(counted) in {39, 40}, "one may have been stored and not been said yet"
    for owner in owners:
        with PostgresJournal(url, owner) as journal:
            outcomes = Regrades(journal).outcomes()
            assert sorted(outcomes) == sorted(sessions)
            for session, outcome in outcomes.items():
                events = journal.events(session)
                undisturbed = compare(events, {each.answer_id: keyword_grade(each.request) for each in due(events)})
                assert Regrade.model_validate_json(outcome) == undisturbed
                assert events == held(f"alpha, said {owner or 'nobody'}", "beta")
    assert other.send(signal.SIGTERM) == 0
    assert left(postgres, url) == []


def test_a_worker_that_is_told_to_stop_finishes_its_job_and_nobody_takes_it_meanwhile(
    postgres: PostgresServer, start: Callable[..., Worker]
) -> None:
    url = postgres.database()
    store(url, "ada", ["long", "next"], "alpha")
    put(url, "ada")
    worker = start(url, 3 * SILENT_S)
    worker.wait_for("Regrading")
    worker.process.send_signal(signal.SIGTERM)
    worker.wait_for("Stopping")
    # It gives signs of life for longer than a silent one is waited for.
    other = start(url, 0.0)
    other.wait_for("Regraded")
    assert worker.process.wait(PATIENCE_S) == 0
    worker._reader.join()
    assert len(worker.regraded) == len(other.regraded) == 1
    assert set(worker.regraded).isdisjoint(other.regraded)
    assert not [each for each in other.said if "does not count" in each]
    assert standing(url, "ada") == Standing(0, 0, 2, 0)
    assert left(postgres, url) == []


def test_a_worker_goes_on_when_the_database_is_back(postgres: PostgresServer, start: Callable[..., Worker]) -> None:
    url = postgres.database()
    store(url, "ada", ["one", "two", "three"], "alpha")
    put(url, "ada")
    worker = start(url, 1.0)
    worker.wait_for("Regrading")
    postgres.kill()
    try:
        worker.wait_for("does not answer")
    finally:
        postgres.start()
    until(lambda: standing(url, "ada").over)
    assert standing(url, "ada") == Standing(0, 0, 3, 0)
    until(lambda: left(postgres, url) == [])
    assert worker.send(signal.SIGINT) == 0


def test_an_interview_that_kills_every_worker_is_given_up(
    postgres: PostgresServer, start: Callable[..., Worker]
) -> None:
    url = postgres.database()
    store(url, "ada", ["deadly"], "alpha")
    put(url, "ada")
    for _ in range(TRIES):
        worker = start(url, 600.0)
        worker.wait_for("Regrading")
        worker.send(signal.SIGKILL)
    start(url).wait_for("Gave up")
    assert standing(url, "ada") == Standing(0, 0, 0, 1)
    with PostgresJournal(url, "ada") as journal:
        assert "3 workers ended" in Regrades(journal).failures()["deadly"]


def test_the_command_says_how_far_it_is_and_then_what_came_of_it(
    home: Path, postgres: PostgresServer, start: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url = postgres.database()
    store(url, "ada", ["one", "two"], "alpha")
    store(url, "ben", ["his"], "never alpha")
    monkeypatch.setenv("INTERVIEWER_DATABASE", url)
    monkeypatch.setenv(paths.HOME_VARIABLE, str(home / paths.PROFILES / "ada"))
    command = ("regrade", "--all", "--queue")
    status, out, err = in_process(*command)
    assert (status, out) == (0, "")
    assert "2 new jobs. 2 queued, 0 at work, 0 done." in err
    assert "0 new jobs. 2 queued" in in_process(*command)[2]
    start(url)
    status, out, err = in_process(*command, "--wait", "--json", "-o", tmp_path / "all.json")
    assert status == 0, err
    made = json.loads((tmp_path / "all.json").read_text())
    assert [each["session"] for each in made["interviews"]] == ["one", "two"]
    assert made["newly_graded"] == 2
    status, out, err = in_process(*command)
    assert "0 new jobs. 0 queued, 0 at work, 2 done." in err
    assert out.startswith("Interview one\n  Question 1, answer 1 (What is one?): not graded -> ")
    assert "2 interviews graded again." in out
    assert "his" not in out
    assert "2 new jobs. 2 queued" in in_process(*command, "--again")[2]


@pytest.mark.parametrize("database", [(), ("--database", "sqlite:////tmp/x.db")])
@pytest.mark.parametrize("command", [("regrade", "--all", "--queue"), ("worker",)])
def test_without_postgresql_a_command_says_what_it_needs(
    home: Path, command: tuple[str, ...], database: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("INTERVIEWER_DATABASE", raising=False)
    status, out, err = in_process(*command, *database)
    assert (status, out) == (2, "")
    assert "--database postgresql://" in err


def test_without_the_package_a_command_says_how_to_get_it(
    home: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interviewer.storage.jobs.importlib.util.find_spec", lambda name: None)
    status, _, err = in_process("worker", "--database", postgres.database())
    assert status == 3
    assert "procrastinate is not installed" in err
    assert "pip install" in err
