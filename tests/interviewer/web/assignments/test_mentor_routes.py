"""The pages about assignments over HTTP, as each of the accounts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from interviewer.web.assignments import phrases
from interviewer.web.assignments.mentor_assignments import MentorAssignments
from interviewer.web.assignments.mentor_routes import AssignmentRoutes
from interviewer.web.mentor.phrases import NOT_THERE
from tests.interviewer.builders import Shelf, question
from tests.interviewer.web.mentor.group import Groups

HEADERS = {"X-Interviewer": "settings"}
SHELF = Shelf([question("leaves"), question("hooks", topic="hooks")])
ONE = "1" * 32
As = Callable[[str | None], TestClient]
WISH = {
    **{
        "title": "Leaves <b>",
        "group": "autumn",
        "agenda": "autograd, any, 5",
        "due": "2100-01-01T09:00",
        "zone": "UTC",
    },
    **{"level": "mid", "style": "neutral", "mode": "practice", "note": "", "tries": "", "candidates": []},
    **{"only_listed": True, "talks": True, "request": ONE},
}


@pytest.fixture
def as_(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[As]:
    from datetime import timedelta

    monkeypatch.setattr("interviewer.assignments.due_time._LONGEST", timedelta(days=365_000))
    groups = Groups(tmp_path / "shared", None)
    store = groups.store
    book = MentorAssignments(store, groups.accounts, groups.reader, SHELF.questions)
    routes = AssignmentRoutes(groups.accounts, book, SHELF.questions).routes()
    with TestClient(Starlette(routes=routes)) as client:

        def choose(name: str | None) -> TestClient:
            monkeypatch.setattr("interviewer.web.assignments.mentor_routes.present", lambda: name)
            return client

        yield choose
    store.close()


def test_it_is_given_shown_and_changed(as_: As) -> None:
    grace = as_("grace")
    assert phrases.NONE_YET in grace.get("/group/assignments").text
    form = grace.get("/group/assign")
    assert form.headers["cache-control"] == "no-store"
    assert 'value="hooks"' in form.text
    done = grace.post("/group/give", json=WISH, headers=HEADERS)
    assert (done.status_code, done.json()) == (200, {"said": phrases.GIVEN, "to": f"assignment?id={ONE}"})
    listed = grace.get("/group/assignments").text
    assert "Leaves &lt;b&gt;" in listed
    assert "0 of 2" in listed
    shown = grace.get("/group/assignment", params={"id": ONE}).text
    assert "Fri, Jan 1, 2100, 9:00 AM (UTC)" in shown
    assert "about 9 minutes, 1 question" in shown
    for body, told in (
        ({"what": "close"}, phrases.CLOSED),
        ({"what": "extend", "due": "2100-01-02T09:00", "zone": "Europe/Berlin"}, phrases.EXTENDED),
        ({"what": "withdraw"}, phrases.WITHDRAWN),
    ):
        changed = grace.post("/group/change", json={"id": ONE, **body}, headers=HEADERS)
        assert (changed.status_code, changed.json()) == (200, {"said": told})
    gone = grace.get("/group/assignment", params={"id": ONE}).text
    assert phrases.IS_WITHDRAWN in gone
    assert 'id="change"' not in gone


def test_an_agenda_is_drawn_up(as_: As) -> None:
    asked = {**WISH, "role": "", "topics": "hooks", "minutes": "15"}
    drawn = as_("grace").post("/group/agenda", json=asked, headers=HEADERS).json()
    assert drawn["agenda"].startswith("hooks, concept, ")
    for changed in ({"minutes": "4"}, {"minutes": ""}, {"level": "intern"}, {"role": "pilot"}):
        assert as_("grace").post("/group/agenda", json={**asked, **changed}, headers=HEADERS).status_code == 400
    assert as_("ada").post("/group/agenda", json=asked, headers=HEADERS).json() == {"problem": NOT_THERE}


def test_a_misspelt_topic_or_role_is_refused_with_the_nearest(as_: As) -> None:
    grace = as_("grace")
    asked = {**WISH, "role": "", "topics": "", "minutes": "15"}
    for path, body, told in (
        ("/group/give", {**WISH, "agenda": "autogard, any, 5"}, "Did you mean autograd?"),
        ("/group/agenda", {**asked, "topics": "hoks"}, "Did you mean hooks?"),
        ("/group/agenda", {**asked, "role": "ML enginer"}, "Did you mean ML engineer"),
    ):
        refused = grace.post(path, json=body, headers=HEADERS)
        assert refused.status_code == 400
        assert told in refused.json()["problem"]


def test_others_find_nothing(as_: As) -> None:
    assert as_("grace").post("/group/give", json=WISH, headers=HEADERS).status_code == 200
    for who in ("alan", "joan", "ada", "eve", None):
        client = as_(who)
        mentor = who in {"alan", "joan"}
        for path in ("/group/assignments", "/group/assign"):
            found = client.get(path)
            assert (found.status_code == 200) == mentor
            assert "Leaves" not in found.text
        known = client.get("/group/assignment", params={"id": ONE})
        unknown = client.get("/group/assignment", params={"id": "2" * 32})
        assert (known.status_code, known.text) == (unknown.status_code, unknown.text) == (404, known.text)
        for path, body in (("/group/give", WISH), ("/group/change", {"id": ONE, "what": "withdraw"})):
            assert client.post(path, json=body, headers=HEADERS).status_code == 400
    assert "open" in as_("grace").get("/group/assignment", params={"id": ONE}).text


def test_only_the_pages_own_script_is_heard_and_what_it_did_not_send_is_refused(as_: As) -> None:
    grace = as_("grace")
    for headers, body in (
        ({}, WISH),
        (HEADERS, []),
        (HEADERS, {**WISH, "title": 3}),
        (HEADERS, {**WISH, "candidates": "ada"}),
        (HEADERS, {**WISH, "request": "short"}),
        (HEADERS, {**WISH, "candidates": [["ada"]]}),
    ):
        assert grace.post("/group/give", json=body, headers=headers).status_code == 400
    for body in ({}, {"id": ONE}, {"id": ONE, "what": "extend"}, {"id": [ONE], "what": "close"}):
        assert grace.post("/group/change", json=body, headers=HEADERS).status_code == 400
    assert grace.post("/group/change", json={"id": ONE, "what": "close"}).status_code == 400
    assert phrases.NONE_YET in grace.get("/group/assignments").text
