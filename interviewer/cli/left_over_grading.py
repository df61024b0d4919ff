"""Grading what pages left over, by the queue of a database: what a job of it does."""

from __future__ import annotations

import logging
from collections.abc import Callable

from interviewer.engine.answer_reader import AnswerReader
from interviewer.engine.grading_coordinator import grade_left_over
from interviewer.engine.grading_queue import PATIENCE_S, may_pass
from interviewer.engine.session_store import SessionStore
from interviewer.engine.steady_clock import SteadyClock
from interviewer.storage.jobs import Work
from interviewer.storage.left_over import JOB, TRIES, LeftOver
from interviewer.storage.postgres_journal import PostgresJournal
from interviewer.text import count
from rubric.grading.grader import Grader
from serving import metrics
from serving.errors import InterviewerError

log = logging.getLogger(__name__)


def grading(url: str, grader: Grader, reader: Callable[[], AnswerReader], tell: Callable[[str], None]) -> Work:
    """Makes what a job does: it grades the answers of one interview that have no mark.

    Args:
        url: the database of the interviews.
        grader: grades.
        reader: makes what reads the rest that a mark tells of an answer; called once there is one to read.
        tell: is told what is done, in sentences.

    """

    def work(owner: str, session: str) -> None:
        named = f"interview {session}" + (f" of {owner}" if owner else "")
        with PostgresJournal(url, owner) as journal:
            left = LeftOver(journal)
            tried = left.begin(session)
            if not tried:
                return
            if tried > TRIES:
                metrics.JOBS.labels(JOB, "given up").inc()
                left.give_up(session)
                tell(f"Gave up {named}: {TRIES} workers ended while they graded it.")
                return
            tell(f"Grading what was left over of {named}.")
            store = SessionStore(journal, SteadyClock())
            try:
                graded = grade_left_over(session, store, grader, reader(), PATIENCE_S)
            except InterviewerError as error:
                if may_pass(error):
                    metrics.JOBS.labels(JOB, "put off").inc()
                    left.put_off(session)
                    tell(f"Put off {named}: {error}")
                    raise
                metrics.JOBS.labels(JOB, "given up").inc()
                left.give_up(session)
                tell(f"Gave up {named}: {error}")
                return
            except Exception:
                metrics.JOBS.labels(JOB, "given up").inc()
                log.exception("grading what was left over of %s broke", named)
                left.give_up(session)
                return
            # What has no mark now cannot be given one by trying again.
            left.give_up(session)
            metrics.JOBS.labels(JOB, "done").inc()
            tell(f"Graded {count(graded, 'left-over answer')} of {named}.")

    return work
