"""One of several apps on one home: ``python -m tests.integration.app_on_shared_home NAME INTERVIEWS SECONDS``.

Holds interviews of its own and takes part in those that all hold, with a model server of the folder that does nothing,
until both numbers are reached. Prints what was acknowledged and what went wrong as one JSON document.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from pathlib import Path

from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from serving import paths
from serving.errors import BadInputError, InterviewerError
from serving.llm import vllm_server
from serving.llm.server_state import answers
from serving.llm.vllm_server import VllmServer, judge_spec
from serving.machine import Machine, choose
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.serving.llm.test_orphans import SERVER

BANK = [question(f"q{n}", text=f"What is thing {n}?") for n in range(1, 6)]
ANSWERS = ("It has alpha.", "And beta.", "Nothing of it.", "alpha beta")
MACHINE = Machine(cores=(0, 1), memory=8 * 10**9, free_memory=4 * 10**9, free_disk=10**11, flags=("avx2",))


def started_mark(name: str) -> Path:
    """Says that an app has its server; before, a killed guardian would be a start that failed."""
    return paths.journal().with_name(f"{name}.started")


def killed_mark() -> Path:
    """Says that the guardian was killed; no app ends before."""
    return paths.journal().with_name("killed")


def hold(service: InterviewService, session: str, name: str) -> list[tuple[str, str]]:
    """Hold an interview to its end, whoever else does; returns the requests that were acknowledged."""
    acknowledged = []
    service.start(Plan(length=2), session)
    for number in itertools.count():
        if service.advance(session).ended is not None:
            return acknowledged
        request = f"{name}-{number}"
        try:
            service.answer(session, ANSWERS[number % len(ANSWERS)], request)
        except BadInputError:
            # Another app closed the question, or the interview, in between.
            continue
        acknowledged.append((session, request))
    return acknowledged


def main(name: str, interviews: int, seconds: float) -> int:
    """Hold interviews; the exit status."""
    vllm_server.arguments_for = lambda _, port, __: [sys.executable, "-c", SERVER, str(port)]
    server = VllmServer(judge_spec(Path("/no/model"), "digest"), choose(MACHINE), MACHINE)
    acknowledged: list[tuple[str, str]] = []
    errors: list[str] = []
    urls = [server.start().url]
    started_mark(name).touch()
    end = time.monotonic() + seconds
    with (
        Journal(paths.journal(), patience_s=60) as journal,
        InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None) as service,
    ):
        for number in itertools.count():
            if number >= interviews and time.monotonic() >= end and killed_mark().exists():
                break
            for session in (f"{name}-{number}", f"shared-{number}"):
                try:
                    acknowledged += hold(service, session, name)
                except InterviewerError as error:
                    errors.append(f"{session}: {error}")
            if server.endpoint is not None and server.endpoint.url != urls[-1]:
                urls.append(server.endpoint.url)
    # Both are to be seen with a server, also where the one who started it has left, or it was killed a moment ago.
    deadline = time.monotonic() + 60
    while not (up := server.endpoint is not None and answers(server.endpoint)) and time.monotonic() < deadline:
        time.sleep(0.1)
    if not up:
        errors.append(f"no server: {server.trouble}")
    server.close()
    print(json.dumps({"acknowledged": acknowledged, "errors": errors, "urls": urls}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
