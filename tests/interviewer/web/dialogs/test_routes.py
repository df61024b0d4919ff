from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from interviewer.engine.service import InterviewService
from interviewer.planning import candidate_background
from interviewer.planning.candidate_background import Background
from interviewer.storage import recordings, settings
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.controller import PageController
from interviewer.web.dialogs.routes import DialogRoutes
from interviewer.web.workspace import Workspace
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.report.hour import QUESTIONS, hour
from tests.interviewer.web.holding import SHELF, begin

HEADERS = {"X-Interviewer": "settings"}


class Voices:
    voices: ClassVar[Mapping[str, str]] = {"low": "Low", "high": "High"}
    keeps = False


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as made:
        yield made


@pytest.fixture
def place(journal: Journal, home: Path) -> Iterator[Workspace]:
    with InterviewService(journal, SHELF, KeywordGrader(), patience_s=5.0) as service:
        yield Workspace(PageController(service, journal), SHELF, lambda files: [])  # type: ignore[arg-type]


@pytest.fixture
def client(place: Workspace) -> Iterator[TestClient]:
    with TestClient(Starlette(routes=DialogRoutes(lambda: place, Voices()).routes())) as made:
        yield made


def change(client: TestClient, **chosen: Any) -> Any:
    return client.post("/settings/change", json=chosen, headers=HEADERS)


def chosen_in(form: str, name: str) -> str:
    select = re.search(rf'<select name="{name}">(.*?)</select>', form)
    assert select is not None
    found = re.findall(r'<option value="([^"]+)" selected>', select[1])
    assert len(found) == 1
    return str(found[0])


def test_settings_are_shown_with_their_present_values(client: TestClient, home: Path) -> None:
    form = client.get("/settings/form").text
    assert [chosen_in(form, name) for name in ("voice", "speed", "pause_s")] == ["low", "1", "2"]
    assert 'name="keep_recordings">' in form
    assert 'name="silence_steps" checked>' in form
    assert change(client, speed="1.3").json() == {"speed": 1.3}
    change(client, voice="high")
    change(client, pause_s="4")
    change(client, keep_recordings=True)
    change(client, silence_steps=False)
    form = client.get("/settings/form").text
    assert [chosen_in(form, name) for name in ("voice", "speed", "pause_s")] == ["high", "1.3", "4"]
    assert 'name="keep_recordings" checked>' in form
    assert 'name="silence_steps">' in form
    assert client.get("/settings").json() == {"speed": 1.3}
    assert settings.kept(home).voice == "high"


def test_a_page_of_somebody_else_changes_nothing(client: TestClient, home: Path) -> None:
    assert client.post("/settings/change", json={"speed": 1.3}).status_code == 403
    assert client.post("/settings/delete", json={"what": "interviews"}).status_code == 403
    assert client.post("/settings/change", content=b"{", headers=HEADERS).status_code == 403
    assert change(client, speed=99).status_code == 400
    assert change(client, home="/").json()["problem"].startswith("There is no setting")
    assert not (home / "settings.json").exists()


@pytest.mark.parametrize("what", ["everything", "", None, ["interviews"]])
def test_only_what_has_a_name_is_deleted(client: TestClient, place: Workspace, what: object) -> None:
    begin(place.controller)
    assert client.post("/settings/delete", json={"what": what}, headers=HEADERS).status_code == 400
    assert len(place.controller.past.all()) == 1


def test_what_is_kept_is_told_and_can_be_deleted(client: TestClient, place: Workspace, home: Path) -> None:
    session, _ = begin(place.controller)
    recordings.keep(home, session, b"sound")
    candidate_background.keep(Background(topics=("autograd",), opening="Built <b>a</b> recommender"), home)
    form = client.get("/settings/form").text
    assert "1 interview:" in form
    assert "1 recording" in form
    assert "topics autograd; warm-up “Built &lt;b&gt;a&lt;/b&gt; recommender”" in form
    assert str(home) in form
    for what, said in (
        ("background", "deleted"),
        ("recordings", "1 recording deleted."),
        ("interviews", "1 interview"),
    ):
        told = client.post("/settings/delete", json={"what": what}, headers=HEADERS).json()
        assert said in told["said"]
    form = client.get("/settings/form").text
    assert form.count(" disabled>Delete") == 3
    assert place.controller.past.all() == []
    assert recordings.kept(home) == ()


def test_the_history_opens_reports_and_resumes(client: TestClient, place: Workspace, journal: Journal) -> None:
    assert "After your first interview" in client.get("/history").text
    running, _ = begin(place.controller)
    for name in ("first", "second"):
        for event in hour({key: QUESTIONS[key] for key in list(QUESTIONS)[:4]}).events:
            journal.append(name, event)
    shown = client.get("/history").text
    assert re.search(rf'href="\?session={running}" aria-label="Resume:', shown)
    assert re.search(r'href="\?session=first" aria-label="Open the report:', shown)
    assert re.search(r"<b>[A-Z][a-z :;,0-9]* level[^<]*\.</b>", shown)
    assert "2 practice interviews at mid level" in shown
    assert shown.count("<circle") >= 2
    assert "likely" in shown


def test_the_history_reads_each_interview_once(
    client: TestClient, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first", "second"):
        for event in hour({key: QUESTIONS[key] for key in list(QUESTIONS)[:2]}).events:
            journal.append(name, event)
    read: list[str] = []
    events = journal.events

    def counted(session_id: str, *given: Any, **named: Any) -> Any:
        read.append(session_id)
        return events(session_id, *given, **named)

    monkeypatch.setattr(journal, "events", counted)
    assert "2 practice interviews" in client.get("/history").text
    assert sorted(read) == ["first", "second"]
