"""Answers that no page has graded: which interviews have some, and what workers make of them.

The database itself keeps the list, in the transaction that appends an answer or a mark: one row an interview, with the
account, the interview, and since when. So it holds whatever becomes of the page. While a page is there, most rows are
gone again within seconds.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

import sqlalchemy as sa

from interviewer.storage.jobs import JobQueue
from interviewer.storage.postgres_journal import PostgresJournal

JOB = "grade"
"""The name of the jobs."""

LEFT_S = 60.0
"""Seconds without a mark, and without another answer, until an interview is taken for left over by its page."""

TRIES = 3
"""Workers that may be killed over an interview until it is given up: one that it kills would kill all."""

_TABLE = sa.table(
    "left_over",
    sa.column("owner", sa.Text),
    sa.column("session_id", sa.Text),
    sa.column("since", sa.DateTime(timezone=True)),
    sa.column("tries", sa.Integer),
    sa.column("given_up", sa.Boolean),
)

# Two workers may look at the same moment: the second waits, and finds the jobs of the first.
_ALONE = sa.text(
    "SELECT pg_advisory_xact_lock(hashtextextended('torch-interviewer: looking for left-over answers', 0))"
)

_FOUND = sa.text(
    "SELECT owner, session_id FROM left_over WHERE NOT given_up AND since < now() - make_interval(secs => :seconds) "
    "AND NOT EXISTS (SELECT FROM procrastinate_jobs AS queued WHERE queued.task_name = :job "
    "AND queued.status IN ('todo', 'doing') "
    "AND queued.args = jsonb_build_object('owner', left_over.owner, 'session', left_over.session_id)) "
    "ORDER BY owner, session_id"
)


def queue_left_over(journal: PostgresJournal, queue: JobQueue, seconds: float) -> int:
    """Queue a job for each interview, of whatever account, whose answers were left over and that has none yet.

    Args:
        journal: of the database, for no account.
        queue: where jobs go, in the same transaction.
        seconds: how long an answer has had no mark.

    Returns:
        How many jobs were queued.

    Raises:
        StorageError: the database refused; nothing was queued.

    """
    with journal.transaction() as connection, queue.joining(connection):
        connection.execute(_ALONE)
        connection.execute(sa.text("SET LOCAL interviewer.looks = 'yes'"))
        found = connection.execute(_FOUND, {"seconds": seconds, "job": JOB}).all()
        for owner, rows in groupby(found, key=itemgetter(0)):
            queue.put(connection, JOB, owner, [row[1] for row in rows])
    return len(found)


class LeftOver:
    """The left-over answers of an account.

    Args:
        journal: theirs.

    """

    def __init__(self, journal: PostgresJournal) -> None:
        self._journal = journal

    def begin(self, session: str) -> int:
        """Begin to grade what is left over of an interview.

        Returns:
            Which try it is since a try ended otherwise than by a kill; 0 where there is nothing to do: a page graded
            it meanwhile, it was given up, or deleted.

        Raises:
            StorageError: the database refused.

        """
        mine = sa.update(_TABLE).where(self._of(session), ~_TABLE.c.given_up)
        with self._journal.transaction() as connection:
            begun = mine.values(tries=_TABLE.c.tries + 1).returning(_TABLE.c.tries)
            return connection.execute(begun).scalar() or 0

    def put_off(self, session: str) -> None:
        """Note that it is tried again later, over something that passes.

        Raises:
            StorageError: the database refused.

        """
        self._note(session, tries=0)

    def give_up(self, session: str) -> None:
        """Note that a worker cannot grade what is left over, until there is another answer.

        Raises:
            StorageError: the database refused.

        """
        self._note(session, given_up=True)

    def _note(self, session: str, **values: int) -> None:
        with self._journal.transaction() as connection:
            connection.execute(sa.update(_TABLE).where(self._of(session)).values(values))

    def _of(self, session: str) -> sa.ColumnElement[bool]:
        return sa.and_(_TABLE.c.owner == self._journal.owner, _TABLE.c.session_id == session)
