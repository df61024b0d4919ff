"""The command that does the jobs of a database that several machines share."""

from __future__ import annotations

import logging

from interviewer.cli.container import Container
from interviewer.cli.options import Database, JudgeUrl, LlmUrl, Model
from interviewer.cli.output import err

_LIBRARIES = ("procrastinate", "psycopg.pool")
"""What logs whatever it meets while the database is away; the worker says it itself, in a sentence."""


def worker(
    llm_url: LlmUrl = None,
    model: Model = None,
    judge_url: JudgeUrl = None,
    database: Database = None,
) -> None:
    """Do the jobs that wait in a PostgreSQL database, until told to stop; press Ctrl-C for that.

    It then finishes the job in hand. A job that a worker was killed over is done again by another.
    """
    from interviewer.cli.queued_regrading import regrading
    from interviewer.storage.jobs import JobQueue
    from interviewer.storage.postgres_journal import PostgresJournal
    from interviewer.storage.regrades import JOB

    def tell(sentence: str) -> None:
        err.print(sentence, markup=False, highlight=False, soft_wrap=True)

    url = database or ""
    queue = JobQueue(url)
    if not logging.getLogger().isEnabledFor(logging.INFO):
        for name in _LIBRARIES:
            logging.getLogger(name).setLevel(logging.CRITICAL)
    container = Container(llm_url, model, judge_url, linger_s=0.0)
    try:
        # Each job opens the journal of its account; this one keeps their connections in the meantime.
        with PostgresJournal(url):
            container.embedding_model()
            container.judge()
            tell("Taking jobs. Press Ctrl-C to stop after the job in hand.")
            queue.work({JOB: regrading(url, container.grader, tell)}, tell)
    finally:
        container.close()
