"""What opens the judge of an actor in tests: a grader that needs no model, and does what an answer says.

An answer with “slow FILE” in it writes the actor's process id into the file and waits until the file is gone; one with
“deadly” ends the actor; one with “nonsense” is one that no judge can grade.
"""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

from interviewer.cli.bulk.grading_actor import Judge, Opened
from rubric.grading.grader import GradeRequest
from serving.errors import ProtocolError, ServiceMissingError
from tests.interviewer.builders import KeywordGrader

OPENER = f"{__name__}:opened"


def opened(judge: Judge) -> Opened:
    """The grader; none for a model of the name “missing”."""
    if judge["model"] == "missing":
        raise ServiceMissingError("The judge is not there.")
    return Opened(KeywordGrader(_obey), 1)


def _obey(request: GradeRequest) -> None:
    if "deadly" in request.answer:
        os.kill(os.getpid(), signal.SIGKILL)
    if "nonsense" in request.answer:
        raise ProtocolError("The judge answered nonsense.")
    if slow := re.search(r"slow (\S+)", request.answer):
        marker = Path(slow[1])
        if not marker.exists():
            return
        marker.with_suffix(".pid").write_text(str(os.getpid()))
        while marker.exists():
            time.sleep(0.05)
