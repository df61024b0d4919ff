"""A server that was left behind is ended by the next start; a stranger never is, nor the server of another folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from serving import paths
from serving.llm import guardian, vllm_server
from serving.llm.server_state import (
    Endpoint,
    ServerState,
    answers,
    end_orphan,
    find,
    guardian_lives,
    read_state,
    state_file,
    stop_running,
)
from serving.llm.vllm_server import VllmServer, judge_spec
from serving.machine import Machine, choose

MACHINE = Machine(cores=(0, 1), memory=8 * 10**9, free_memory=4 * 10**9, free_disk=10**11, flags=("avx2",))

SERVER = """
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Healthy(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Healthy).serve_forever()
"""


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with nothing in it, and a model server that is healthy and does nothing."""
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.delenv(paths.MODELS_VARIABLE, raising=False)
    monkeypatch.setattr(vllm_server, "arguments_for", lambda _, port, __: [sys.executable, "-c", SERVER, str(port)])
    return tmp_path / "home"


@pytest.fixture
def left() -> Iterator[subprocess.Popen[bytes]]:
    """A process that leads a group of its own, as a server does that nobody watches over."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    # Reaped at once, as by init: a zombie still counts to its group.
    reaper = threading.Thread(target=process.wait)
    reaper.start()
    yield process
    process.kill()
    reaper.join()


def note(process: subprocess.Popen[Any], **changed: Any) -> None:
    """Write what its guardian would have noted of a process."""
    state = state_file("judge")
    noted = {
        "pid": process.pid,
        "ticks": guardian.started_ticks(process.pid),
        "command": guardian.command_of(process.pid),
        "state": str(state),
    }
    guardian.server_record(state).write_text(json.dumps(noted | changed))


def server() -> VllmServer:
    return VllmServer(judge_spec(Path("/no/model"), "digest"), choose(MACHINE), MACHINE)


def wait_for(condition: Callable[[], object], seconds: float = 30.0) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return bool(condition())


def test_a_start_ends_the_server_that_was_left_behind(left: subprocess.Popen[bytes]) -> None:
    note(left)
    held = server()
    try:
        held.start()
        assert left.wait(20) < 0
    finally:
        held.close()
    assert not guardian.server_record(state_file("judge")).exists()


def test_stopping_ends_it_too_and_says_that_there_was_one(left: subprocess.Popen[bytes]) -> None:
    note(left)
    assert stop_running("judge")
    assert left.wait(20) < 0
    assert not stop_running("judge")


LEADER = """
import subprocess, sys, time
print(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdout=2).pid, flush=True)
time.sleep(600)
"""


def test_what_a_server_that_is_gone_left_behind_is_ended_and_no_process_of_another_session() -> None:
    leaders = [
        subprocess.Popen([sys.executable, "-c", LEADER], start_new_session=True, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    ours, strangers = (psutil.Process(int(leader.stdout.readline())) for leader in leaders if leader.stdout)
    note(leaders[0])
    try:
        for leader in leaders:
            leader.kill()
            leader.communicate()
        assert ours.is_running()
        assert stop_running("judge")
        assert wait_for(lambda: not ours.is_running() or ours.status() == psutil.STATUS_ZOMBIE)
        assert strangers.is_running()
        assert not stop_running("judge")
    finally:
        for process in (ours, strangers):
            if process.is_running():
                process.kill()


@pytest.mark.parametrize(
    "changed",
    [
        {"ticks": 1},
        {"ticks": None},
        {"command": ["python", "-m", "something.else"]},
        {"state": "/somewhere/else/run/judge.json"},
    ],
)
def test_a_stranger_of_that_process_id_is_left_alone(left: subprocess.Popen[bytes], changed: dict[str, Any]) -> None:
    note(left, **changed)
    assert not stop_running("judge")
    assert left.poll() is None
    assert not guardian.server_record(state_file("judge")).exists()


def test_a_record_that_cannot_be_read_ends_nothing(left: subprocess.Popen[bytes]) -> None:
    for text in ("{half", "[]", "", json.dumps({"pid": left.pid})):
        guardian.server_record(state_file("judge")).write_text(text)
        assert not stop_running("judge")
    assert left.poll() is None


def test_a_server_whose_guardian_is_there_is_no_orphan_though_its_state_file_is_gone() -> None:
    held = server()
    try:
        endpoint = held.start()
        state_file("judge").rename(state_file("judge").with_suffix(".away"))
        assert not end_orphan("judge")
        assert answers(endpoint)
        state_file("judge").with_suffix(".away").rename(state_file("judge"))
    finally:
        held.close()


def test_a_watcher_leaves_another_home_alone(own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []
    first, second = server(), server()
    try:
        endpoint = first.start()
        monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "other"))
        other = second.start()
        real = vllm_server.state_file
        monkeypatch.setattr(vllm_server, "state_file", lambda role: (looks.append(role), real(role))[1])
        assert wait_for(lambda: len(looks) > 4)
        assert (first.endpoint, second.endpoint) == (endpoint, other)
        assert answers(endpoint)
        assert answers(other)
    finally:
        second.close()
        first.close()


def test_a_copied_home_neither_shares_nor_stops_the_server_of_the_first(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, again = server(), server(), server()
    try:
        endpoint = first.start()
        shutil.copytree(own_home, tmp_path / "copy")
        monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "copy"))
        assert read_state("judge") is not None
        assert not stop_running("judge")
        assert answers(endpoint)
        shutil.copy(own_home / "models" / "run" / "judge.json", tmp_path / "copy" / "models" / "run")
        other = second.start()
        assert other.url != endpoint.url
        second.close()
        assert answers(endpoint)
        # Control: the same folder under another name is the same home.
        (tmp_path / "link").symlink_to(own_home)
        monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "link"))
        assert again.start() == endpoint
    finally:
        for each in (again, second, first):
            each.close()


def test_a_killed_guardian_leaves_no_server_and_the_app_starts_another() -> None:
    held = server()
    try:
        endpoint = held.start()
        state = read_state("judge")
        assert state is not None
        served = [psutil.Process(state.pid), *psutil.Process(state.pid).children()]
        psutil.Process(state.pid).kill()
        assert wait_for(lambda: not any(each.is_running() and each.status() != "zombie" for each in served))
        assert wait_for(lambda: held.endpoint not in {None, endpoint})
        assert held.endpoint is not None
        assert answers(held.endpoint)
    finally:
        held.close()


def test_a_guardian_is_known_again_whatever_the_clock_says() -> None:
    own = ServerState(
        pid=os.getpid(),
        started=1.0,
        endpoint=Endpoint(url="http://127.0.0.1:9", key="k", model="judge"),
        ticks=guardian.started_ticks(os.getpid()),
    )
    assert guardian_lives(own)
    assert not guardian_lives(own.model_copy(update={"ticks": 1}))


def test_a_home_that_is_named_by_a_relative_path_has_its_server_found(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_home.mkdir(exist_ok=True)
    monkeypatch.chdir(own_home.parent)
    monkeypatch.setenv(paths.HOME_VARIABLE, "home")
    held = server()
    try:
        endpoint = held.start()
        monkeypatch.setenv(paths.HOME_VARIABLE, str(own_home))
        assert find(judge_spec(Path("/no/model"), "digest")) == endpoint
    finally:
        held.close()
