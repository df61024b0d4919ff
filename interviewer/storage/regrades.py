"""What queued regrading made of the interviews of an account: one row an interview, which counts once.

A row is under row-level security like the interview that it is about, and is deleted with it. Whoever works on it may
be killed at any moment: a row that has no outcome yet is done again, and the first outcome stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sa

from interviewer.storage.jobs import JobQueue
from interviewer.storage.postgres_journal import PostgresJournal

JOB = "regrade"
"""The name of its jobs."""

TRIES = 3
"""Workers that may be killed over an interview until it is given up: one that it kills would kill all."""

_TABLE = sa.table(
    "regrades",
    sa.column("owner", sa.Text),
    sa.column("session_id", sa.Text),
    sa.column("job", sa.BigInteger),
    sa.column("begun_at", sa.DateTime),
    sa.column("tries", sa.Integer),
    sa.column("outcome", sa.Text),
    sa.column("failure", sa.Text),
)
_OPEN = sa.and_(_TABLE.c.outcome.is_(None), _TABLE.c.failure.is_(None))
"""Whether something is still to come of an interview."""

_STATE = sa.case(
    (_TABLE.c.failure.is_not(None), "failed"),
    (_TABLE.c.outcome.is_not(None), "done"),
    (_TABLE.c.begun_at.is_not(None), "at_work"),
    else_="queued",
).label("state")
"""A field of ``Standing``."""

_NEW = sa.text(
    "INSERT INTO regrades (owner, session_id) SELECT :owner, unnest(CAST(:ids AS text[])) ON CONFLICT DO NOTHING"
)

_WITHOUT_JOB = sa.text(
    "SELECT session_id FROM regrades WHERE owner = :owner AND outcome IS NULL AND failure IS NULL AND NOT EXISTS ("
    "SELECT FROM procrastinate_jobs AS queued WHERE queued.id = regrades.job AND queued.status IN ('todo', 'doing') "
    "AND queued.args = jsonb_build_object('owner', regrades.owner, 'session', regrades.session_id)) "
    "ORDER BY session_id FOR UPDATE"
)


class Standing(NamedTuple):
    """How far the regrading of an account's interviews is, in interviews.

    Attributes:
        queued: nobody works on them.
        at_work: a worker does, or was killed over them a moment ago.
        done: have an outcome.
        failed: cannot be graded again.

    """

    queued: int
    at_work: int
    done: int
    failed: int

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return not self.queued + self.at_work


class Regrades:
    """The regrading of an account's interviews.

    Args:
        journal: theirs.

    """

    def __init__(self, journal: PostgresJournal) -> None:
        self._journal = journal

    def put(self, sessions: Iterable[str], queue: JobQueue, *, again: bool = False) -> int:
        """Queue the regrading of interviews; of one that has an outcome, or waits for one, nothing is queued.

        What was lost is made up for: an interview without an outcome has a job in the queue afterwards.

        Args:
            sessions: ids of interviews.
            queue: where jobs go, in the same transaction.
            again: whether to forget all outcomes before.

        Returns:
            How many jobs were queued.

        Raises:
            StorageError: the database refused; nothing was queued.

        """
        owner = self._journal.owner
        with self._journal.transaction() as connection:
            if again:
                connection.execute(sa.delete(_TABLE).where(self._mine))
            connection.execute(_NEW, {"owner": owner, "ids": list(sessions)})
            with queue.joining(connection):
                due = list(connection.execute(_WITHOUT_JOB, {"owner": owner}).scalars())
                jobs = queue.put(connection, JOB, owner, due)
            for session, job in zip(due, jobs, strict=True):
                queued = sa.update(_TABLE).where(self._of(session)).values(job=job, begun_at=None, tries=0)
                connection.execute(queued)
        return len(due)

    def take(self, sessions: Iterable[str], *, again: bool = False) -> list[str]:
        """Have interviews graded again by whoever asks, without a job; those that workers have not ended either.

        Args:
            sessions: ids of interviews.
            again: whether to forget all outcomes before.

        Returns:
            Those that neither have an outcome nor were given up, whoever was to grade them.

        Raises:
            StorageError: the database refused; nothing was changed.

        """
        named = list(sessions)
        still = sa.select(_TABLE.c.session_id).where(self._mine, _OPEN)
        with self._journal.transaction() as connection:
            if again:
                connection.execute(sa.delete(_TABLE).where(self._mine))
            connection.execute(_NEW, {"owner": self._journal.owner, "ids": named})
            found = set(connection.execute(still).scalars())
        return [session for session in named if session in found]

    def standing(self) -> Standing:
        """How far it is.

        Raises:
            StorageError: the database refused.

        """
        query = sa.select(_STATE, sa.func.count()).where(self._mine).group_by(_STATE)
        with self._journal.transaction() as connection:
            found = {row[0]: row[1] for row in connection.execute(query)}
        return Standing(*(found.get(state, 0) for state in Standing._fields))

    def outcomes(self, sessions: Iterable[str] | None = None) -> dict[str, str]:
        """What came of each interview that is done, as it was kept, by the interview's id.

        Args:
            sessions: only these; all where left out.

        Raises:
            StorageError: the database refused.

        """
        return self._by_session(_TABLE.c.outcome, sessions)

    def failures(self, sessions: Iterable[str] | None = None) -> dict[str, str]:
        """Why an interview cannot be graded again, by its id.

        Args:
            sessions: only these; all where left out.

        Raises:
            StorageError: the database refused.

        """
        return self._by_session(_TABLE.c.failure, sessions)

    def begin(self, session: str) -> int:
        """Begin to grade an interview again.

        Returns:
            Which try it is since a try ended otherwise than by a kill; 0 where there is nothing to do: it was done
            meanwhile, or deleted.

        Raises:
            StorageError: the database refused.

        """
        begun = sa.update(_TABLE).where(self._of(session), _OPEN).returning(_TABLE.c.tries)
        values = {"begun_at": sa.func.now(), "tries": _TABLE.c.tries + 1}
        with self._journal.transaction() as connection:
            return connection.execute(begun.values(values)).scalar() or 0

    def keep(self, session: str, outcome: str) -> bool:
        """Keep what came of it.

        Returns:
            Whether it counts; ``False`` where another outcome came first, or the interview was deleted.

        Raises:
            StorageError: the database refused; nothing was kept.

        """
        return self._end(session, outcome=outcome)

    def give_up(self, session: str, why: str) -> None:
        """Note that an interview cannot be graded again.

        Raises:
            StorageError: the database refused.

        """
        self._end(session, failure=why)

    def put_off(self, session: str) -> None:
        """Note that it is tried again later, over something that passes.

        Raises:
            StorageError: the database refused.

        """
        self._end(session, begun_at=None, tries=0)

    def _end(self, session: str, **values: str | int | None) -> bool:
        ended = sa.update(_TABLE).where(self._of(session), _OPEN).values(values)
        with self._journal.transaction() as connection:
            return connection.execute(ended).rowcount == 1

    def _by_session(self, column: sa.ColumnElement[str], sessions: Iterable[str] | None) -> dict[str, str]:
        query = sa.select(_TABLE.c.session_id, column).where(self._mine, column.is_not(None))
        with self._journal.transaction() as connection:
            found = {row[0]: row[1] for row in connection.execute(query)}
        return found if sessions is None else {name: found[name] for name in sessions if name in found}

    @property
    def _mine(self) -> sa.ColumnElement[bool]:
        return _TABLE.c.owner == self._journal.owner

    def _of(self, session: str) -> sa.ColumnElement[bool]:
        return sa.and_(self._mine, _TABLE.c.session_id == session)
