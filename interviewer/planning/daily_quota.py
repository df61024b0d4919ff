"""How many interviews a person may begin within a day, where whoever serves the page says so."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from interviewer.session.journal import EventJournal
from interviewer.text import count
from serving.errors import BadInputError

DAY = timedelta(hours=24)
"""Any 24 hours, so that a day ends at no time that would have to be somebody's."""


def _now() -> datetime:
    return datetime.now(UTC)


class DailyQuota:
    """Lets a person begin so many interviews within 24 hours; safe to use from several threads.

    What counts stands in their journal. An interview that was begun here and then deleted counts too.

    Args:
        journal: theirs.
        most: how many.
        now: tells the time in UTC.

    """

    def __init__(self, journal: EventJournal, most: int, now: Callable[[], datetime] = _now) -> None:
        self._journal, self._most, self._now = journal, most, now
        self._begun: dict[str, datetime] = {}
        self._guard = threading.Lock()

    @contextmanager
    def one_more(self, session_id: str) -> Iterator[None]:
        """While this is open the interview may be begun; nobody else of theirs begins one meanwhile.

        Args:
            session_id: the interview's; where it has begun, it may go on whatever else has.

        Raises:
            BadInputError: it is one too many.
            StorageError: the journal cannot be read.

        """
        with self._guard:
            now = self._now()
            known = {one.id: one.started for one in self._journal.sessions()}
            recent = {name: at for name, at in (self._begun | known).items() if at > now - DAY}
            if session_id not in recent and len(recent) >= self._most:
                # The next one may begin once fewer than ``most`` are left.
                frees = sorted(recent.values())[-self._most] + DAY
                raise _used_up(len(recent), self._most, frees - now)
            yield
            self._begun = {**recent, session_id: recent.get(session_id, now)}


def _used_up(begun: int, most: int, wait: timedelta) -> BadInputError:
    hours, minutes = divmod(max(1, math.ceil(wait / timedelta(minutes=1))), 60)
    parts = [count(hours, "hour")] * bool(hours) + [count(minutes, "minute")] * bool(minutes)
    return BadInputError(
        f"You have begun {count(begun, 'interview')} within 24 hours; everybody may begin {most} on this page. "
        f"No other was begun now. The next one can begin in {' and '.join(parts)}.",
        hint="What you have begun goes on as before: interviews can be resumed, and reports read.",
    )
