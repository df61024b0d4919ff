"""Two apps on one home at once: one journal, one model server, and nothing that was acknowledged is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from interviewer.session.reducer import fold
from interviewer.storage.sqlite_journal import Journal
from serving import paths
from serving.llm import guardian
from serving.llm.server_state import GUARDIAN, answers, read_state
from tests.integration.app_on_shared_home import killed_mark, started_mark
from tests.integration.commands import ROOT

APPS = 2


def guardians(folder: Path) -> list[int]:
    """The guardians that watch over the server of a folder of models."""
    state = str(folder / "run" / "judge.json")
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit() and guardian.started_ticks(int(each.name)) is not None:
            command = guardian.command_of(int(each.name))
            # The second process of a guardian has its command line and is its child.
            if GUARDIAN in command and state in command and parent(int(each.name)) not in found:
                found.append(int(each.name))
    return found


def parent(pid: int) -> int:
    fields = guardian._stat(pid)
    return int(fields[1]) if fields else 0


@pytest.mark.parametrize(
    ("interviews", "seconds"),
    [(4, 0.0), pytest.param(50, 600.0, marks=[pytest.mark.full, pytest.mark.timeout(3600)])],
    ids=["sample", "ten minutes"],
)
def test_two_apps_share_a_journal_and_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interviews: int, seconds: float
) -> None:
    home, models = tmp_path / "home", tmp_path / "models"
    monkeypatch.setenv(paths.HOME_VARIABLE, str(home))
    monkeypatch.setenv(paths.MODELS_VARIABLE, str(models))
    command = [sys.executable, "-m", "tests.integration.app_on_shared_home"]
    # Files, since what they tell at their end may be more than a pipe holds that nobody reads yet.
    files = [tmp_path / f"app{n}.json" for n in range(APPS)]
    apps = []
    for n, path in enumerate(files):
        with path.open("wb") as told_in:
            apps.append(
                subprocess.Popen([*command, f"app{n}", str(interviews), str(seconds)], cwd=ROOT, stdout=told_in)
            )
    killed = 0
    most = 0
    begin = time.monotonic()
    try:
        while any(app.poll() is None for app in apps):
            found = guardians(models)
            most = max(most, len(found))
            # Once in a while the guardian is killed; both apps find the server that takes its place.
            state = read_state("judge")
            started = all(started_mark(f"app{n}").exists() for n in range(APPS))
            # Not while they only finish what they have: a busy machine may take longer than a minute to start a server.
            due = started and killed <= min(time.monotonic() - begin, seconds) // 60
            if due and state and found == [state.pid] and answers(state.endpoint):
                os.kill(state.pid, signal.SIGKILL)
                killed += 1
                killed_mark().touch()
            time.sleep(0.2)
        told = [json.loads(path.read_bytes()) for path in files]
    finally:
        for app in apps:
            with app:
                app.kill()
    assert [app.returncode for app in apps] == [0] * APPS
    assert [each["errors"] for each in told] == [[]] * APPS
    assert killed
    # One that is killed may still be listed while the next one starts.
    assert most <= 2
    assert not guardians(models)
    assert {path.name for path in (models / "run").iterdir()} == {"judge.lock"}
    with Journal(home / "journal.db") as journal:
        sessions = journal.sessions()
        assert len(sessions) >= (APPS + 1) * interviews
        stored = {one.id: journal.read(one.id) for one in sessions}
    assert not any(one.damaged for one in stored.values())
    ids = {(name, event.id) for name, one in stored.items() for event in one.events}
    for each in told:
        assert {tuple(pair) for pair in each["acknowledged"]} <= ids
    for name, one in stored.items():
        state = fold(one.events)
        assert state.ended is not None, name
        assert [asked.number for asked in state.asked] == list(range(1, len(state.asked) + 1))
        kinds = Counter((event.type, getattr(event, "answer_id", None)) for event in one.events)
        assert all(count == 1 for (kind, _), count in kinds.items() if kind in {"answer_graded", "interview_ended"})
