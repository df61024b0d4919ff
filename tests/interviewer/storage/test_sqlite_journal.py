"""The store of events, on a real disk."""

from __future__ import annotations

import resource
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from interviewer.session.events import AnswerGiven, HintGiven, InterviewEnded, InterviewStarted, QuestionAsked
from interviewer.session.journal import new_session_id
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from serving.errors import BadInputError, StorageError
from tests.interviewer.builders import at, question

STARTED = InterviewStarted(id="s", at=at(0), plan=Plan(length=2))
ASKED = QuestionAsked(id="q1", at=at(1), number=1, question=question("q"), said="What is q?")


def hint(name: str, when: float = 5.0, said: str = "Think.") -> HintGiven:
    return HintGiven(id=name, at=at(when), asked_id="q1", said=said)


def test_events_come_back_as_they_were_and_in_order(tmp_path: Path) -> None:
    with Journal(tmp_path / "sub" / "journal.db") as journal:
        assert journal.append("one", ASKED)
        assert journal.append("one", STARTED)
        assert journal.append("two", STARTED)
        assert journal.events("one") == (ASKED, STARTED)
        assert journal.events("none") == ()
    with Journal(tmp_path / "sub" / "journal.db") as again:
        assert again.events("one") == (ASKED, STARTED)


def test_an_id_is_stored_once_per_interview(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db") as journal:
        assert journal.append("one", hint("h"))
        assert not journal.append("one", hint("h", said="Another."))
        assert journal.append("two", hint("h"))
        assert journal.events("one") == (hint("h"),)


def test_interviews_are_listed_with_what_matters_latest_first(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db") as journal:
        assert journal.sessions() == ()
        for event in (STARTED, ASKED, AnswerGiven(id="a", at=at(2), asked_id="q1", text="x")):
            journal.append("old", event)
        journal.append("new", STARTED.model_copy(update={"at": at(10)}))
        journal.append("new", InterviewEnded(id="e", at=at(11.5), reason="completed"))
        new, old = journal.sessions()
        assert (old.id, old.started, old.last_activity) == ("old", at(0), at(2))
        assert (old.asked, old.ungraded, old.ended, old.plan) == (1, 1, False, STARTED.plan)
        assert (new.id, new.last_activity, new.asked, new.ungraded, new.ended) == (
            "new",
            at(11.5),
            0,
            0,
            True,
        )
        assert journal.last_at("old") == at(2)
        assert journal.last_at("none") is None


@pytest.mark.parametrize("sql", ["UPDATE events SET payload = '{}'", "DELETE FROM events"])
def test_the_file_itself_refuses_to_forget(tmp_path: Path, sql: str) -> None:
    path = tmp_path / "j.db"
    with Journal(path) as journal:
        journal.append("one", STARTED)
    with closing(sqlite3.connect(path)) as raw, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        raw.execute(sql)


def test_it_is_written_ahead_and_fully_synchronized(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db") as journal, journal._connection() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


def test_opening_again_runs_no_migration(tmp_path: Path) -> None:
    Journal(tmp_path / "j.db").close()
    code = (
        "import sys; from pathlib import Path; from interviewer.storage.sqlite_journal import Journal;"
        f"Journal(Path({str(tmp_path / 'j.db')!r})).close(); sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    path.write_bytes(b"This is a letter, not a database." * 100)
    with pytest.raises(StorageError, match=r"j\.db cannot be used: it is not a database of this program"):
        Journal(path)
    assert path.read_bytes().startswith(b"This is a letter")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="cannot be made"):
        Journal(tmp_path / "file" / "sub" / "j.db")


def test_an_event_of_a_newer_version_is_not_guessed_at_and_the_others_are_still_read(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with Journal(path) as journal:
        journal.append("one", STARTED)
        with closing(sqlite3.connect(path)) as raw:
            raw.execute(
                "INSERT INTO events (session_id, seq, event_id, type, at, payload) "
                "VALUES ('one', 2, 'x', 'sung', '2026', '{\"type\": \"sung\"}')"
            )
            raw.commit()
        stored = journal.read("one")
        assert stored.events == (STARTED,)
        assert [(one.number, one.type, one.changed) for one in stored.damaged] == [(2, "sung", False)]


def test_a_writer_waits_for_another_program_and_then_says_so(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with Journal(path, patience_s=0.1) as journal, closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="another program keeps it locked"):
            journal.append("one", STARTED)
        other.rollback()
        assert journal.append("one", STARTED)


def test_a_writer_that_waits_long_enough_gets_through(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with (
        Journal(path, patience_s=20) as journal,
        closing(sqlite3.connect(path, check_same_thread=False)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.3, other.rollback)
        release.start()
        before = time.monotonic()
        assert journal.append("one", STARTED)
        assert time.monotonic() - before > 0.1
        release.join()


_FILL = """
import resource, signal, sys
from pathlib import Path
from interviewer.storage.sqlite_journal import Journal
from serving.errors import StorageError
from tests.interviewer.storage.test_sqlite_journal import STARTED, hint

journal = Journal(Path(sys.argv[1]))
journal.append("one", STARTED)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
stored = 0
try:
    for number in range(1000):
        journal.append("one", hint(f"h{number}", said="x" * 5000))
        stored += 1
except StorageError as error:
    print(stored, error)
"""


def test_when_the_disk_refuses_nothing_is_half_written(tmp_path: Path) -> None:
    assert resource.RLIMIT_FSIZE is not None
    path = tmp_path / "j.db"
    done = subprocess.run([sys.executable, "-c", _FILL, str(path)], check=True, capture_output=True, text=True)
    stored, _, message = done.stdout.partition(" ")
    assert "cannot be used" in message
    assert int(stored) > 0
    with Journal(path) as journal:
        assert len(journal.events("one")) == 1 + int(stored)
        assert journal.append("one", hint("after"))


def test_a_full_disk_is_called_that(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db") as journal:
        journal.append("one", STARTED)
        with journal._connection() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            # The pool hands the same connection out again, so the limit holds for the next append.
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StorageError, match="the disk is full"):
            journal.append("one", hint("h", said="x" * 100_000))
        assert journal.events("one") == (STARTED,)


_APPEND = """
import sys
from pathlib import Path
from interviewer.storage.sqlite_journal import Journal
from tests.interviewer.storage.test_sqlite_journal import hint

journal = Journal(Path(sys.argv[1]), patience_s=60)
print(sum(journal.append("one", hint(f"h{number}")) for number in range(40)))
"""


def test_several_processes_open_a_new_file_and_append_at_once(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    writers = [
        subprocess.Popen([sys.executable, "-c", _APPEND, str(path)], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    stored = [int(writer.communicate(timeout=120)[0]) for writer in writers]
    assert sum(stored) == 40
    with Journal(path) as journal:
        assert sorted(event.id for event in journal.events("one")) == sorted(f"h{n}" for n in range(40))


def test_many_threads_take_turns_and_none_is_told_that_it_is_locked(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db", patience_s=0.0) as journal, ThreadPoolExecutor(12) as pool:
        assert all(pool.map(lambda number: journal.append(f"s{number % 12}", hint(f"h{number}")), range(120)))


def test_session_ids_cannot_be_guessed() -> None:
    ids = {new_session_id() for _ in range(100)}
    assert len(ids) == 100
    assert all(len(name) >= 20 for name in ids)


def test_a_damaged_interview_does_not_hide_the_others(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with Journal(path) as journal:
        journal.append("whole", STARTED)
        journal.append("late", STARTED)
        with closing(sqlite3.connect(path)) as raw:
            insert = "INSERT INTO events (session_id, seq, event_id, type, at, payload) VALUES (?, ?, ?, ?, ?, ?)"
            raw.execute(insert, ("torn", 1, "x", "interview_started", "2026-01-01T00:00:00+00:00", "{"))
            raw.execute(insert, ("late", 2, "y", "hint_given", "no time", "{}"))
            raw.commit()
        assert {summary.id: summary.damaged > 0 for summary in journal.sessions()}.items() >= {
            ("whole", False),
            ("torn", True),
        }
        assert journal.read("late").events == (STARTED,)
        assert [one.number for one in journal.read("late").damaged] == [2]


def test_half_a_character_in_an_id_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db") as journal:
        for read in (journal.events, journal.last_at):
            with pytest.raises(BadInputError, match="not text"):
                read("\ud800")
        assert journal.events("\U0001f600") == ()


def test_an_event_without_a_time_zone_is_not_guessed_at(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with Journal(path) as journal:
        journal.append("one", STARTED)
        with closing(sqlite3.connect(path)) as raw:
            columns = "session_id, seq, event_id, type, at, payload"
            without = "'two', 1, 'x', type, at, replace(payload, 'Z', '')"
            raw.execute(f"INSERT INTO events ({columns}) SELECT {without} FROM events")
            raw.commit()
        assert journal.events("two") == ()
        assert len(journal.read("two").damaged) == 1
        assert journal.events("one") == (STARTED,)
