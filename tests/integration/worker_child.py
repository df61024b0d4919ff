"""A worker as ``app.py worker`` is one, but with a grader that needs no model and takes the seconds it is told to.

Run as ``python -m tests.integration.worker_child URL SECONDS SILENT_S LEFT_S [METRICS_PORT]``.
"""

from __future__ import annotations

import logging
import sys
import time
from functools import partial

from interviewer.cli.left_over_grading import grading
from interviewer.cli.observed import as_job, observed
from interviewer.cli.options import LogFormat
from interviewer.cli.queued_regrading import regrading
from interviewer.engine.answer_reader import AnswerReader
from interviewer.storage import jobs, left_over, regrades
from interviewer.storage.postgres_journal import PostgresJournal
from tests.interviewer.builders import KeywordGrader


def tell(sentence: str) -> None:
    print(sentence, flush=True)


def main(url: str, seconds: str, silent: str, left: str, metrics_port: str = "") -> None:
    seen = observed("worker", None, LogFormat.TEXT, int(metrics_port) if metrics_port else None, "127.0.0.1")
    for library in ("procrastinate", "psycopg.pool"):
        logging.getLogger(library).setLevel(logging.CRITICAL)
    jobs.SILENT_S = float(silent)
    jobs.BEAT_S, jobs.LOOK_S, jobs.AWAY_S, jobs.AGAIN_S = jobs.SILENT_S / 6, 1, 0.5, 1
    queue = jobs.JobQueue(url)
    grader = KeywordGrader(lambda _: time.sleep(float(seconds)))
    kinds = {
        regrades.JOB: as_job(regrades.JOB, regrading(url, grader, tell)),
        left_over.JOB: as_job(left_over.JOB, grading(url, grader, lambda: AnswerReader(None), tell)),
    }
    with PostgresJournal(url) as journal:
        tell("Taking jobs.")
        queue.work(kinds, tell, [partial(left_over.queue_left_over, journal, queue, float(left))])
    seen.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
