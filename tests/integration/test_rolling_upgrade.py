"""Pages of two versions on one real PostgreSQL: nothing is lost, and what only one of them knows is left alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.report.analysis.findings import findings
from interviewer.report.render.json import comparable
from interviewer.storage.sqlite_journal import Journal
from tests.integration.test_full_disk import BANK, steps
from tests.integration.versions import (
    AFTER_NEXT,
    COMPATIBLE,
    INCOMPATIBLE,
    NEXT,
    RunningVersion,
    newer_program,
)
from tests.interviewer.builders import KeywordGrader, Shelf
from tests.locations import ROOT
from tests.postgres import PostgresServer

Start = Callable[[Path, str], RunningVersion]
LEFT_ALONE = "was continued by a newer version of this program. This version does not know all of it"


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A version whose migration ours goes on with."""
    return newer_program(tmp_path_factory.mktemp("newer") / "program", COMPATIBLE)


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a version of the program."""
    with ExitStack() as stack:

        def begin(program: Path, url: str) -> RunningVersion:
            made = RunningVersion(program, url)
            stack.callback(made.close)
            return made

        yield begin


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """The report of an interview on one page, and in a file."""
    path = tmp_path_factory.mktemp("undisturbed") / "journal.db"
    with Journal(path) as journal, InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None) as service:
        for step in steps(lambda: service):
            step()
        return comparable(findings("one", service.state("one")))


def begin(page: RunningVersion, owner: str) -> None:
    """Begins an interview with an answer, and waits until its mark is stored: nothing comes on its own after that."""
    page.do("start", owner)
    page.do("answer", owner, number=0)
    page.do("advance", owner)


def go_on(*pages: RunningVersion, owner: str, done: int = 0) -> None:
    """Goes through the rest of an interview, each request at another one of the pages."""
    turns = itertools.cycle(pages)
    for number in itertools.count(done):
        if next(turns).do("advance", owner):
            return
        next(turns).do("answer", owner, number=number)


def test_two_versions_at_once_lose_nothing_and_their_reports_are_those_of_one(
    postgres: PostgresServer, start: Start, newer: Path, undisturbed: dict[str, object]
) -> None:
    url = postgres.database()
    name = url.rpartition("/")[2]
    old = start(ROOT, url)
    begin(old, "ada")
    # The new one comes, and changes the tables, while the old one writes.
    new = start(newer, url)
    owners = {old: ["ben", "carol"], new: ["dora", "emil"]}
    for page, theirs in owners.items():
        page.ask("hold_all", owners=theirs)
    assert [page.reply() for page in owners] == [{"told": None}] * 2
    assert postgres.sql("SELECT version_num FROM alembic_version", name) == [(NEXT,)]
    # Where old and new take turns; the old one was started again meanwhile, as one that had crashed.
    go_on(old, new, start(ROOT, url), owner="ada", done=1)
    for owner in ("ada", *owners[old], *owners[new]):
        for page in owners:
            assert page.do("outcome", owner) == undisturbed
    counted = postgres.sql(
        "SELECT owner, count(*), count(DISTINCT event_id), max(seq) FROM events GROUP BY owner", name
    )
    assert len(counted) == 5
    assert len({numbers for _, *rest in counted for numbers in rest}) == 1
    # Row-level security and summaries are kept up for both.
    assert old.do("stored", "frank") == new.do("stored", "frank") == []
    assert postgres.sql("SELECT count(*), sum(endings) FROM summaries", name) == [(5, 5)]


def test_what_only_the_newer_version_knows_is_left_alone_and_goes_on_there(
    postgres: PostgresServer, start: Start, newer: Path, undisturbed: dict[str, object], tmp_path: Path
) -> None:
    url, elsewhere = postgres.database(), postgres.database()
    old, new, other = start(ROOT, url), start(newer, url), start(newer, elsewhere)
    unknown = {
        "ada": {"kind": "FlagRaised", "why": "unsure"},
        "ben": {"kind": "NotesWritten", "text": "beta", "shared": True},
    }
    for owner, event in unknown.items():
        file = str(tmp_path / f"{owner}.zip")
        begin(old, owner)
        assert new.do("append", owner, **event)
        before = new.do("stored", owner)
        assert LEFT_ALONE in old.refusal("advance", owner)
        assert LEFT_ALONE in old.refusal("answer", owner, number=1)
        assert new.do("stored", owner) == before
        # What it knows goes on, of the same person too.
        old.do("start", owner, session="two")
        old.do("answer", owner, session="two", number=0)
        # A file that the old one writes has all of it, for the new one.
        assert old.do("export", owner, file=file) == 1
        assert "cannot be understood" in old.refusal("take", "carol", file=file)
        other.do("take", owner, file=file)
        assert other.do("stored", owner) == before
        for page in (new, other):
            go_on(page, owner=owner, done=1)
            assert {**page.do("outcome", owner), "notes": ""} == undisturbed


def test_a_change_that_the_old_version_cannot_use_stops_it_with_a_sentence_and_loses_nothing(
    postgres: PostgresServer, start: Start, tmp_path: Path, undisturbed: dict[str, object]
) -> None:
    url = postgres.database()
    old = start(ROOT, url)
    begin(old, "ada")
    before = old.do("stored", "ada")
    new = start(newer_program(tmp_path / "program", COMPATIBLE, INCOMPATIBLE), url)
    assert new.do("stored", "ada") == before
    told = "was changed by a newer version of this program, and this version cannot use it any more. Nothing is lost."
    assert told in old.refusal("answer", "ada", number=1)
    assert told in old.refusal("start", "ben")
    assert told in start(ROOT, url).refusal("stored", "ada")
    name = url.rpartition("/")[2]
    assert postgres.sql("SELECT compatible_from FROM compatibility", name) == [(AFTER_NEXT,)]
    assert new.do("stored", "ada") == before
    go_on(new, owner="ada", done=1)
    assert new.do("outcome", "ada") == undisturbed
