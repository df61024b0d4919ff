"""The study plan's review days as a calendar file (iCalendar, RFC 5545)."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from datetime import UTC, date, datetime, timedelta

from icalendar import Calendar, Event

from interviewer.report.schema.findings import Findings
from interviewer.report.schema.study import StudyItem
from interviewer.text import count, shortened, visible

_LONGEST = 300


def review_calendar(findings: Findings) -> bytes:
    """One all-day event for each day on which something is to be reviewed, with what it is.

    An event keeps its identity, so that a calendar which is imported again updates what is there.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//torch-interviewer//study plan//EN")
    calendar.add("version", "2.0")
    by_day: dict[date, list[StudyItem]] = defaultdict(list)
    for item in findings.study:
        by_day[item.review_on].append(item)
    made = findings.last or datetime(2000, 1, 1, tzinfo=UTC)
    for day in sorted(by_day):
        calendar.add_component(_event(findings.session_id, day, by_day[day], made))
    written: bytes = calendar.to_ical()
    return written


def _event(session_id: str, day: date, items: list[StudyItem], made: datetime) -> Event:
    event = Event()
    name = hashlib.sha256(f"{session_id}\0{day}".encode()).hexdigest()[:32]
    event.add("uid", f"{name}@torch-interviewer")
    event.add("dtstamp", made.astimezone(UTC))
    event.add("dtstart", day)
    event.add("dtend", day + timedelta(days=1))
    event.add("summary", f"Interview review: {count(len(items), 'point')}")
    event.add("description", "\n".join(f"- {_line(item.say)} ({_line(item.prompt)})" for item in items))
    event.add("transp", "TRANSPARENT")
    return event


def _line(text: str) -> str:
    return shortened(" ".join(visible(text).split()), _LONGEST)
