"""What every journal keeps to, whatever stores it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from interviewer.session.events import AnswerGiven, HintGiven, InterviewEnded, InterviewStarted, QuestionAsked
from interviewer.session.journal import EventJournal
from interviewer.session.plan import Plan
from interviewer.storage import registry
from interviewer.storage.registry import JOURNALS, JournalBackend, open_journal, open_journal_of, open_journal_to_read
from interviewer.storage.sql_journal import SqlJournal
from serving.errors import BadInputError
from tests.interviewer.builders import at, question

STARTED = InterviewStarted(id="s", at=at(0), plan=Plan(length=2))
ASKED = QuestionAsked(id="q1", at=at(1), number=1, question=question("q"), said="What is q?")
ANSWER = AnswerGiven(id="a", at=at(2), asked_id="q1", text="x")


def hint(number: int) -> HintGiven:
    return HintGiven(id=f"h{number}", at=at(number), asked_id="q1", said="Think.")


def test_an_event_is_stored_once_and_comes_back_in_order(journal: EventJournal) -> None:
    assert journal.append("one", STARTED)
    assert journal.append("one", hint(1))
    assert not journal.append("one", hint(1).model_copy(update={"said": "Another."}))
    assert journal.events("one") == (STARTED, hint(1))
    assert journal.events("none") == ()


def test_events_are_read_from_a_place_on(journal: EventJournal) -> None:
    for number in range(1, 5):
        journal.append("one", hint(number))
    assert journal.events("one", since=3) == (hint(3), hint(4))
    assert journal.events("one", since=5) == ()


def test_another_process_sees_what_was_stored(journal: EventJournal, url: str) -> None:
    journal.append("one", STARTED)
    with open_journal(url) as other:
        assert other.events("one") == (STARTED,)
        assert [summary.id for summary in other.sessions()] == ["one"]
        assert other.last_at("one") == at(0)


def test_a_deleted_session_is_gone_and_its_neighbor_is_not(journal: EventJournal) -> None:
    journal.append("one", STARTED)
    journal.append("two", STARTED)
    assert journal.delete("one")
    assert not journal.delete("one")
    assert journal.events("one") == ()
    assert journal.events("two") == (STARTED,)


def test_a_list_is_that_of_now_whoever_wrote_meanwhile(journal: EventJournal, url: str) -> None:
    for name in ("one", "two", "three"):
        journal.append(name, STARTED)
    assert len(journal.sessions()) == 3
    with open_journal(url) as other:
        other.append("one", ASKED)
        other.append("one", ANSWER)
        other.delete("two")
        other.append("four", STARTED)
    journal.append("three", hint(9))
    assert [(one.id, one.asked, one.ungraded) for one in journal.sessions()] == [
        ("three", 0, 0),
        ("one", 1, 1),
        ("four", 0, 0),
    ]
    with open_journal(url) as fresh:
        assert fresh.sessions() == journal.sessions()
    journal.delete("three")
    journal.append("three", STARTED)
    journal.append("three", hint(3))
    assert {one.id: one.last_activity for one in journal.sessions()}["three"] == at(3)


def test_a_check_reads_only_what_is_new(journal: EventJournal, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    summarized = SqlJournal._summarized

    def noted(self: SqlJournal, connection: object, names: Sequence[bytes]) -> object:
        read.append(len(names))
        return summarized(self, connection, names)  # type: ignore[arg-type]

    monkeypatch.setattr(SqlJournal, "_summarized", noted)
    for name in ("one", "two", "three"):
        journal.append(name, STARTED)
    journal.sessions()
    assert read == []
    journal.sessions(checked=True)
    journal.sessions(checked=True)
    journal.append("two", hint(1))
    journal.sessions()
    journal.sessions(checked=True)
    assert read == [3, 1]


def test_eight_writers_lose_nothing(journal: EventJournal, url: str) -> None:
    def write(writer: int) -> None:
        with open_journal(url) as mine:
            for number in range(writer * 10, writer * 10 + 10):
                assert mine.append("one", hint(number))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    stored = [event.id for event in journal.events("one")]
    assert sorted(stored) == sorted(f"h{number}" for number in range(80))
    for writer in range(8):
        own = [f"h{number}" for number in range(writer * 10, writer * 10 + 10)]
        assert [name for name in stored if name in own] == own


def test_sessions_are_listed_the_latest_active_first_with_what_matters(journal: EventJournal) -> None:
    assert journal.sessions() == ()
    for event in (STARTED, ASKED, ANSWER):
        journal.append("old", event)
    journal.append("new", STARTED.model_copy(update={"at": at(10)}))
    journal.append("new", InterviewEnded(id="e", at=at(11.5), reason="completed"))
    new, old = journal.sessions()
    assert (old.id, old.started, old.last_activity, old.damaged) == ("old", at(0), at(2), 0)
    assert (old.asked, old.ungraded, old.ended, old.plan) == (1, 1, False, STARTED.plan)
    assert (new.id, new.last_activity, new.asked, new.ended) == ("new", at(11.5), 0, True)


def test_letters_of_every_script_come_back_and_count_as_whole(journal: EventJournal) -> None:
    said = "naïve 損失 \U0001f600 \\ \\x41 'quoted' \x00 \u2028"
    journal.append("one", STARTED)
    journal.append("one", hint(1).model_copy(update={"said": said}))
    stored = journal.read("one")
    assert stored.damaged == ()
    assert stored.events[1] == hint(1).model_copy(update={"said": said})
    assert [one.damaged for one in journal.sessions()] == [0]


def test_an_id_that_is_no_text_is_refused_with_a_sentence(journal: EventJournal) -> None:
    with pytest.raises(BadInputError, match="not text"):
        journal.events("\ud800")


def test_nobody_deletes_more_than_was_said(journal: EventJournal) -> None:
    journal.append("one", STARTED)
    journal.append("two", STARTED)
    assert journal.holds("one")
    assert journal.delete(None)
    assert not journal.holds("one")
    assert not journal.holds("two")
    assert not journal.delete(None)


def test_a_session_is_held_by_one_thread_which_may_hold_it_again(journal: EventJournal) -> None:
    order: list[str] = []

    def later() -> None:
        with journal.lock("one"):
            order.append("second")

    with ThreadPoolExecutor(1) as pool:
        with journal.lock("one"), journal.lock("one"):
            waiting = pool.submit(later)
            order.append("first")
        waiting.result()
    assert order == ["first", "second"]


def test_a_registered_journal_is_opened_by_its_scheme(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[tuple[str, str, bool]] = []

    def small(url: str, owner: str, reads_only: bool) -> EventJournal:
        opened.append((url, owner, reads_only))
        return open_journal(f"sqlite:///{tmp_path / 'small.db'}")

    backend = JournalBackend(small, "small://PLACE", many=True)
    monkeypatch.setattr(registry, "JOURNALS", {**JOURNALS, "small": backend})
    with open_journal("small://here/now") as journal:
        assert journal.append("one", STARTED)
    with open_journal_of(tmp_path / "profiles" / "ada", "small://here/now"):
        assert opened == [("small://here/now", "", False), ("small://here/now", "ada", False)]
    read = open_journal_to_read(tmp_path / "profiles" / "ada", "small://here/now")
    assert read is not None
    read.close()
    assert opened[2:] == [("small://here/now", "ada", True)]


def test_who_logs_in_has_a_file_of_their_own_where_the_database_is_one_persons(tmp_path: Path) -> None:
    (home := tmp_path / "profiles" / "ada").mkdir(parents=True)
    shared = f"sqlite:///{tmp_path / 'shared.db'}"
    for url in (None, shared):
        with open_journal_of(home, url) as journal:
            journal.append("one", STARTED)
    assert (home / "journal.db").is_file()
    assert not (tmp_path / "shared.db").exists()


@pytest.mark.parametrize(
    "url", ["paper:///desk", "sqlite:journal.db", "sqlite://journal.db", "postgres://ada:hush@host/x", "hush", ""]
)
def test_an_unknown_scheme_is_told_without_what_may_be_a_password(url: str) -> None:
    with pytest.raises(BadInputError, match="does not name a journal") as caught:
        open_journal(url)
    assert "hush" not in str(caught.value)
