from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.controller import PageController
from interviewer.web.view_state import render
from interviewer.web.views.change_route import ChangeRoute
from interviewer.web.workspace import Workspace
from serving.errors import BadInputError, StorageError
from tests.interviewer.builders import KeywordGrader, Shelf, question

SHELF = Shelf([question("q0"), question("q1")])


@pytest.fixture
def place(tmp_path: Path) -> Iterator[tuple[Workspace, InterviewService]]:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=5.0) as service,
    ):
        yield Workspace(PageController(service, journal), SHELF, lambda files: []), service  # type: ignore[arg-type]


def test_what_a_page_shows_already_has_not_changed_and_anything_else_has(
    place: tuple[Workspace, InterviewService],
) -> None:
    workspace, service = place
    session = service.start(Plan(length=2))
    seen = render(service.state(session)).digest
    route = ChangeRoute(lambda: workspace)
    assert route.changed(session, seen) == {"changed": False, "trouble": ""}
    assert route.changed(session, "") == {"changed": True, "trouble": ""}
    service.end(session, "r1")
    assert route.changed(session, seen) == {"changed": True, "trouble": ""}


@pytest.mark.parametrize("error", [BadInputError("You <b>may</b> not."), StorageError("The disk is full.")])
def test_what_keeps_it_from_being_known_is_told_and_is_no_markup(error: Exception) -> None:
    def fails() -> Workspace:
        raise error

    with TestClient(Starlette(routes=ChangeRoute(fails).routes())) as client:
        told = client.get("/changed", params={"session": "a", "seen": "b"})
    assert told.status_code == 200
    assert told.json()["changed"] is False
    assert str(error).split()[0] in told.json()["trouble"]
    assert "<b>" not in told.json()["trouble"]
