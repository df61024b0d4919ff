"""What was damaged or changed on the disk is noticed, told and left out; the rest is still shown."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from interviewer.cli.main import main
from interviewer.engine.service import InterviewService
from interviewer.report.aggregate.earlier_scores import earlier_scores
from interviewer.report.analysis.findings import findings
from interviewer.report.render.html import render_html
from interviewer.report.render.json import render_json
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pdf.document import render_pdf
from interviewer.session.plan import Plan
from interviewer.storage.archive import export_all, import_all
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.view_state import name_of
from serving import paths
from serving.errors import StorageError
from tests.interviewer.builders import KeywordGrader, Shelf, question

BANK = [question(f"q{n}", text=f"What is thing {n}?") for n in range(1, 5)]

ENDED = "ended"
OPEN = "open"


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A journal with one interview that is over and one that is not."""
    path = tmp_path_factory.mktemp("held") / "journal.db"
    with Journal(path) as journal, conductor_on(journal) as service:
        for session in (ENDED, OPEN):
            service.start(Plan(length=3), session)
            service.answer(session, "It has alpha and beta.", f"{session}-1")
            service.advance(session)
            service.answer(session, "Nothing but gamma.", f"{session}-2")
            service.advance(session)
        service.end(ENDED, "end")
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()


@pytest.fixture
def path(home: Path, held: bytes) -> Iterator[Path]:
    """A copy of that journal, in a home of its own."""
    home.mkdir(exist_ok=True)
    paths.journal().write_bytes(held)
    return paths.journal()


def conductor_on(journal: Journal) -> InterviewService:
    return InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None)


def change(path: Path, sql: str, *values: object) -> None:
    """Write to the file behind the journal's back."""
    with closing(sqlite3.connect(path)) as raw:
        guard = raw.execute("SELECT sql FROM sqlite_master WHERE name = 'events_refuse_update'").fetchone()[0]
        raw.execute("DROP TRIGGER events_refuse_update")
        assert raw.execute(sql, values).rowcount == 1
        raw.execute(guard)
        raw.commit()


ANSWER = "WHERE session_id = ? AND type = 'answer_given' AND event_id LIKE '%-1'"
DAMAGE = {
    "a letter": f"UPDATE events SET payload = replace(payload, 'alpha', 'alphA') {ANSWER}",
    "no JSON": f"UPDATE events SET payload = substr(payload, 1, 40) {ANSWER}",
    "no text": f"UPDATE events SET payload = CAST(x'7bff00fe22' AS TEXT) {ANSWER}",
    "nothing": f"UPDATE events SET payload = '' {ANSWER}",
    "a number": f"UPDATE events SET payload = 7 {ANSWER}",
    "another kind": f"UPDATE events SET type = 'question_skipped' {ANSWER}",
    "another time": f"UPDATE events SET at = '2001-01-01T00:00:00.000000+00:00' {ANSWER}",
    "no time": f"UPDATE events SET at = 'long ago' {ANSWER}",
    "another name": f"UPDATE events SET event_id = 'another' {ANSWER}",
    "the beginning": "UPDATE events SET payload = 'x' WHERE session_id = ? AND type = 'interview_started'",
    "the kind of the beginning": "UPDATE events SET type = 'x' WHERE session_id = ? AND type = 'interview_started'",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_told_in_list_and_report_and_the_rest_is_still_shown(path: Path, damage: str) -> None:
    with Journal(path) as journal:
        whole = journal.events(ENDED)
    change(path, DAMAGE[damage], ENDED)
    with Journal(path) as journal, conductor_on(journal) as service:
        stored = journal.read(ENDED)
        assert [one.changed for one in stored.damaged] == [True]
        assert len(stored.events) == len(whole) - 1
        assert all(event in whole for event in stored.events)
        found = {one.id: one for one in journal.sessions()}
        assert {name: one.damaged for name, one in found.items()} == {ENDED: 1, OPEN: 0}
        assert name_of(found[ENDED], found[ENDED].started).endswith(", damaged")
        state = service.state(ENDED)
        report = findings(ENDED, state)
        assert report.damaged == 1
        assert len(report.questions) == len(state.asked) > 0
        sentence = "1 entry of this interview’s journal cannot be read"
        assert sentence in render_html(report)
        assert sentence in render_markdown(report)
        assert json.loads(render_json(report))["damaged"] == 1
        # What stands in other interviews is read as before, and the program starts.
        service.resume_all()
        earlier_scores(journal, OPEN)
        assert service.answer(OPEN, "alpha", "later").damaged == 0


def test_damage_that_comes_later_is_told_in_the_list_once_it_was_read(path: Path) -> None:
    with Journal(path) as journal:
        assert [one.damaged for one in journal.sessions()] == [0, 0]
        change(path, f"UPDATE events SET payload = 'x' {ANSWER}", ENDED)
        assert journal.read(ENDED).damaged
        assert {one.id: one.damaged for one in journal.sessions()} == {ENDED: 1, OPEN: 0}


def test_damage_that_nobody_has_read_yet_is_told_in_the_list_once_it_was_checked(path: Path) -> None:
    change(path, f"UPDATE events SET payload = 'x' {ANSWER}", ENDED)
    with Journal(path) as journal:
        # The first list reads no event, so it cannot know.
        assert [one.damaged for one in journal.sessions()] == [0, 0]
        assert {one.id: one.damaged for one in journal.sessions(checked=True)} == {ENDED: 1, OPEN: 0}
        assert {one.id: one.damaged for one in journal.sessions()} == {ENDED: 1, OPEN: 0}


def test_a_summary_that_is_damaged_itself_hides_no_interview_and_a_check_mends_what_is_shown(path: Path) -> None:
    with Journal(path) as journal:
        whole = journal.sessions()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("UPDATE summaries SET beginning = substr(beginning, 1, 40) WHERE session_id = ?", (ENDED,))
        raw.execute("UPDATE summaries SET first_at = CAST(x'ff' AS TEXT) WHERE session_id = ?", (OPEN,))
        raw.commit()
    with Journal(path) as journal:
        assert {one.id: one.damaged for one in journal.sessions()} == {ENDED: 1, OPEN: 0}
        assert journal.sessions(checked=True) == whole
        assert journal.sessions() == whole


def test_an_interview_that_is_whole_is_said_to_be_nothing_else(path: Path) -> None:
    with Journal(path) as journal, conductor_on(journal) as service:
        assert [one.damaged for one in journal.sessions()] == [0, 0]
        report = findings(ENDED, service.state(ENDED))
    assert report.damaged == 0
    assert "cannot be read" not in render_html(report) + render_markdown(report)
    assert render_pdf(report) != render_pdf(report.model_copy(update={"damaged": 1}))


@pytest.mark.parametrize("damage", DAMAGE)
def test_an_interview_that_is_damaged_does_not_go_on(path: Path, damage: str) -> None:
    change(path, DAMAGE[damage], OPEN)
    with Journal(path) as journal, conductor_on(journal) as service:
        before = journal.read(OPEN)
        for go_on in (
            lambda: service.answer(OPEN, "alpha", "later"),
            lambda: service.skip(OPEN, "skipped"),
            lambda: service.end(OPEN, "over"),
        ):
            with pytest.raises(StorageError, match="damaged in the journal and cannot go on"):
                go_on()
        assert journal.read(OPEN) == before
        assert service.start(Plan(length=3), "another") == "another"


def test_an_event_of_before_there_were_digests_is_taken_as_it_is(tmp_path: Path, path: Path) -> None:
    old = tmp_path / "old.db"
    with Journal(path) as journal:
        whole = journal.events(ENDED)
    with closing(sqlite3.connect(old)) as raw:
        raw.execute("ATTACH ? AS new", (str(path),))
        raw.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        raw.execute("INSERT INTO alembic_version VALUES ('0001')")
        raw.execute(
            "CREATE TABLE events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_id TEXT NOT NULL, "
            "type TEXT NOT NULL, at TEXT NOT NULL, payload TEXT NOT NULL, PRIMARY KEY (session_id, seq), "
            "UNIQUE (session_id, event_id))"
        )
        raw.execute("INSERT INTO events SELECT session_id, seq, event_id, type, at, payload FROM new.events")
        for verb in ("UPDATE", "DELETE"):
            raw.execute(
                f"CREATE TRIGGER events_refuse_{verb.lower()} BEFORE {verb} ON events "
                "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
            )
        raw.commit()
    with Journal(old) as journal, conductor_on(journal) as service:
        assert journal.read(ENDED).events == whole
        assert not journal.read(ENDED).damaged
        assert service.answer(OPEN, "alpha", "later").damaged == 0
        assert [one.damaged for one in journal.sessions()] == [0, 0]
    change(old, f"UPDATE events SET payload = substr(payload, 1, 40) {ANSWER}", ENDED)
    with Journal(old) as journal:
        assert [(one.type, one.changed) for one in journal.read(ENDED).damaged] == [("answer_given", False)]


def test_what_is_damaged_goes_out_apart_and_does_not_come_in_as_whole(path: Path, tmp_path: Path) -> None:
    change(path, DAMAGE["a letter"], ENDED)
    with Journal(path) as journal, Journal(tmp_path / "other.db") as other:
        whole = journal.read(ENDED).events
        done = export_all(journal, tmp_path / "documents", tmp_path / "all.zip")
        assert (done.sessions, done.damaged) == (2, 1)
        with zipfile.ZipFile(tmp_path / "all.zip") as archive:
            (row,) = map(json.loads, archive.read(f"damaged/{ENDED}.jsonl").splitlines())
        assert "alphA" in row["stored"]
        import_all(tmp_path / "all.zip", other, tmp_path)
        assert other.read(ENDED).events == whole
        assert not other.read(ENDED).damaged


def test_a_damaged_interview_is_repaired_by_deleting_it_and_importing_it_again(path: Path, tmp_path: Path) -> None:
    with Journal(path) as journal:
        whole = journal.read(ENDED)
        export_all(journal, tmp_path / "documents", tmp_path / "all.zip")
    change(path, DAMAGE["the beginning"], ENDED)
    with Journal(path) as journal:
        assert journal.delete(ENDED)
        import_all(tmp_path / "all.zip", journal, tmp_path)
        assert journal.read(ENDED) == whole


@pytest.mark.parametrize("damage", ["a letter", "the beginning", "the kind of the beginning"])
def test_commands_tell_it_and_can_delete_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], damage: str
) -> None:
    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["app.py", *arguments])
        status = main()
        written = capsys.readouterr()
        return status, written.out, " ".join(written.err.split())

    change(path, DAMAGE[damage], ENDED)
    assert ", damaged" in run("sessions")[1]
    status, shown, told = run("report", ENDED, "--format", "md", "--view", "interviewer")
    assert status == 0
    assert "1 entry of this interview’s journal cannot be read" in shown
    assert "is damaged, or changed since it was written. It was left out" in told
    assert f"Interview {ENDED} is damaged: if your background" in run("data", "delete", "--background")[2]
    assert run("data", "delete", ENDED)[0] == 0
    assert ENDED not in run("sessions")[1]
    assert run("report", ENDED)[0] == 2


def test_deleting_everything_leaves_nothing_that_is_damaged(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    change(path, f"UPDATE events SET session_id = CAST(x'ff' AS TEXT) {ANSWER}", ENDED)
    with Journal(path) as journal:
        assert sorted(one.damaged for one in journal.sessions(checked=True)) == [0, 0, 1]
        # What was noticed is told from then on.
        assert sorted(one.damaged for one in journal.sessions()) == [0, 0, 1]
    monkeypatch.setattr("sys.argv", ["app.py", "data", "delete", "--all"])
    assert main() == 0
    capsys.readouterr()
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT count(*) FROM events").fetchone() == (0,)
        # Nor what the list was told of an interview whose events have another name by damage.
        assert raw.execute("SELECT count(*) FROM summaries").fetchone() == (0,)
