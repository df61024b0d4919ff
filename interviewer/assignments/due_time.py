"""When an assignment is due: read as a mentor writes it, and told in their time zone. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from interviewer.text import clock, count
from serving.errors import BadInputError

_FORM = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2})?", re.ASCII)
_LONGEST = timedelta(days=730)
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


def read_due(text: str, zone: str, now: datetime) -> datetime:
    """When something is due.

    Args:
        text: date and time, such as ``2026-12-04 18:00``; a ``T`` may stand between them.
        zone: the time zone in which it is meant, such as ``Europe/Berlin``.
        now: the present time.

    Returns:
        The time in UTC.

    Raises:
        BadInputError: it is no such time, no time zone, over, or more than two years away.

    """
    found = _FORM.fullmatch(text.strip())
    try:
        local = datetime.fromisoformat(f"{found[1]}T{found[2]}") if found else None
    except ValueError:
        local = None
    if local is None:
        raise BadInputError(
            f"“{text.strip()[:40]}” is not a date and time.",
            hint="Write it like 2026-12-04 18:00.",
        )
    try:
        due = local.replace(tzinfo=zone_named(zone)).astimezone(UTC)
    except OverflowError:
        due = now
    if due <= now:
        raise BadInputError("That due time is over.", hint="Choose a later one.")
    if due - now > _LONGEST:
        raise BadInputError("That due time is more than two years away.", hint="Choose an earlier one.")
    return due


def zone_named(zone: str) -> ZoneInfo:
    """The time zone of that name.

    Raises:
        BadInputError: there is none.

    """
    try:
        return ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        raise BadInputError(
            f"“{zone[:40]}” is not a time zone.", hint="Name one such as Europe/Berlin, or UTC."
        ) from None


def time_told(at: datetime, zone: str) -> str:
    """A time in a time zone, which is named."""
    local = at.astimezone(zone_named(zone))
    return f"{local:%a}, {local:%b} {local.day}, {local.year}, {clock(local)} ({zone})"


def distance(at: datetime, now: datetime) -> str:
    """How far away a time is: in 2 days, 3 hours ago."""
    away = abs(at - now)
    if away >= 2 * _DAY:
        amount = count(away // _DAY, "day")
    elif away >= _HOUR:
        amount = count(away // _HOUR, "hour")
    else:
        amount = count(max(1, away // timedelta(minutes=1)), "minute")
    return f"in {amount}" if at > now else f"{amount} ago"
