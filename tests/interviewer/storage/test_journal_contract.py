"""What every journal keeps to, whatever stores it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from interviewer.session.events import HintGiven, InterviewStarted
from interviewer.session.journal import EventJournal
from interviewer.session.plan import Plan
from interviewer.storage import registry
from interviewer.storage.registry import JOURNALS, open_journal
from serving.errors import BadInputError
from tests.interviewer.builders import at

STARTED = InterviewStarted(id="s", at=at(0), plan=Plan(length=2))

URLS: Mapping[str, Callable[[Path], str]] = {"sqlite": lambda folder: f"sqlite:///{folder / 'journal.db'}"}
"""A URL of an empty journal in a folder, by scheme."""


@pytest.fixture(params=JOURNALS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return URLS[request.param](tmp_path)


@pytest.fixture
def journal(url: str) -> Iterator[EventJournal]:
    with open_journal(url) as made:
        yield made


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


def test_eight_writers_lose_nothing(journal: EventJournal, url: str) -> None:
    def write(writer: int) -> None:
        with open_journal(url) as mine:
            for number in range(writer * 10, writer * 10 + 10):
                assert mine.append("one", hint(number))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert {event.id for event in journal.events("one")} == {f"h{number}" for number in range(80)}


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
    opened: list[str] = []

    def small(rest: str) -> EventJournal:
        opened.append(rest)
        return open_journal(f"sqlite:///{tmp_path / 'small.db'}")

    monkeypatch.setattr(registry, "JOURNALS", {**JOURNALS, "small": small})
    with open_journal("small:///here") as journal:
        assert journal.append("one", STARTED)
    assert opened == ["here"]


def test_an_unknown_scheme_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="does not name a journal"):
        open_journal("paper:///desk")
