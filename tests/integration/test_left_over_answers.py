"""What pages left over is graded by workers that are processes, on a real PostgreSQL, though one is killed over it."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable

from interviewer.session.events import AnswerGraded
from interviewer.storage.postgres_journal import PostgresJournal
from tests.integration.test_queued_regrading import Worker, left, start, store, until
from tests.postgres import PostgresServer

__all__ = ["start"]  # a fixture

OWNERS = ("", "ada", "ben")
SESSIONS = [f"s{number}" for number in range(4)]


def marks(url: str, owner: str, session: str) -> list[str]:
    with PostgresJournal(url, owner) as journal:
        return [event.answer_id for event in journal.events(session) if isinstance(event, AnswerGraded)]


def test_each_left_over_answer_is_marked_once_though_a_worker_is_killed_in_the_middle(
    postgres: PostgresServer, start: Callable[..., Worker]
) -> None:
    url = postgres.database()
    for owner in OWNERS:
        store(url, owner, SESSIONS, "alpha", "beta", "alpha beta")
    # Long, so that the moment is not missed on a busy machine.
    killed = start(url, 4.0, 0.5)
    named = killed.wait_for("Grading what was left over of").split(" interview ")[1].rstrip(".\n")
    session, _, owner = named.partition(" of ")
    # In the middle of an interview: its first mark is stored, its last is not.
    until(lambda: len(marks(url, owner, session)) == 1)
    killed.send(signal.SIGKILL)
    other = start(url, 0.0, 0.5)
    until(lambda: all(len(marks(url, each, one)) == 3 for each in OWNERS for one in SESSIONS))
    until(lambda: not left(postgres, url))
    assert other.send(signal.SIGTERM) == 0
    for each in OWNERS:
        for one in SESSIONS:
            assert sorted(marks(url, each, one)) == ["a0", "a1", "a2"]
    # The killed worker's interview is gone on with, and every other is done in one go.
    told = Counter(line.split()[1] for line in other.said if line.startswith("Graded"))
    assert told == {"3": len(OWNERS) * len(SESSIONS) - 1, "2": 1}
    assert not postgres.sql("SELECT FROM left_over", url.rpartition("/")[2])
