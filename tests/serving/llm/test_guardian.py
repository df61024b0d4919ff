"""The guardian: a server ends with whoever wanted it, however that one ended."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from serving.llm.guardian import STOP_S, server_record, started_ticks

SERVER = "import time; time.sleep(600)"
OWNER = """
import subprocess, sys, time
guardian = subprocess.Popen([sys.executable, "-m", "serving.llm.guardian", sys.argv[1], sys.argv[2], "--",
                             sys.executable, "-c", sys.argv[3]], stdin=subprocess.PIPE)
print(guardian.pid, flush=True)
time.sleep(600)
"""


def wait_for(condition, seconds=15.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def owner(tmp_path):
    """Starts an owner that holds a guarded server; gives the owner, the guardian, the server and the state file."""
    started = []

    def start(linger, server=SERVER):
        state = tmp_path / "judge.json"
        state.write_text("{}")
        command = [sys.executable, "-c", OWNER, str(state), str(linger), server]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        guardian = psutil.Process(int(process.stdout.readline()))
        assert wait_for(guardian.children)
        assert wait_for(lambda: any(child.cmdline()[-1:] == [server] for child in guardian.children()))
        served = next(child for child in guardian.children() if child.cmdline()[-1:] == [server])
        started.extend([process, guardian, served])
        return process, guardian, served, state

    yield start
    for process in started:
        try:
            process.kill()
        except (psutil.NoSuchProcess, ProcessLookupError):
            continue
    for process in started:
        if isinstance(process, subprocess.Popen):
            process.wait()
            process.stdout.close()


def test_the_server_ends_when_its_owner_is_killed(owner):
    process, guardian, server, state = owner(0)
    process.kill()
    assert wait_for(lambda: not server.is_running())
    assert wait_for(lambda: not guardian.is_running())
    assert not state.exists()
    assert list(state.parent.iterdir()) == []


def test_an_unused_server_lingers_and_then_ends(owner):
    process, _, server, _ = owner(3)
    process.kill()
    assert not wait_for(lambda: not server.is_running(), seconds=1.5)
    assert wait_for(lambda: not server.is_running(), seconds=10)


def test_a_use_prolongs_the_lingering(owner):
    process, _, server, state = owner(2)
    process.kill()
    for _ in range(6):
        time.sleep(0.7)
        os.utime(state)
        assert server.is_running()
    assert wait_for(lambda: not server.is_running(), seconds=10)


def test_the_guardian_ends_with_a_server_that_dies_and_takes_its_children_along(owner):
    child = "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])"
    child += "; time.sleep(600)"
    _, guardian, server, state = owner(60, child)
    assert wait_for(server.children)
    grandchild = server.children()[0]
    os.kill(server.pid, signal.SIGKILL)
    assert wait_for(lambda: not grandchild.is_running() or grandchild.status() == psutil.STATUS_ZOMBIE)
    assert wait_for(lambda: not state.exists())
    assert wait_for(lambda: not guardian.is_running() or guardian.status() == psutil.STATUS_ZOMBIE)


def test_asking_the_guardian_to_end_ends_the_server(owner):
    _, guardian, server, _ = owner(60)
    guardian.terminate()
    assert wait_for(lambda: not server.is_running())


STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c",
                  "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"])
time.sleep(600)
"""
LISTENING = STUBBORN.replace("SIG_IGN", "SIG_DFL")


def gone(process):
    """Whether a process has ended; nobody may be there to take its exit status."""
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("app_first", [True, False])
def test_killing_the_guardian_ends_the_server_whether_or_not_the_app_is_there(owner, app_first):
    process, guardian, server, _ = owner(60, LISTENING)
    assert wait_for(server.children)
    if app_first:
        process.kill()
    guardian.kill()
    assert wait_for(lambda: gone(server), seconds=STOP_S + 20)


@pytest.mark.parametrize(
    "served",
    [
        pytest.param(LISTENING, id="they listen"),
        pytest.param(STUBBORN, id="they do not", marks=pytest.mark.full),
    ],
)
def test_killing_the_guardian_ends_the_processes_of_the_server_too(owner, served):
    _, guardian, server, state = owner(60, served)
    assert wait_for(server.children)
    child = server.children()[0]
    assert wait_for(server_record(state).exists)
    try:
        guardian.kill()
        # Asked first; what does not listen is ended by force when the patience is over.
        assert wait_for(lambda: gone(child), seconds=STOP_S + 20)
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):
            child.kill()


def test_killing_the_guardian_and_who_watches_over_it_ends_the_server(owner):
    _, guardian, server, state = owner(60)
    assert wait_for(server_record(state).exists)
    for child in [each for each in guardian.children() if each.pid != server.pid]:
        child.kill()
    guardian.kill()
    assert wait_for(lambda: gone(server))


def test_the_server_is_noted_while_it_runs(owner):
    _, guardian, server, state = owner(60)
    assert wait_for(server_record(state).exists)
    noted = json.loads(server_record(state).read_text())
    assert (noted["pid"], noted["ticks"]) == (server.pid, started_ticks(server.pid))
    assert (noted["command"], noted["state"]) == (server.cmdline(), str(state))
    assert server_record(state).stat().st_mode & 0o077 == 0
    guardian.terminate()
    assert wait_for(lambda: not server_record(state).exists())


@pytest.mark.parametrize(("by", "lingers"), [(5 * 3600, False), (-5 * 3600, True)])
def test_a_clock_that_jumps_neither_keeps_an_unused_server_nor_ends_one_early(owner, by, lingers):
    """Seen from the file, a clock that was put back makes the last use one of the future, and the other way round."""
    process, _, server, state = owner(600 if lingers else 0.5)
    when = time.time() + by
    os.utime(state, (when, when))
    process.kill()
    if lingers:
        assert not wait_for(lambda: not server.is_running(), seconds=1.5)
    else:
        assert wait_for(lambda: not server.is_running())
