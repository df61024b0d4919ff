"""How many interviews may be begun within 24 hours, by a real journal and a clock of our own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from interviewer.planning.daily_quota import DailyQuota
from interviewer.session.events import InterviewStarted
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from serving.errors import BadInputError
from tests.interviewer.builders import START


class Room:
    """A person with a quota of two, and the time."""

    def __init__(self, journal: Journal) -> None:
        self.journal, self.now = journal, START
        self.quota = DailyQuota(journal, 2, lambda: self.now)

    def begin(self, session: str, after: timedelta = timedelta()) -> None:
        self.now += after
        with self.quota.one_more(session):
            self.journal.append(session, InterviewStarted(id="s", at=self.now, plan=Plan()))


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with Journal(tmp_path / "journal.db") as journal:
        yield Room(journal)


@pytest.mark.parametrize(
    ("after", "wait"),
    [
        (timedelta(), "in 23 hours."),
        (timedelta(hours=21, minutes=58, seconds=30), "in 1 hour and 2 minutes."),
        (timedelta(hours=22), "in 1 hour."),
        (timedelta(hours=22, minutes=59, seconds=59), "in 1 minute."),
    ],
)
def test_one_too_many_is_told_when_it_may_begin(room: Room, after: timedelta, wait: str) -> None:
    room.begin("one")
    room.begin("two", timedelta(hours=1))
    with pytest.raises(BadInputError, match="begun 2 interviews within 24 hours") as refused:
        room.begin("three", after)
    assert refused.value.message.endswith(f"The next one can begin {wait}")
    assert not room.journal.holds("three")


def test_24_hours_after_the_first_there_is_one_more_and_only_one(room: Room) -> None:
    room.begin("one")
    room.begin("two", timedelta(hours=1))
    room.begin("three", timedelta(hours=23))
    with pytest.raises(BadInputError, match="in 1 hour"):
        room.begin("four")


def test_what_has_begun_may_go_on_and_what_could_not_begin_does_not_count(room: Room) -> None:
    room.begin("one")
    with pytest.raises(ZeroDivisionError), room.quota.one_more("broke"):
        raise ZeroDivisionError
    room.begin("two")
    room.begin("two")
    with room.quota.one_more("one"):
        pass


def test_who_deletes_an_interview_may_not_begin_another_for_it(room: Room) -> None:
    room.begin("one")
    room.begin("two")
    room.journal.delete(None)
    with pytest.raises(BadInputError, match="in 24 hours"):
        room.begin("three")
    room.begin("three", timedelta(hours=24))


def test_who_lowers_the_number_waits_until_fewer_are_left(room: Room) -> None:
    for session in ("one", "two"):
        room.begin(session, timedelta(hours=1))
    strict = DailyQuota(room.journal, 1, lambda: room.now)
    with (
        pytest.raises(BadInputError, match=r"begun 2 interviews within 24 hours; everybody may begin 1 .* in 24 hours"),
        strict.one_more("three"),
    ):
        pass
