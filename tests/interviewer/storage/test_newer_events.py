"""An interview that a newer version continued, with an event that this one does not know: it is left as it is."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from interviewer.cli.queued_regrading import regrading
from interviewer.engine.answer_reader import AnswerReader
from interviewer.engine.grading_coordinator import grade_left_over
from interviewer.engine.grading_queue import may_pass
from interviewer.engine.service import InterviewService
from interviewer.engine.session_store import SessionStore
from interviewer.engine.steady_clock import SteadyClock
from interviewer.session.events import EVENT
from interviewer.session.journal import EventJournal
from interviewer.session.plan import Plan
from interviewer.storage.archive import export_all
from interviewer.storage.postgres_journal import PostgresJournal
from interviewer.storage.regrades import JOB, Regrades
from interviewer.storage.sql_journal import DIGESTED, event_digest
from interviewer.web.view_state import name_of
from serving import paths
from serving.errors import NewerError
from tests.integration.commands import in_process
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.interviewer.storage.test_journal_contract import ANSWER, ASKED, STARTED
from tests.postgres import PostgresServer

BANK = [question(f"q{n}", text=f"What is thing {n}?") for n in range(1, 5)]
AT = "2026-01-01T00:00:09.000000+00:00"
Behind = Callable[[str], None]

UNKNOWN = {
    "another kind": {"id": "new", "at": AT, "type": "song_sung", "text": "la"},
    "another field": {"id": "new", "at": AT, "type": "question_closed", "asked_id": "q1", "why": "enough"},
}


def store(behind: Behind, event: dict[str, object], *, session: str, seq: int, many: bool) -> None:
    """Stores an event as a newer version does."""
    payload = json.dumps(event)
    row = dict(zip(DIGESTED, (session, event["id"], event["type"], event["at"], payload), strict=True))
    row |= {"digest": event_digest(*(str(value).encode() for value in row.values())), **({"owner": ""} if many else {})}
    values = ", ".join("'" + str(value).replace("'", "''") + "'" for value in row.values())
    behind(f"INSERT INTO events ({', '.join(row)}, seq) VALUES ({values}, {seq})")


@pytest.fixture(params=UNKNOWN)
def held(request: pytest.FixtureRequest, journal: EventJournal, behind: Behind, url: str) -> EventJournal:
    """A journal with such an interview, and one that a newer version began."""
    for event in (STARTED, ASKED, ANSWER):
        journal.append("one", event)
    many = url.startswith("postgresql")
    store(behind, UNKNOWN[request.param], session="one", seq=4, many=many)
    began = json.loads(EVENT.dump_json(STARTED))
    store(behind, {**began, "at": AT, "tempo": "slow"}, session="new", seq=1, many=many)
    return journal


def test_it_is_said_and_nothing_of_it_is_changed(held: EventJournal) -> None:
    before = held.read("one")
    assert [(one.number, one.newer) for one in before.damaged] == [(4, True)]
    assert before.newer
    with InterviewService(held, Shelf(BANK), KeywordGrader(), patience_s=None) as service:
        for go_on in (
            lambda: service.grade_due("one"),
            lambda: service.answer("one", "alpha", "later"),
            lambda: service.skip("one", "skipped"),
            lambda: service.end("one", "over"),
            lambda: service.advance("new"),
        ):
            with pytest.raises(NewerError, match="continued by a newer version of this program"):
                go_on()
        service.resume_all()
        assert service.start(Plan(length=3), "another") == "another"
    assert held.read("one") == before
    (newer,) = [one for one in held.sessions(checked=True) if one.id == "new"]
    assert (newer.newer, newer.damaged) == (True, 0)
    assert name_of(newer, newer.started).endswith(", of a newer version")


def test_commands_say_it_in_the_same_words(held: EventJournal, url: str, home: Path, tmp_path: Path) -> None:
    home.mkdir()
    listed = in_process("sessions", "--database", url)[1]
    assert [line.partition("  ")[0] for line in listed.splitlines() if "of a newer version" in line] == ["new"]
    assert "damaged" not in listed
    status, _, told = in_process("report", "new", "--database", url)
    assert status == 3
    assert "Interview new was continued by a newer version of this program" in " ".join(told.split())
    assert "unknown to this version of the program" in in_process("report", "one", "--database", url)[2]
    told = in_process("data", "delete", "--background", "--database", url)[2]
    assert "Interview new is of a newer version of this program: if your background" in " ".join(told.split())
    file = tmp_path / "all.zip"
    assert "2 entries are of a newer version of this program" in " ".join(
        in_process("data", "export", str(file), "--database", url)[2].split()
    )
    assert paths.home() == home


def test_what_goes_out_has_all_of_it_in_its_order(held: EventJournal, tmp_path: Path) -> None:
    done = export_all(held, tmp_path / "documents", tmp_path / "all.zip")
    assert (done.sessions, done.events, done.newer, done.damaged) == (2, 5, 2, 0)
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        ids = [json.loads(line)["id"] for line in archive.read("sessions/one.jsonl").splitlines()]
        assert not [name for name in archive.namelist() if name.startswith("damaged/")]
    assert ids == [STARTED.id, ASKED.id, ANSWER.id, "new"]


def test_a_worker_leaves_it_to_a_worker_of_that_version(held: EventJournal) -> None:
    grader = KeywordGrader()
    with pytest.raises(NewerError) as refused:
        grade_left_over("one", SessionStore(held, SteadyClock()), grader, AnswerReader(None), 0)
    assert may_pass(refused.value)
    assert not grader.requests


def test_a_worker_puts_off_grading_it_again(postgres: PostgresServer) -> None:
    url = postgres.database()
    name = url.rpartition("/")[2]
    with PostgresJournal(url) as journal:
        journal.append("one", STARTED)
        store(lambda sql: postgres.sql(sql, name) and None, UNKNOWN["another kind"], session="one", seq=2, many=True)
        postgres.sql("INSERT INTO regrades (owner, session_id) VALUES ('', 'one')", name)
        said: list[str] = []
        with pytest.raises(NewerError):
            regrading(url, KeywordGrader(), said.append)("", "one")
        assert "Put off interview one" in said[-1]
        assert Regrades(journal).standing().queued == 1, JOB
