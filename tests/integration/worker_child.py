"""A worker as ``app.py worker`` is one, but with a grader that needs no model and takes the seconds it is told to.

Run as ``python -m tests.integration.worker_child URL SECONDS SILENT_S``.
"""

from __future__ import annotations

import logging
import sys
import time

from interviewer.cli.queued_regrading import regrading
from interviewer.storage import jobs
from interviewer.storage.postgres_journal import PostgresJournal
from interviewer.storage.regrades import JOB
from tests.interviewer.builders import KeywordGrader


def tell(sentence: str) -> None:
    print(sentence, flush=True)


def main(url: str, seconds: str, silent: str) -> None:
    for library in ("procrastinate", "psycopg.pool"):
        logging.getLogger(library).setLevel(logging.CRITICAL)
    jobs.SILENT_S = float(silent)
    jobs.BEAT_S, jobs.LOOK_S, jobs.AWAY_S, jobs.AGAIN_S = jobs.SILENT_S / 6, 1, 0.5, 1
    queue = jobs.JobQueue(url)
    with PostgresJournal(url):
        tell("Taking jobs.")
        queue.work({JOB: regrading(url, KeywordGrader(lambda _: time.sleep(float(seconds))), tell)}, tell)


if __name__ == "__main__":
    main(*sys.argv[1:])
