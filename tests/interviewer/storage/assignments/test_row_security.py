"""PostgreSQL itself shows assignments to their groups alone, and takes them from mentors of these alone."""

from __future__ import annotations

import json

import psycopg
import pytest
import sqlalchemy as sa

from interviewer.assignments.assignment import Member, withdrawn
from interviewer.storage.assignments.postgres import PostgresAssignments
from interviewer.storage.assignments.sql import SqlAssignments
from serving.errors import BadInputError
from tests.interviewer.assignments.samples import ADA, ALAN, BEN, GRACE, NEW, assignment
from tests.postgres import PostgresServer

SETTINGS = ("interviewer.owner", "interviewer.groups", "interviewer.mentor")
COUNT = b"SELECT count(*) FROM assignments"


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    made = postgres.database()
    store = PostgresAssignments(made)
    store.give(GRACE, assignment(1))
    store.give(GRACE, assignment(2, candidates=("ada",)))
    store.give(ALAN, assignment(3, group="spring", by="alan"))
    store.close()
    return made


def name(url: str) -> str:
    return url.rpartition("/")[2]


def seen(page: psycopg.Connection, values: tuple[str, ...]) -> int:
    with page.transaction():
        for key, value in zip(SETTINGS, values, strict=False):
            page.execute("SELECT set_config(%s, %s, true)", (key, value))
        found = page.execute(COUNT).fetchone()
    assert found is not None
    return int(found[0])


@pytest.mark.parametrize(
    ("values", "rows"),
    [
        ((), 0),
        (("=ada",), 0),
        (("=ada", "[]", "no"), 0),
        (("=ada", '["autumn"]', "no"), 2),
        (("=new", '["autumn"]', "no"), 1),
        (("=", '["autumn"]', "no"), 1),
        (("=grace", '["autumn"]', "yes"), 2),
        (("=ben", '["spring"]', "no"), 1),
        (("=ada", '["autumn "]', "yes"), 0),
        (("=alan", '["spring", "autumn"]', "yes"), 3),
        (("=alan", '"autumn"', "maybe"), 1),
    ],
)
def test_a_transaction_sees_what_its_account_and_groups_are_given(
    url: str, postgres: PostgresServer, values: tuple[str, ...], rows: int
) -> None:
    with psycopg.connect(postgres.url(name(url)), autocommit=True) as page:
        assert seen(page, values) == rows
        # The next one names nobody.
        assert page.execute(COUNT).fetchall() == [(0,)]


@pytest.mark.parametrize("values", [(), ("=ada", '["autumn"]', "no"), ("=alan", '["spring"]', "yes")])
def test_nobody_else_than_the_groups_mentors_writes_and_nobody_deletes(
    url: str, postgres: PostgresServer, values: tuple[str, ...]
) -> None:
    with psycopg.connect(postgres.url(name(url)), autocommit=True) as page, page.transaction():
        for key, value in zip(SETTINGS, values, strict=False):
            page.execute("SELECT set_config(%s, %s, true)", (key, value))
        assert page.execute(b"UPDATE assignments SET content = '' WHERE group_name = 'autumn'").rowcount == 0
        assert page.execute(b"DELETE FROM assignments").rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"), page.transaction():
            page.execute(b"INSERT INTO assignments VALUES ('autumn', 'x', '[]', '')")
    kept = postgres.sql("SELECT count(*) FROM assignments WHERE content <> ''", name(url))
    assert kept == [(3,)]


def test_a_mentor_moves_none_to_another_group(url: str, postgres: PostgresServer) -> None:
    with psycopg.connect(postgres.url(name(url)), autocommit=True) as page:
        refused = pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security")
        with refused, page.transaction():
            for key, value in zip(SETTINGS, ("=alan", json.dumps(["spring"]), "yes"), strict=True):
                page.execute("SELECT set_config(%s, %s, true)", (key, value))
            page.execute(b"UPDATE assignments SET group_name = 'autumn'")


def test_a_query_of_ours_that_forgets_the_group_finds_no_more(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SqlAssignments, "_of", lambda *_: sa.true())
    monkeypatch.setattr(SqlAssignments, "_may_see", lambda *_: True)
    store = PostgresAssignments(url)
    found = {who.name: sorted(one.id[-1] for one in store.seen_by(who)) for who in (ADA, NEW, BEN, GRACE, ALAN)}
    assert found == {"ada": ["1", "2"], "new": ["1"], "ben": ["3"], "grace": ["1", "2"], "alan": ["3"]}
    assert store.seen_by(Member("grace", ("winter",), mentor=True)) == ()
    with pytest.raises(BadInputError):
        store.change(ALAN, assignment(1).id, withdrawn)
    store.close()
