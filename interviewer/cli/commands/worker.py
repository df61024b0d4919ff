"""The command that does the jobs of a database that several machines share."""

from __future__ import annotations

import logging
from functools import cache, partial

from interviewer.cli.container import Container, claim_reader
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
    """Do the jobs of a PostgreSQL database, until told to stop; press Ctrl-C for that.

    It grades again what `regrade --all --queue` named, and grades answers that have had no mark for a minute. When told
    to stop, it finishes the job in hand. A job that a worker was killed over is done again by another.
    """
    from interviewer.cli.left_over_grading import grading
    from interviewer.cli.queued_regrading import regrading
    from interviewer.engine.answer_reader import AnswerReader
    from interviewer.storage import left_over, regrades
    from interviewer.storage.jobs import JobQueue
    from interviewer.storage.postgres_journal import PostgresJournal

    def tell(sentence: str) -> None:
        err.print(sentence, markup=False, highlight=False, soft_wrap=True)

    url = database or ""
    queue = JobQueue(url)
    if not logging.getLogger().isEnabledFor(logging.INFO):
        for name in _LIBRARIES:
            logging.getLogger(name).setLevel(logging.CRITICAL)
    container = Container(llm_url, model, judge_url, linger_s=0.0)

    @cache
    def reader() -> AnswerReader:
        claims = claim_reader(container, container.library())
        return AnswerReader(container.statement_encoder, claims)

    try:
        # Each job opens the journal of its account; this one keeps their connections in the meantime.
        with PostgresJournal(url) as journal:
            container.embedding_model()
            container.judge()
            kinds = {
                regrades.JOB: regrading(url, container.grader, tell),
                left_over.JOB: grading(url, container.grader, reader, tell),
            }
            tell("Taking jobs. Press Ctrl-C to stop after the job in hand.")
            queue.work(kinds, tell, [partial(left_over.queue_left_over, journal, queue, left_over.LEFT_S)])
    finally:
        container.close()
