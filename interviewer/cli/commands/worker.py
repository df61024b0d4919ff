"""The command that does the jobs of a database that several machines share."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing
from functools import cache, partial
from typing import Annotated

import typer

from interviewer.cli.container import Container, claim_reader
from interviewer.cli.observed import as_job, observed
from interviewer.cli.options import AsLogged, Database, JudgeUrl, LlmUrl, LogFormat, Model, TracesUrl
from interviewer.cli.output import err

_LIBRARIES = ("procrastinate", "psycopg.pool")
"""What logs whatever it meets while the database is away; the worker says it itself, in a sentence."""


def worker(
    llm_url: LlmUrl = None,
    model: Model = None,
    judge_url: JudgeUrl = None,
    database: Database = None,
    metrics_port: Annotated[
        int | None, typer.Option(help="Count jobs and how long they take for Prometheus, at this port.")
    ] = None,
    metrics_host: Annotated[str, typer.Option(help="Address of that port.")] = "127.0.0.1",
    traces_url: TracesUrl = None,
    log_format: AsLogged = LogFormat.TEXT,
) -> None:
    """Do the jobs of a PostgreSQL database, until told to stop; press Ctrl-C for that.

    It grades again what `regrade --all --queue` named, and grades answers that have had no mark for a minute. When told
    to stop, it finishes the job in hand. A job that a worker was killed over is done again by another.
    """
    with closing(observed("worker", traces_url, log_format, metrics_port, metrics_host)):
        _work(database or "", lambda: Container(llm_url, model, judge_url, linger_s=0.0))


def _work(url: str, contained: Callable[[], Container]) -> None:
    from interviewer.cli.left_over_grading import grading
    from interviewer.cli.queued_regrading import regrading
    from interviewer.engine.answer_reader import AnswerReader
    from interviewer.storage import left_over, regrades
    from interviewer.storage.jobs import JobQueue
    from interviewer.storage.postgres_journal import PostgresJournal

    def tell(sentence: str) -> None:
        err.print(sentence, markup=False, highlight=False, soft_wrap=True)

    queue = JobQueue(url)
    if not logging.getLogger().isEnabledFor(logging.INFO):
        for name in _LIBRARIES:
            logging.getLogger(name).setLevel(logging.CRITICAL)
    container = contained()

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
                regrades.JOB: as_job(regrades.JOB, regrading(url, container.grader, tell)),
                left_over.JOB: as_job(left_over.JOB, grading(url, container.grader, reader, tell)),
            }
            tell("Taking jobs. Press Ctrl-C to stop after the job in hand.")
            queue.work(kinds, tell, [partial(left_over.queue_left_over, journal, queue, left_over.LEFT_S)])
    finally:
        container.close()
