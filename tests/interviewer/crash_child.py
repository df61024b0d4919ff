"""Runs a scripted interview in a process of its own, for the tests that kill it.

Arguments: the journal, the interview's id, the file of answers, how long grading takes in seconds.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from interviewer.cli.scripted import read_answers, run_script
from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from tests.interviewer.builders import KeywordGrader, Shelf, question

BANK = [question(f"q{number}", topic=f"topic {number % 2}") for number in range(1, 6)]
PLAN = Plan(length=4, follow_ups=2, seed=7)

if __name__ == "__main__":
    path, session, answers, seconds = sys.argv[1:]
    grader = KeywordGrader(lambda request: time.sleep(float(seconds)))
    with (
        Journal(Path(path)) as journal,
        InterviewService(journal, Shelf(BANK), grader, patience_s=None) as service,
    ):
        service.resume_all()
        run_script(service, PLAN, read_answers(Path(answers)), session)
