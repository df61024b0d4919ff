"""``kill -9`` at any moment: of the app, and of the model server. No event is lost, the report is the same."""

from __future__ import annotations

import json
import random
import threading
import time
from typing import NamedTuple

import psutil
import pytest

from interviewer.cli.container import unattended_service
from interviewer.cli.scripted import read_answers, run_script
from interviewer.report.analysis.findings import findings
from interviewer.report.render.json import comparable
from interviewer.session.plan import Plan
from interviewer.session.reducer import fold
from interviewer.storage.sqlite_journal import Journal
from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion.pipeline import sync_bank
from serving import paths
from serving.llm.server_state import answers, guardian_lives, read_state
from tests.integration.commands import kill, run, start
from tests.integration.script import ROWS, SCRIPT

pytestmark = [pytest.mark.model, pytest.mark.timeout(900)]

MOMENTS = 1
"""How often the app is killed."""

SERVER_MOMENTS = 1
"""How often the model's server is; it takes a minute to come back."""


def written(folder):
    """The script as a file."""
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


@pytest.fixture
def script(tmp_path):
    return written(tmp_path)


def outcome(session, journal_path):
    """The report without its times, and the answers in the journal."""
    with Journal(journal_path) as journal:
        events = journal.events(session)
    said = [event.text for event in events if event.type == "answer_given"]
    return comparable(findings(session, fold(events)), digits=2), said


class Undisturbed(NamedTuple):
    """An interview that nothing is killed in: its outcome, its plan, and how many seconds the command took."""

    outcome: tuple
    plan: Plan
    took: float


@pytest.fixture(scope="module")
def undisturbed(container, tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(paths.HOME_VARIABLE, str(folder))
        begin = time.monotonic()
        done = run("interview", "--answers", written(folder), "--resume", "undisturbed")
        took = time.monotonic() - begin
        assert done.returncode == 0, done.stderr
        wanted = outcome("undisturbed", paths.journal())
        with Journal(paths.journal()) as journal:
            plan = fold(journal.events("undisturbed")).plan
    assert wanted[1] == [answer for _, answer in SCRIPT]
    return Undisturbed(wanted, plan, took)


@pytest.mark.by_number("interviewer/engine", "interviewer/storage")
def test_killing_the_app_at_a_random_moment_changes_nothing(undisturbed, script, home):
    rng = random.Random(20261121)
    for _ in range(MOMENTS):
        process = start("interview", "--answers", script, "--resume", "disturbed")
        time.sleep(rng.uniform(0.2, undisturbed.took))
        kill(process)
    done = run("interview", "--answers", script, "--resume", "disturbed")
    assert done.returncode == 0, done.stderr
    assert outcome("disturbed", paths.journal()) == undisturbed.outcome


def server_process():
    """The process of the model server that answers now, or ``None``."""
    state = read_state("judge")
    if state is None or not guardian_lives(state) or not answers(state.endpoint):
        return None
    children = psutil.Process(state.pid).children()
    return children[0] if children else None


@pytest.mark.by_number("serving/llm")
def test_killing_the_model_server_at_a_random_moment_changes_nothing(undisturbed, container, script, home):
    index = QuestionIndex.open(paths.index(), container.embedder)
    sync_bank(index)
    answers = read_answers(script)
    killed = []
    over = threading.Event()

    def killer():
        rng = random.Random(7)
        while len(killed) < SERVER_MOMENTS and not over.is_set():
            process = server_process()
            if process is None:
                time.sleep(0.2)
                continue
            time.sleep(rng.uniform(0.0, 1.5))
            process.kill()
            killed.append(process.pid)
            process.wait(30)

    thread = threading.Thread(target=killer)
    thread.start()
    try:
        with (
            Journal(paths.journal()) as journal,
            unattended_service(container, journal, index) as service,
        ):
            run_script(service, undisturbed.plan, answers, "disturbed")
    finally:
        over.set()
        thread.join()
    assert len(killed) == SERVER_MOMENTS
    assert outcome("disturbed", paths.journal()) == undisturbed.outcome
    container.judge_service.start()
