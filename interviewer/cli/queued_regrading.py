"""Regrading by the queue of a database: what a job of it does, and what is told of all of them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from interviewer.engine.grading_queue import PATIENCE_S, grade_patiently, may_pass
from interviewer.report.analysis.regrade import Regrade, RegradedTerm, compare, due, term
from interviewer.session.journal import left_out_error
from interviewer.storage.jobs import Work
from interviewer.storage.postgres_journal import PostgresJournal
from interviewer.storage.regrades import JOB, TRIES, Regrades, Standing
from interviewer.text import count
from rubric.grading.grader import Grader
from serving import metrics
from serving.errors import InterviewerError

log = logging.getLogger(__name__)


def regrading(url: str, grader: Grader, tell: Callable[[str], None]) -> Work:
    """Makes what a job does: it grades one interview again and keeps the outcome.

    Args:
        url: the database of the interviews.
        grader: grades.
        tell: is told what is done, in sentences.

    """

    def work(owner: str, session: str) -> None:
        named = f"interview {session}" + (f" of {owner}" if owner else "")
        with PostgresJournal(url, owner) as journal:
            regrades = Regrades(journal)
            tried = regrades.begin(session)
            if not tried:
                return
            if tried > TRIES:
                metrics.JOBS.labels(JOB, "given up").inc()
                regrades.give_up(session, f"{TRIES} workers ended while they graded it.")
                tell(f"Gave up {named}: {TRIES} workers ended while they graded it.")
                return
            tell(f"Regrading {named}.")
            start = time.monotonic()
            try:
                outcome = _regraded(journal, session, grader)
            except InterviewerError as error:
                if may_pass(error):
                    metrics.JOBS.labels(JOB, "put off").inc()
                    regrades.put_off(session)
                    tell(f"Put off {named}: {error}")
                    raise
                metrics.JOBS.labels(JOB, "given up").inc()
                regrades.give_up(session, str(error))
                tell(f"Gave up {named}: {error}")
                return
            except Exception:
                metrics.JOBS.labels(JOB, "given up").inc()
                log.exception("regrading %s broke", named)
                regrades.give_up(session, "A fault of this program; the worker's log says where.")
                return
            counts = regrades.keep(session, outcome.model_dump_json())
            metrics.JOBS.labels(JOB, "done").inc()
            tell(
                f"Regraded {named}: {count(len(outcome.answers), 'answer')} in {time.monotonic() - start:.1f} s."
                + ("" if counts else " It was done or deleted meanwhile, so this does not count.")
            )

    return work


def told(standing: Standing) -> str:
    """How far it is, in a sentence."""
    failed = f", {standing.failed} failed" if standing.failed else ""
    return f"{standing.queued} queued, {standing.at_work} at work, {standing.done} done{failed}."


def outcome_of(regrades: Regrades) -> RegradedTerm:
    """All that is done, and what failed."""
    done = {session: Regrade.model_validate_json(each) for session, each in regrades.outcomes().items()}
    return term(done, regrades.failures())


def _regraded(journal: PostgresJournal, session: str, grader: Grader) -> Regrade:
    stored = journal.read(session)
    if stored.newer:
        # A worker of the newer version gives it the marks that it has to have.
        raise left_out_error(session, newer=True)
    events = stored.events
    grades = {each.answer_id: grade_patiently(grader, each.request, PATIENCE_S) for each in due(events)}
    return compare(events, grades)
