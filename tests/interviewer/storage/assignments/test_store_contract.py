"""What every store of assignments keeps to, in SQLite and in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from interviewer.assignments.assignment import Member, Status, closed, extended, withdrawn
from interviewer.assignments.store import AssignmentStore
from interviewer.storage.assignments.registry import open_assignments
from serving.errors import BadInputError, StorageError
from tests.interviewer.assignments.samples import ADA, ALAN, BEN, DUE, GRACE, NEW, NOBODY, NOW, assignment


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str | None:
    return request.getfixturevalue("postgres").database() if request.param == "postgresql" else None


@pytest.fixture
def store(url: str | None, tmp_path: Path) -> Iterator[AssignmentStore]:
    made = open_assignments(tmp_path, url)
    yield made
    made.close()


def test_it_comes_back_as_it_was_given_to_the_group_and_to_nobody_else(store: AssignmentStore) -> None:
    assert store.seen_by(ADA) == store.seen_by(GRACE) == ()
    one = assignment(note="Read the tutorial ✓ first.", tries=2)
    store.give(GRACE, one)
    assert store.seen_by(GRACE) == store.seen_by(ADA) == store.seen_by(NEW) == (one,)
    for other in (ALAN, BEN, NOBODY, Member("ada"), Member("ada", ("spring",)), Member("")):
        assert store.seen_by(other) == ()


def test_one_for_single_candidates_is_seen_by_these_and_the_groups_mentors(store: AssignmentStore) -> None:
    store.give(GRACE, assignment(candidates=("ada", "ä'\\da")))
    for who in (ADA, GRACE, Member("ä'\\da", ("autumn",)), Member("joan", ("autumn",), mentor=True)):
        assert len(store.seen_by(who)) == 1
    for who in (NEW, BEN, Member("ad", ("autumn",)), Member("ada", ("spring",))):
        assert store.seen_by(who) == ()


def test_the_latest_is_first_and_giving_twice_keeps_the_first(store: AssignmentStore) -> None:
    store.give(GRACE, assignment(1))
    store.give(GRACE, assignment(2, given=NOW + timedelta(hours=1)))
    store.give(GRACE, assignment(1, title="Another"))
    assert [(one.id[-1], one.title) for one in store.seen_by(ADA)] == [
        ("2", "Autograd basics"),
        ("1", "Autograd basics"),
    ]


def test_only_a_mentor_of_the_group_gives_and_changes(store: AssignmentStore) -> None:
    one = assignment()
    store.give(GRACE, one)
    for other in (ALAN, ADA, NOBODY, Member("grace", ("autumn",))):
        with pytest.raises(BadInputError):
            store.give(other, assignment(2))
        with pytest.raises(BadInputError, match="no such assignment"):
            store.change(other, one.id, withdrawn)
    with pytest.raises(BadInputError):
        store.change(GRACE, "0" * 32, closed)
    assert store.seen_by(GRACE) == (one,)


def test_a_change_of_nothing_before_anything_was_given_leaves_nothing_behind(store: AssignmentStore) -> None:
    with pytest.raises(BadInputError, match="no such assignment"):
        store.change(GRACE, assignment().id, closed)
    assert store.seen_by(GRACE) == ()
    store.give(GRACE, assignment())
    assert store.seen_by(ADA) == (assignment(),)


def test_another_group_may_have_one_of_the_same_id(store: AssignmentStore) -> None:
    store.give(GRACE, assignment())
    store.give(ALAN, assignment(group="spring", by="alan"))
    store.change(ALAN, assignment().id, closed)
    assert [one.status for one in (*store.seen_by(ADA), *store.seen_by(BEN))] == [Status.OPEN, Status.CLOSED]


def test_it_is_closed_extended_and_withdrawn_and_never_deleted(store: AssignmentStore) -> None:
    one = assignment()
    store.give(GRACE, one)
    assert store.change(GRACE, one.id, closed).status is Status.CLOSED
    later = store.change(GRACE, one.id, lambda it: extended(it, DUE + timedelta(days=1), "UTC"))
    assert (later.status, later.due, later.zone) == (Status.OPEN, DUE + timedelta(days=1), "UTC")
    assert store.seen_by(ADA) == (later,)
    gone = store.change(GRACE, one.id, withdrawn)
    assert store.seen_by(GRACE) == (gone,)
    with pytest.raises(BadInputError, match="was withdrawn"):
        store.change(GRACE, one.id, closed)
    assert store.seen_by(GRACE) == (gone,)


def test_changes_at_once_are_made_one_after_the_other(store: AssignmentStore, url: str | None, tmp_path: Path) -> None:
    one = assignment()
    store.give(GRACE, one)
    other = open_assignments(tmp_path, url)
    try:

        def later(where: AssignmentStore) -> None:
            for _ in range(5):
                where.change(GRACE, one.id, lambda it: it.model_copy(update={"due": it.due + timedelta(hours=1)}))

        with ThreadPoolExecutor(2) as both:
            list(both.map(later, (store, other)))
    finally:
        other.close()
    assert store.seen_by(ADA)[0].due == DUE + timedelta(hours=10)


def test_nothing_is_made_before_something_is_given_and_a_newer_file_is_refused(tmp_path: Path) -> None:
    import sqlite3

    file = tmp_path / "assignments.db"
    store = open_assignments(tmp_path / "profiles" / "ada")
    assert store.seen_by(ADA) == ()
    assert not file.exists()
    store.give(GRACE, assignment())
    store.close()
    with sqlite3.connect(file) as changed:
        changed.execute("PRAGMA user_version = 2")
    changed.close()
    again = open_assignments(tmp_path)
    with pytest.raises(StorageError, match="newer version"):
        again.seen_by(ADA)
    again.close()
    file.write_bytes(b"no database at all" * 100)
    broken = open_assignments(tmp_path)
    with pytest.raises(StorageError, match="not a database of this program"):
        broken.seen_by(ADA)
    broken.close()
