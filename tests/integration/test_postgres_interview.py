"""Interviews in PostgreSQL: moved there from SQLite, and held while the server is killed and started again."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from interviewer.engine import grading_coordinator
from interviewer.engine.service import InterviewService
from interviewer.report.analysis.findings import findings
from interviewer.report.render.json import comparable
from interviewer.storage.postgres_journal import PostgresJournal
from interviewer.storage.sqlite_journal import Journal
from rubric.grading.grader import GradeRequest
from serving import paths
from serving.errors import StorageError
from tests.integration.commands import in_process
from tests.integration.test_full_disk import ANSWERS, BANK, PLAN, steps
from tests.interviewer.builders import KeywordGrader, Shelf
from tests.interviewer.report.sample_session import telling
from tests.postgres import PASSWORD, QUOTED, PostgresServer


def run(*arguments: str) -> str:
    status, out, err = in_process(*arguments)
    assert status == 0, err
    return out


def test_an_interview_moves_to_postgresql_and_its_report_stays_the_same(
    home: Path, tmp_path: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir()
    with Journal(paths.journal()) as journal:
        for event in telling().events:
            journal.append("told", event)
    before = json.loads(run("report", "told", "--format", "json"))
    run("data", "export", str(tmp_path / "all.zip"))
    url = postgres.database()
    run("data", "import", str(tmp_path / "all.zip"), "--database", url)
    run("data", "delete", "--all")
    assert json.loads(run("sessions", "--json")) == []
    assert json.loads(run("report", "told", "--format", "json", "--database", url)) == before
    monkeypatch.setenv("INTERVIEWER_DATABASE", url)
    assert [one["id"] for one in json.loads(run("sessions", "--json"))] == ["told"]
    # Whoever logs in has interviews of their own there.
    monkeypatch.setenv(paths.HOME_VARIABLE, str(home / paths.PROFILES / "ada"))
    assert json.loads(run("sessions", "--json")) == []


def test_commands_tell_what_is_wrong_with_a_database_and_never_its_password(
    home: Path, postgres: PostgresServer
) -> None:
    wrong = postgres.url("nothing")
    away = postgres.url("x").replace(f":{postgres.port}", ":1")
    told = {wrong: "no database of that name", away: "no PostgreSQL server answers there"}
    for url, why in told.items():
        status, out, err = in_process("sessions", "--database", url)
        assert status == 3
        assert why in err
        assert not [secret for secret in (PASSWORD, QUOTED) if secret in out + err]
    status, _, err = in_process("sessions", "--database", "postgres://ada:hush@host/x")
    assert status == 2
    assert "hush" not in err


def outcome(service: InterviewService) -> dict[str, object]:
    return comparable(findings("one", service.state("one")))


def hold(journal: Journal | PostgresJournal, disturb: Callable[[int, Callable[[], object]], None]) -> dict[str, object]:
    with InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None) as service:
        for number, step in enumerate(steps(lambda: service)):
            disturb(number, step)
            step()
        return outcome(service)


def test_an_interview_goes_on_when_the_server_is_back_and_its_report_is_that_of_an_undisturbed_one(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    def disturb(number: int, step: Callable[[], object]) -> None:
        if number in {1, 3, 6}:
            postgres.kill()
            try:
                with pytest.raises(StorageError, match="cannot be used"):
                    step()
            finally:
                postgres.start()

    with Journal(tmp_path / "journal.db") as journal:
        undisturbed = hold(journal, lambda *_: None)
    with PostgresJournal(postgres.database()) as journal:
        assert hold(journal, disturb) == undisturbed


def test_a_mark_that_comes_while_the_server_is_away_is_stored_when_it_is_back(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading_coordinator, "AGAIN_S", 0.2)
    asked, may, refused = threading.Event(), threading.Event(), threading.Event()

    def before(_: GradeRequest) -> None:
        asked.set()
        assert may.wait(120)

    report = grading_coordinator.GradingCoordinator._report

    def watched(*given: object) -> None:
        try:
            report(*given)  # type: ignore[arg-type]
        except StorageError:
            refused.set()
            raise

    monkeypatch.setattr(grading_coordinator.GradingCoordinator, "_report", watched)
    with (
        PostgresJournal(postgres.database()) as journal,
        InterviewService(journal, Shelf(BANK), KeywordGrader(before), patience_s=600) as service,
    ):
        service.start(PLAN, "one")
        service.answer("one", ANSWERS[0], "answer-0")
        assert asked.wait(120)
        postgres.kill()
        try:
            may.set()
            assert refused.wait(120)
        finally:
            postgres.start()
        end = time.monotonic() + 120
        while not any(event.type == "answer_graded" for event in journal.events("one")):
            assert time.monotonic() < end
            time.sleep(0.05)
