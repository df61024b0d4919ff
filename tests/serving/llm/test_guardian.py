"""The guardian: a server ends with whoever wanted it, however that one ended."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

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
        served = guardian.children()[0]
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
