"""A proxy learns whether a page lives and whether it can take answers, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from interviewer.engine.service import InterviewService
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.accounts import Accounts
from interviewer.web.health.routes import LIVE, READY, HealthRoutes
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from serving.errors import StorageError
from serving.llm.judge_health import JudgeHealth
from serving.warmup import Warmup
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.web.holding import SHELF


class Stored:
    """A journal that can be taken away."""

    there = True

    def holds(self, session_id: str) -> bool:
        if not self.there:
            raise StorageError("The database does not answer.")
        return False


def test_a_page_is_ready_while_answers_can_be_stored() -> None:
    journal = Stored()
    asked = TestClient(Starlette(routes=HealthRoutes(journal, Warmup([("Judge", lambda _: None)])).routes()))
    assert asked.get(LIVE).status_code == 200
    told = asked.get(READY)
    assert (told.status_code, told.json()) == (200, {"ready": True, "journal": True, "loading": ["Judge"]})
    journal.there = False
    told = asked.get(READY)
    assert (told.status_code, told.json()["ready"]) == (503, False)
    assert asked.get(LIVE).status_code == 200


def test_how_the_judges_fare_is_told_without_saying_where_they_are() -> None:
    since = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    fares = (
        JudgeHealth(url="http://10.0.0.5:8100", state="answering", since=since, answers_in_flight=2),
        JudgeHealth(url="http://10.0.0.6:8100", state="not answering", since=since, answers_in_flight=0),
    )
    journal = Stored()
    asked = TestClient(Starlette(routes=HealthRoutes(journal, Warmup([]), lambda: fares).routes()))
    told = asked.get(READY)
    at = "2026-01-02T03:04:00Z"
    # A page takes answers whatever the judges do.
    assert (told.status_code, told.json()["judges"]) == (
        200,
        [
            {"judge": 1, "state": "answering", "since": at, "answers_in_flight": 2},
            {"judge": 2, "state": "not answering", "since": at, "answers_in_flight": 0},
        ],
    )
    assert "10.0.0" not in told.text


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_health_is_told_without_a_log_in(tmp_path: Path, free_tcp_port: int) -> None:
    warmup = Warmup([])
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=1.0) as service,
    ):
        page = build_page(service, SHELF, warmup, journal, lambda files: [])
        try:
            accounts = Accounts(["ada:a long password"])
            url = launch_page(
                page, port=free_tcp_port, accounts=accounts, open_routes=HealthRoutes(journal, warmup).routes()
            )
            assert httpx.get(f"{url}health/live", trust_env=False).text == "ok\n"
            assert httpx.get(f"{url}health/ready", trust_env=False).json()["ready"]
            elsewhere = httpx.get(f"{url}health/ready", headers={"Host": "elsewhere.org"}, trust_env=False)
            assert elsewhere.status_code >= 400
            assert httpx.get(f"{url}health/other", trust_env=False).status_code == 404
        finally:
            page.close(verbose=False)
