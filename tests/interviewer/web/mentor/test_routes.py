"""The mentors' pages over HTTP, as each of the accounts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from interviewer.report.aggregate.comparison import Cell
from interviewer.session.journal import SessionSummary
from interviewer.session.plan import Plan
from interviewer.web.mentor import phrases
from interviewer.web.mentor.group_reader import GroupInterview, GroupList
from interviewer.web.mentor.pages import list_page
from interviewer.web.mentor.routes import MentorRoutes
from tests.interviewer.report.sample_session import START
from tests.interviewer.web.mentor.group import HIS, LIVE, OVER, SAID, Groups
from tests.interviewer.web.mentor.test_group_reader import first_point

HEADERS = {"X-Interviewer": "settings"}
As = Callable[[str | None], TestClient]


@pytest.fixture
def groups(tmp_path: Path, home: Path) -> Groups:
    made = Groups(tmp_path / "shared", None)
    made.fill()
    return made


@pytest.fixture
def as_(groups: Groups, monkeypatch: pytest.MonkeyPatch) -> Iterator[As]:
    with TestClient(Starlette(routes=MentorRoutes(groups.accounts, groups.reader).routes())) as client:

        def choose(name: str | None) -> TestClient:
            monkeypatch.setattr("interviewer.web.mentor.routes.present", lambda: name)
            return client

        yield choose


def wish(**changed: object) -> dict[str, object]:
    given = {"candidate": "ada", "session": OVER, "point": "1:c1", "verdict": "met", "reason": "So.", "request": "r"}
    return given | changed


def test_the_list_says_who_when_what_how_far_and_what_score(as_: As) -> None:
    page = as_("grace").get("/group")
    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-store"
    rows = re.findall(r'<tr role="row"><th scope="row".*?</tr>', page.text)
    assert len(rows) == 2
    over = next(row for row in rows if OVER in row)
    assert re.search(r"finished</td><td[^>]*>\d+, likely \d+ to \d+</td>", over)
    assert "in progress, question 1 of" in next(row for row in rows if LIVE in row)
    assert f'href="group/interview?candidate=ada&amp;session={OVER}"' in over


def test_the_list_names_the_time_zone() -> None:
    summary = SessionSummary(id=LIVE, started=START, last_activity=START, plan=Plan(), asked=1, ungraded=0, ended=False)
    found = GroupList((GroupInterview("ada", summary, Cell()),))
    for zone, told in (("Asia/Tokyo", "Mar 2, 2026, 6:30 PM (JST)"), ("UTC", "Mar 2, 2026, 9:30 AM (UTC)")):
        assert told in list_page(found, START.astimezone(ZoneInfo(zone)), has_candidates=True)


def test_an_interview_shows_all_that_was_said_and_no_command(as_: As) -> None:
    live = as_("grace").get("/group/interview", params={"candidate": "ada", "session": LIVE})
    assert SAID in live.text
    assert "<body data-due>" in live.text
    assert phrases.LIVE in live.text
    assert phrases.NOTHING_TO_OVERRIDE in live.text
    assert 'id="report-q1" open' in live.text
    over = as_("grace").get("/group/interview", params={"candidate": "ada", "session": OVER})
    assert "app.py" not in over.text
    assert "<body data-due>" not in over.text
    assert over.text.count("<optgroup") == 2


def test_others_find_nothing_and_are_not_told_what_there_is(as_: As, groups: Groups) -> None:
    for who in ("alan", "joan", "ada", "new", "eve", None):
        client = as_(who)
        listed = client.get("/group")
        assert (listed.status_code == 200) == (who in {"alan", "joan"})
        assert OVER not in listed.text
        assert LIVE not in listed.text
        known = client.get("/group/interview", params={"candidate": "ada", "session": OVER})
        unknown = client.get("/group/interview", params={"candidate": "zed", "session": "d" * 32})
        assert (known.status_code, known.text) == (unknown.status_code, unknown.text) == (404, known.text)
        refused = client.post("/group/override", json=wish(), headers=HEADERS)
        assert (refused.status_code, refused.json()) == (400, {"problem": phrases.NOT_THERE})
    with groups.journal("ada") as journal:
        assert not any(event.type == "mark_overridden" for event in journal.events(OVER))


def test_empty_groups_are_told_apart(as_: As) -> None:
    assert phrases.NO_CANDIDATES in as_("joan").get("/group").text
    assert HIS in as_("alan").get("/group").text


def test_an_override_is_stored_for_the_pages_own_script_only(as_: As, groups: Groups) -> None:
    point = first_point(groups.reader)
    client = as_("grace")
    for headers, body in (({}, wish(point=point)), (HEADERS, wish(point=3)), (HEADERS, {}), (HEADERS, [])):
        assert client.post("/group/override", json=body, headers=headers).status_code == 400
    # Whose name it is cannot be said.
    done = client.post("/group/override", json=wish(point=point, by="somebody"), headers=HEADERS)
    assert (done.status_code, done.json()) == (200, {"said": phrases.OVERRIDDEN})
    with groups.journal("ada") as journal:
        (event,) = [each for each in journal.events(OVER) if each.type == "mark_overridden"]
    assert (event.by, event.note) == ("grace", "So.")


def test_a_reader_that_cannot_be_asked_is_told_in_words(as_: As, groups: Groups) -> None:
    (groups.home / "profiles" / "ada" / "journal.db").write_bytes(b"no database at all" * 100)
    page = as_("grace").get("/group/interview", params={"candidate": "ada", "session": OVER})
    assert page.status_code == 503
    assert "The journal" in page.text
    assert "cannot be read at present" in as_("grace").get("/group").text
