"""Due times are read in a time zone, and told in it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from interviewer.assignments.due_time import distance, read_due, time_told
from serving.errors import BadInputError
from tests.interviewer.assignments.samples import NOW


@pytest.mark.parametrize(
    ("text", "zone", "hour"),
    [
        ("2026-03-06 18:00", "UTC", 18),
        ("2026-03-06T18:00", "Europe/Berlin", 17),
        (" 2026-03-06T18:00:00 ", "America/New_York", 23),
    ],
)
def test_a_due_time_is_read_in_its_zone(text: str, zone: str, hour: int) -> None:
    assert read_due(text, zone, NOW) == datetime(2026, 3, 6, hour, tzinfo=UTC)


def test_an_hour_that_the_clocks_skip_or_repeat_is_read_as_some_time_near_it() -> None:
    for text in ("2026-03-29 02:30", "2026-10-25 02:30"):
        due = read_due(text, "Europe/Berlin", NOW)
        assert abs(due - datetime.fromisoformat(f"{text}+01:00")) <= timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "zone", "told"),
    [
        ("tomorrow", "UTC", "not a date and time"),
        ("2026-02-30 10:00", "UTC", "not a date and time"),
        ("2026-03-06 25:00", "UTC", "not a date and time"),
        ("٢٠٢٦-03-06 10:00", "UTC", "not a date and time"),
        ("2026-03-06 10:00", "Mars/Olympus", "not a time zone"),
        ("2026-03-06 10:00", "../../etc/passwd", "not a time zone"),
        ("2026-03-06 10:00", "America", "not a time zone"),
        ("2026-03-06 10:00", "", "not a time zone"),
        ("2026-03-02 08:59", "UTC", "is over"),
        ("0001-01-01 00:00", "Asia/Tokyo", "is over"),
        ("9999-12-31 23:59", "UTC", "two years"),
    ],
)
def test_what_is_no_due_time_is_told(text: str, zone: str, told: str) -> None:
    with pytest.raises(BadInputError, match=told):
        read_due(text, zone, NOW)


def test_a_time_is_told_with_its_zone_and_how_far_away_it_is() -> None:
    due = datetime(2026, 3, 6, 17, tzinfo=UTC)
    assert time_told(due, "Europe/Berlin") == "Fri, Mar 6, 2026, 6:00 PM (Europe/Berlin)"
    assert distance(due, NOW) == "in 4 days"
    for away, told in (
        (timedelta(hours=47), "47 hours"),
        (timedelta(minutes=119), "1 hour"),
        (timedelta(minutes=59), "59 minutes"),
        (timedelta(seconds=5), "1 minute"),
    ):
        assert distance(NOW + away, NOW) == f"in {told}"
        assert distance(NOW - away, NOW) == f"{told} ago"
