"""What mentors give and see, and what candidates begin, in files and in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from interviewer.assignments.assignment import Status
from interviewer.assignments.progress import Stage
from interviewer.engine.service import InterviewService
from interviewer.planning.assigned import AssignmentWish
from interviewer.session.journal import new_session_id
from interviewer.web.assignments.candidate_assignments import CandidateAssignments
from interviewer.web.assignments.candidate_card import card_html
from interviewer.web.assignments.mentor_assignments import MentorAssignments
from interviewer.web.assignments.mentor_pages import assignment_page, list_page
from interviewer.web.controller import PageController
from serving.errors import BadInputError
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.interviewer.web.mentor.group import Groups

SHELF = Shelf([question("leaves", keywords=("leaf",))])
ONE = "1" * 32


def now() -> datetime:
    return datetime.now(UTC)


def wish(**changed: object) -> AssignmentWish:
    due = f"{now() + timedelta(days=2):%Y-%m-%d %H:%M}"
    made = AssignmentWish(title="Leaves", group="autumn", agenda="autograd, any, 5", due=due, zone="UTC", talks=False)
    return made._replace(**changed)  # type: ignore[arg-type]


class Assigned:
    """What a mentor gives and a candidate gets, on the same groups."""

    def __init__(self, groups: Groups) -> None:
        self.groups = groups
        self.store = groups.store
        self.given = MentorAssignments(self.store, groups.accounts, groups.reader, SHELF.questions)
        self.assigned = CandidateAssignments(self.store, groups.accounts)

    def begin(self, name: str, *, end: bool = False, answer: bool = False, assignment: str = ONE) -> str:
        session = new_session_id()
        with (
            self.groups.journal(name) as journal,
            InterviewService(journal, SHELF, KeywordGrader(), patience_s=None) as service,
        ):
            at = PageController(service, journal)
            for _ in range(2):
                state = self.assigned.begin(name, assignment, session, at, SHELF.questions())
            assert state.plan is not None
            assert state.plan.assignment == assignment
            if answer:
                service.answer(session, "A leaf keeps its own.", "answer")
            if end:
                service.end(session, "end")
        return session

    def card(self, name: str) -> str:
        with self.groups.journal(name) as journal:
            return card_html(self.assigned.given(name, journal, now()), self.assigned.readers(name), now())


@pytest.fixture
def made(groups: Groups) -> Iterator[Assigned]:
    assigned = Assigned(groups)
    yield assigned
    assigned.store.close()


def test_it_is_given_begun_done_and_followed(made: Assigned) -> None:
    made.given.give("grace", wish(tries="1", note="<b>Read</b>"), ONE, now())
    made.given.give("grace", wish(), ONE, now())  # the same request again
    (found,) = made.given.followed("grace", now())
    assert [(row.candidate, row.progress and row.progress.stage) for row in found.rows] == [
        ("ada", Stage.NOT_BEGUN),
        ("new", Stage.NOT_BEGUN),
    ]
    assert "You can start it 1 time." in made.card("ada")
    assert "&lt;b&gt;Read" in made.card("ada")
    assert made.card("ben") == made.card("grace") == made.card("eve") == ""
    session = made.begin("ada")
    with pytest.raises(BadInputError, match="in progress"):
        made.begin("ada")
    assert f"?session={session}" in made.card("ada")
    with (
        made.groups.journal("ada") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=None) as service,
    ):
        service.end(session, "end")
    with pytest.raises(BadInputError, match="You have begun 1 interview"):
        made.begin("ada")
    assert "Done or closed" in made.card("ada")
    assert "0 of 1 answered" in made.card("ada")
    row = made.given.one("grace", ONE, now()).rows[0]
    assert row.progress is not None
    assert (row.progress.stage, row.progress.late, [each.held.session for each in row.tries]) == (
        *(Stage.ENDED_EARLY, False),
        [session],
    )
    # Whatever becomes of the due time, both are told the same.
    assert made.given.one("grace", ONE, now() + timedelta(days=3)).rows[1].progress == (Stage.NOT_BEGUN, None, True)


def test_who_ended_early_is_told_so_until_they_are_done(made: Assigned) -> None:
    made.given.give("grace", wish(candidates=("ada",), agenda="autograd, any, 5"), ONE, now())
    made.begin("ada", end=True)
    assert "Ended early" in made.card("ada")
    assert "Start again" in made.card("ada")
    assert "Done or closed" not in made.card("ada")
    one = made.given.one("grace", ONE, now())
    assert "ended early, 0 of 1 answered" in assignment_page(one, now())
    assert "0 of 1, 1 ended early" in list_page([one], now())
    made.begin("ada", answer=True, end=True)
    one = made.given.one("grace", ONE, now())
    assert [(each.held.early, each.held.answered) for each in one.rows[0].tries] == [(True, 0), (False, 1)]
    assert "1 of 1 answered" in assignment_page(one, now())
    assert ">1 of 1</td>" in list_page([one], now())
    assert "Done or closed" in made.card("ada")


def test_what_is_changed_deletes_nothing_of_the_candidates(made: Assigned) -> None:
    made.given.give("grace", wish(candidates=("ada",)), ONE, now())
    session = made.begin("ada", end=True)
    assert made.given.close("grace", ONE).status is Status.CLOSED
    with pytest.raises(BadInputError, match="is closed"):
        made.begin("ada")
    later = f"{now() + timedelta(days=5):%Y-%m-%d 09:00}"
    assert made.given.extend("grace", ONE, later, "Asia/Tokyo", now()).zone == "Asia/Tokyo"
    made.begin("ada", end=True)
    made.given.withdraw("grace", ONE)
    assert made.card("ada") == ""
    with pytest.raises(BadInputError, match="no such assignment"):
        made.begin("ada")
    assert len(made.given.one("grace", ONE, now()).rows[0].tries) == 2
    with made.groups.journal("ada") as journal:
        assert journal.holds(session)


def test_others_give_read_and_change_nothing(made: Assigned) -> None:
    made.given.give("grace", wish(candidates=("ada",)), ONE, now())
    for who in ("alan", "joan", "ada", "eve", None):
        assert made.given.followed(who, now()) == ()
        for work in (
            lambda who=who: made.given.one(who, ONE, now()),
            lambda who=who: made.given.close(who, ONE),
            lambda who=who: made.given.withdraw(who, ONE),
            lambda who=who: made.given.extend(who, ONE, wish().due, "UTC", now()),
            lambda who=who: made.given.give(who, wish(), "2" * 32, now()),
        ):
            with pytest.raises(BadInputError):
                work()
    for who in ("new", "ben", "grace"):
        with pytest.raises(BadInputError, match="no such assignment"):
            made.begin(who)
    with pytest.raises(BadInputError, match="ben: not in the group autumn"):
        made.given.give("grace", wish(candidates=("ada", "ben")), "2" * 32, now())
    with pytest.raises(BadInputError, match="no such group"):
        made.given.give("grace", wish(group="spring"), "2" * 32, now())
    assert len(made.given.followed("grace", now())) == 1


def test_who_cannot_be_read_hides_nobody_else(made: Assigned) -> None:
    if made.groups.url is not None:
        pytest.skip("all are in one database")
    made.given.give("grace", wish(), ONE, now())
    (Path(made.groups.home) / "profiles" / "ada" / "journal.db").write_bytes(b"no database at all" * 100)
    rows = made.given.one("grace", ONE, now()).rows
    assert [(row.candidate, row.progress is None) for row in rows] == [("ada", True), ("new", False)]
