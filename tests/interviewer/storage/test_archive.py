"""All data as one file, out and in again."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.storage import recordings
from interviewer.storage.archive import export_all, import_all
from interviewer.storage.sqlite_journal import Journal
from serving.errors import BadInputError
from tests.interviewer.builders import KeywordGrader, Shelf, question

BANK = [question("q1", text="What is a leaf tensor?"), question("q2", text="Why does momentum help?")]


def hold(journal: Journal) -> str:
    with InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None) as service:
        session = service.start(Plan(length=2))
        service.answer(session, "<b>alpha</b> \u202e beta", "a1")
        service.advance(session)
        service.end(session, "e1")
    return session


def test_what_went_out_comes_in_again_once(tmp_path: Path) -> None:
    documents, other = tmp_path / "documents", tmp_path / "other"
    documents.mkdir()
    other.mkdir()
    (documents / "mine.md").write_text("# What is a ship?\n", encoding="utf-8")
    with Journal(tmp_path / "a.db") as journal, Journal(tmp_path / "b.db") as second:
        sessions = {hold(journal), hold(journal)}
        done = export_all(journal, documents, tmp_path / "all.zip")
        assert (done.sessions, done.documents) == (2, ("mine.md",))
        taken = import_all(tmp_path / "all.zip", second, other)
        assert taken == done
        again = import_all(tmp_path / "all.zip", second, other)
        assert (again.sessions, again.events, again.documents) == (2, 0, ())
        for session in sessions:
            assert second.events(session) == journal.events(session)
        assert (other / "mine.md").read_text(encoding="utf-8") == "# What is a ship?\n"


def test_a_deleted_interview_is_gone_and_the_others_stay(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.db") as journal:
        first, second = hold(journal), hold(journal)
        assert journal.delete(first)
        assert not journal.delete(first)
        assert journal.events(first) == ()
        with closing(sqlite3.connect(tmp_path / "a.db")) as database, pytest.raises(sqlite3.IntegrityError):
            database.execute("DELETE FROM events")
        assert [summary.id for summary in journal.sessions()] == [second]


def write(path: Path, **files: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_DOT_", "."), content)
    return path


def test_what_is_none_of_ours_is_refused_and_nothing_is_stored(tmp_path: Path) -> None:
    text = tmp_path / "text.zip"
    text.write_text("no zip", encoding="utf-8")
    bad = [
        text,
        tmp_path / "missing.zip",
        write(tmp_path / "empty.zip"),
        write(tmp_path / "newer.zip", manifest_DOT_json=json.dumps({"format": 99})),
        write(
            tmp_path / "damaged.zip", manifest_DOT_json=json.dumps({"format": 1}), sessions__abc_DOT_jsonl='{"id": 1}\n'
        ),
    ]
    with Journal(tmp_path / "a.db") as journal:
        for path in bad:
            with pytest.raises(BadInputError):
                import_all(path, journal, tmp_path)
        assert journal.sessions() == ()


def test_no_file_is_written_outside_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "in" / "documents"
    folder.mkdir(parents=True)
    names = ("documents/../../out.md", "/documents/abs.md", "documents/sub/deep.md", "documents\\out.md")
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
        archive.writestr("manifest.json", json.dumps({"format": 1}))
        for name in names:
            archive.writestr(name, "x")
        archive.writestr("documents/good.md", "x")
    with Journal(tmp_path / "a.db") as journal:
        assert import_all(tmp_path / "bad.zip", journal, folder).documents == ("good.md",)
    assert sorted(path.name for path in tmp_path.rglob("*.md")) == ["good.md"]


def test_recordings_go_out_and_come_in_and_reach_nothing_outside(journal, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    session = "a/b"  # kept under a digest, under which it comes back
    name = recordings.keep(first, session, b"sound").name
    heard = [(path.parent.name, path.name, path.read_bytes()) for path in recordings.kept(first)]
    assert export_all(journal, first / "documents", tmp_path / "all.zip", heard).recordings == 1
    with zipfile.ZipFile(tmp_path / "all.zip", "a") as archive:
        for hostile in ("recordings/../0123456789abcdef.webm", f"recordings/{name}", "recordings/one/../../x.webm"):
            archive.writestr(hostile, b"hostile")
        archive.writestr("recordings/one/notes.txt", b"hostile")
    (second / "documents").mkdir(parents=True)
    taken = import_all(tmp_path / "all.zip", journal, second / "documents", second)
    assert [path.read_bytes() for path in recordings.kept(second, session)] == [b"sound"]
    assert {path.name for path in second.iterdir()} == {"documents", "recordings"}
    assert taken.recordings == len(recordings.kept(second))
    assert import_all(tmp_path / "all.zip", journal, second / "documents", second).recordings == 0
