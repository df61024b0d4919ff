"""The study plan as cards and as dates: read back as Anki and a calendar would read them."""

from __future__ import annotations

import re
import sqlite3
import zipfile
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar

from interviewer.report.analysis.findings import findings
from interviewer.report.export.anki import anki_deck
from interviewer.report.export.icalendar import review_calendar
from interviewer.report.phrases import common
from interviewer.report.schema.findings import Findings
from interviewer.text import shortened, visible
from tests.interviewer.report.hostile import HOSTILE, hostile_plan
from tests.interviewer.report.sample_session import Telling, telling

REPORT = findings("s1", telling().state)


def notes(package: bytes, folder: Path) -> dict[str, tuple[str, str]]:
    """Front and back by guid, as they stand in the package's database."""
    with zipfile.ZipFile(BytesIO(package)) as archive:
        archive.extract("collection.anki2", folder)
    connection = sqlite3.connect(folder / "collection.anki2")
    try:
        rows = connection.execute("select guid, flds from notes order by id").fetchall()
        cards = connection.execute("select count(*) from cards").fetchone()[0]
    finally:
        connection.close()
    assert cards == len(rows)
    return {guid: tuple(fields.split("\x1f")) for guid, fields in rows}  # type: ignore[misc]


class Shown(HTMLParser):
    """What a field shows, and which tags it has."""

    def __init__(self, field: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.text = ""
        self.feed(field)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.text += "\n" if tag == "br" else ""
        assert attrs in ([], [("class", "label")])

    def handle_data(self, data: str) -> None:
        self.text += data


def test_each_point_is_a_card(tmp_path: Path) -> None:
    found = notes(anki_deck(REPORT), tmp_path)
    assert list(found) == [f"interview-{item.key}" for item in REPORT.study]
    front, back = found[f"interview-{REPORT.study[0].key}"]
    assert front == common.written(REPORT.study[0].prompt)
    assert "DistributedDataParallel" in front
    for told in (REPORT.study[0].say, REPORT.study[0].why, REPORT.study[0].misconception, "Distributed training › DDP"):
        assert told in Shown(back).text
    assert not re.search(r"\.md|, line \d", Shown(back).text)


def test_a_card_keeps_its_identity_from_interview_to_interview(tmp_path: Path) -> None:
    later = telling()
    later.self_assess("q1", "hook", "partial")  # type: ignore[arg-type]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first = notes(anki_deck(REPORT), tmp_path / "a")
    again = notes(anki_deck(findings("s2", later.state)), tmp_path / "b")
    assert set(first) == set(again)
    assert len(set(first)) == len(REPORT.study)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_only_text_on_a_card(name: str, tmp_path: Path) -> None:
    text = HOSTILE[name]
    ((front, back),) = notes(anki_deck(hostile_plan(text)), tmp_path).values()
    for field in (front, back):
        assert Shown(field).tags <= {"p", "b", "br", "span"}
        assert not set("[]{}\\") & set(field)
    expected = visible(shortened(text if text.strip() else "?", 5_000))
    assert expected in Shown(back).text


def test_a_sound_a_field_and_a_formula_are_only_text(tmp_path: Path) -> None:
    text = "[sound:a.mp3] {{Back}} {{c1::x}} \\(x\\) [latex]y[/latex] <anki-mathjax>z</anki-mathjax>"
    ((front, _),) = notes(anki_deck(hostile_plan(text)), tmp_path).values()
    assert Shown(front).text == text
    assert Shown(front).tags == set()


def test_without_misses_both_are_empty_and_readable(tmp_path: Path) -> None:
    nothing = findings("s1", Telling().state)
    assert notes(anki_deck(nothing), tmp_path) == {}
    assert Calendar.from_ical(review_calendar(nothing)).walk("VEVENT") == []


def test_each_review_day_is_one_event() -> None:
    events = Calendar.from_ical(review_calendar(REPORT)).walk("VEVENT")
    days = sorted({item.review_on for item in REPORT.study})
    assert [event.decoded("dtstart") for event in events] == days
    assert len({event["uid"] for event in events}) == len(days)
    assert str(events[0]["summary"]) == "Interview review: 4 points"
    for item in REPORT.study[:4]:
        assert item.say in str(events[0]["description"])


def test_an_event_keeps_its_identity() -> None:
    assert review_calendar(REPORT) == review_calendar(findings("s1", telling().state))
    other = Calendar.from_ical(review_calendar(findings("s2", telling().state))).walk("VEVENT")
    assert {e["uid"] for e in other}.isdisjoint(e["uid"] for e in _events(REPORT))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_only_text_in_a_calendar(name: str) -> None:
    found = hostile_plan(f"{HOSTILE[name]}\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:x\r\nATTACH:http://evil.example")
    (event,) = _events(found)
    assert set(event) == {"UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY", "DESCRIPTION", "TRANSP"}


def _events(found: Findings) -> list[Any]:
    return list(Calendar.from_ical(review_calendar(found)).walk("VEVENT"))
