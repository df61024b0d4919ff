"""People who lose their page: what has to be in the database afterwards, and the same people in a small cluster."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from deploy import programs
from interviewer.session.events import AnswerGiven, AnswerGraded, Event
from interviewer.session.reducer import fold
from serving.errors import ServiceMissingError
from tests.benchmarks.bank_answers import read_bank_answers
from tests.chaos.cluster import Kill, told
from tests.chaos.people import Person, people, stored_wrongly, waits
from tests.interviewer.report.sample_session import telling
from tests.locations import ROOT


def someone() -> Person:
    """A person whose two answers were taken."""
    (person,) = people(read_bank_answers(), 1, 2)
    person.acknowledged |= {1, 2}
    return person


def stored(person: Person) -> list[Event]:
    """What a database has of them: a sample's events with their words, and marks after ten and after twenty seconds."""
    events = telling().events
    given = next(event for event in events if isinstance(event, AnswerGiven))
    mark = next(event for event in events if isinstance(event, AnswerGraded))
    made: list[Event] = []
    at = datetime(2026, 1, 1, tzinfo=UTC)
    for number in (1, 2):
        said = given.model_copy(update={"id": f"answer:{number}", "text": person.words(number), "at": at})
        late = at + timedelta(seconds=10 * number)
        made += [said, mark.model_copy(update={"id": f"mark:{number}", "answer_id": said.id, "at": late})]
    return made


def test_what_was_taken_and_is_stored_once_with_one_mark_is_right() -> None:
    person = someone()
    assert list(stored_wrongly(person, stored(person))) == []
    assert waits(stored(person)) == [10.0, 20.0]


def test_what_is_lost_doubled_or_mixed_up_is_found() -> None:
    person, (_, other) = someone(), people(read_bank_answers(), 2, 2)
    events = stored(person)
    assert any("stored 0 times" in each for each in stored_wrongly(person, events[2:]))
    assert any("stored 2 times" in each for each in stored_wrongly(person, [*events, events[0]]))
    assert any("2 marks" in each for each in stored_wrongly(person, [*events, events[1]]))
    assert any("0 marks" in each for each in stored_wrongly(person, events[:3]))
    assert any("words of others" in each for each in stored_wrongly(person, [*events, *stored(other)]))


def test_people_have_questions_of_their_own_and_say_what_nobody_else_says() -> None:
    some = people(read_bank_answers(), 6, 3)
    assert all(len({answer.question_id for answer in person.answers}) == 3 for person in some)
    said = [person.words(number) for person in some for number in (1, 2, 3)]
    assert len(set(said)) == len(said)
    plan = fold([some[0].started]).plan
    assert plan is not None
    assert plan.follow_ups == 0
    assert plan.question_ids == tuple(answer.question_id for answer in some[0].answers)


def test_the_tables_say_what_was_killed_and_how_long_people_waited() -> None:
    person = someone()
    person.outages += [1.0, 3.0]
    person.told.append("It did not work.")
    lines = list(told([Kill("page 1", 60.0, 0.4)], [person], {0: tuple(stored(person))}))
    assert "| page 1 | 60 | 0.4 |" in lines
    assert "2 times a person lost the page, and was back after 2.0 s (median), 3.0 s at most." in lines
    assert "Marks came after 15.0 s (median), 20.0 s at most; 0 after more than 60 s." in lines


@pytest.mark.full
@pytest.mark.timeout(3600)
def test_no_answer_is_lost_though_a_process_is_killed_every_half_minute() -> None:
    try:
        programs.check_programs()
    except ServiceMissingError as error:
        pytest.skip(str(error))
    options = ["--candidates", "6", "--questions", "4", "--think", "20", "40", "--every", "30", "--pace", "0.2"]
    command = [sys.executable, "-m", "tests.chaos.cluster", *options]
    held = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert held.returncode == 0, held.stdout.decode()
    assert b"0 things went wrong." in held.stdout
