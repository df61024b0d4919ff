"""The dialog of stories: listed, told by typing, shown against their questions, removed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from interviewer.engine.service import InterviewService
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.controller import PageController
from interviewer.web.dialogs.story_routes import StoryRoutes
from interviewer.web.workspace import Workspace
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.interviewer.stories.test_bank import AGAIN, FIRST, LEAK, OTHER, QUARREL
from tests.interviewer.web.holding import Gate, begin, until

SHELF = Shelf([LEAK, QUARREL, question("leaves", keywords=("leaf",))])
HEADERS = {"X-Interviewer": "settings"}


@pytest.fixture
def gate() -> Gate:
    opened = Gate()
    opened.open.set()
    return opened


@pytest.fixture
def place(tmp_path: Path, gate: Gate, home: Path) -> Iterator[Workspace]:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(gate), patience_s=0.0) as service,
    ):
        yield Workspace(PageController(service, journal), SHELF, lambda files: [])  # type: ignore[arg-type]
        gate.open.set()


@pytest.fixture
def client(place: Workspace) -> Iterator[TestClient]:
    with TestClient(Starlette(routes=StoryRoutes(lambda: place).routes())) as made:
        yield made


def request_of(client: TestClient) -> str:
    found = re.search(r'data-request="([0-9a-f]{32})"', client.get("/stories").text)
    assert found is not None
    return found[1]


def tell(client: TestClient, text: str, asked: str = "leak", request: str | None = None) -> Any:
    sent = {"question": asked, "text": text, "request": request or request_of(client)}
    return client.post("/stories/tell", json=sent, headers=HEADERS)


def marked(client: TestClient) -> str:
    until(lambda: "data-waiting" not in client.get("/stories/list").text)
    return client.get("/stories/list").text


def test_a_story_is_told_by_typing_and_shown_with_what_its_question_asks_for(client: TestClient) -> None:
    shown = client.get("/stories").text
    assert "No stories yet" in shown
    assert re.findall(r'<option value="(\w+)">', shown) == ["quarrel", "leak"]
    assert tell(client, FIRST).json()["said"] == "Story added."
    listed = marked(client)
    assert "<dt>Shows</dt><dd><ul><li>The answer names profiler.</li></ul></dd>" in listed
    assert "<dt>Missing</dt><dd><ul><li>The answer names alarm.</li></ul></dd>" in listed
    assert "1 version<" in listed
    tell(client, AGAIN)
    tell(client, OTHER, "quarrel")
    listed = marked(client)
    assert listed.count("data-story=") == 2
    assert "2 versions" in listed
    assert "New since the version before: The answer names alarm." in listed


def test_sent_twice_it_is_kept_once(client: TestClient, place: Workspace) -> None:
    request = request_of(client)
    for _ in range(2):
        assert tell(client, FIRST, request=request).status_code == 200
    assert len(place.controller.past.all()) == 1
    assert len(place.controller.stories.all()[0].tellings) == 1


def test_until_it_is_graded_it_says_so(client: TestClient, gate: Gate) -> None:
    gate.open.clear()
    tell(client, FIRST)
    listed = client.get("/stories/list").text
    assert "data-waiting" in listed
    assert "Being graded." in listed
    assert "<dt>" not in listed
    gate.open.set()
    assert "<dt>Missing</dt>" in marked(client)


def test_it_is_removed_and_its_interview_stays(client: TestClient, place: Workspace) -> None:
    tell(client, FIRST)
    (story,) = place.controller.stories.all()
    assert client.post("/stories/remove", json={"story": story.id}).status_code == 403
    told = client.post("/stories/remove", json={"story": story.id}, headers=HEADERS).json()
    assert told["said"].startswith("Story removed.")
    assert "No stories yet" in client.get("/stories/list").text
    assert len(place.controller.past.all()) == 1
    again = client.post("/stories/remove", json={"story": story.id}, headers=HEADERS)
    assert (again.status_code, "There is no story" in again.json()["problem"]) == (400, True)


@pytest.mark.parametrize(
    ("text", "asked", "request_id", "why"),
    [
        ("Too short.", "leak", None, "at least 25 words; this one has 2"),
        ("", "leak", None, "is empty"),
        (FIRST, "leaves", None, "no such behavioral question"),
        (FIRST, "nothing", None, "no such behavioral question"),
        (FIRST, "leak", "mine", "cannot be kept under this name"),
    ],
)
def test_what_is_no_story_is_told_and_not_kept(
    client: TestClient, place: Workspace, text: str, asked: str, request_id: str | None, why: str
) -> None:
    told = tell(client, text, asked, request_id)
    assert told.status_code == 400
    assert why in told.json()["problem"]
    assert place.controller.past.all() == []


def test_a_story_never_answers_another_interview(client: TestClient, place: Workspace) -> None:
    session, before = begin(place.controller)
    told = tell(client, FIRST, request=session)
    assert told.status_code == 400
    assert "Another interview has this name" in told.json()["problem"]
    assert place.controller.state(session) == before


def test_a_page_of_somebody_else_tells_nothing(client: TestClient, place: Workspace) -> None:
    sent = {"question": "leak", "text": FIRST, "request": request_of(client)}
    assert client.post("/stories/tell", json=sent).status_code == 403
    assert place.controller.past.all() == []


def test_words_stay_words(client: TestClient) -> None:
    tell(client, f"<script>alert(1)</script> ${{x}} {FIRST}")
    listed = marked(client)
    assert "<script>" not in listed
    assert "&lt;script&gt;" in listed
    assert "${" not in listed
