"""Profiles, command lines, state files and the start-up's steps: what needs no model."""

import os
import sys
from pathlib import Path

import psutil
import pytest

from serving import paths
from serving.atomic import write_atomic
from serving.errors import BadInputError, ModelMissingError, ServerStartError
from serving.llm import vllm_server
from serving.llm.server_state import Endpoint, ServerState, find, guardian_lives, read_state, state_file, stop_running
from serving.llm.vllm_server import VllmServer, judge_spec
from serving.machine import SENT_AWAY, Machine, choose, inspect
from serving.warmup import Warmup
from tests.serving.gpu.machines import machine as machine_with

LAPTOP = Machine(cores=(0, 1), memory=8 * 10**9, free_memory=4 * 10**9, free_disk=10**11, flags=("avx2",))
DESKTOP = machine_with("H200")


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.delenv(paths.MODELS_VARIABLE, raising=False)


def test_the_profile_follows_from_the_machine_and_says_why():
    assert choose(LAPTOP).name == "cpu embedded"
    assert any("AVX-512" in reason for reason in choose(LAPTOP).reasons)
    assert not any("close other programs" in reason for reason in choose(LAPTOP).reasons)
    small = LAPTOP.model_copy(update={"memory": 4 * 10**9})
    assert any("4.0 GB in all: close other programs" in reason for reason in choose(small).reasons)
    assert choose(DESKTOP).name == "nvidia gpu"
    assert "H200" in choose(DESKTOP).reasons[0]
    assert choose(DESKTOP, "http://127.0.0.1:1").name == "remote"


def test_this_machine_can_be_looked_at(tmp_path):
    machine = inspect(tmp_path)
    assert machine.cores
    assert machine.memory > 10**8


def test_the_server_listens_on_loopback_only_and_its_key_is_not_on_the_command_line():
    spec = judge_spec(Path("/models/judge"), "digest")
    command = vllm_server.arguments_for(spec, 1234, choose(LAPTOP))
    environment = vllm_server.environment_for(choose(LAPTOP), LAPTOP, {}, "the-key")
    assert command[command.index("--host") + 1] == "127.0.0.1"
    assert vllm_server.STATE_SERVER in command
    assert "the-key" not in " ".join(command)
    assert environment["VLLM_API_KEY"] == "the-key"
    assert environment["OMP_NUM_THREADS"] == "2"
    assert environment["ONEDNN_PRIMITIVE_CACHE_CAPACITY"] == "8"
    on_a_card = vllm_server.environment_for(choose(DESKTOP), DESKTOP, {}, "k")
    assert not {"OMP_NUM_THREADS", "ONEDNN_PRIMITIVE_CACHE_CAPACITY"} & on_a_card.keys()


def state(pid, started):
    return ServerState(pid=pid, started=started, endpoint=Endpoint(url="http://127.0.0.1:9", key="k", model="judge"))


def test_a_recycled_process_id_is_not_taken_for_the_guardian():
    own = psutil.Process()
    assert guardian_lives(state(own.pid, own.create_time()))
    assert not guardian_lives(state(own.pid, own.create_time() - 1000))


def test_a_broken_state_file_counts_as_none():
    state_file("judge").write_text("{half")
    assert read_state("judge") is None
    assert find(judge_spec(Path("/x"), "d")) is None


def test_stopping_what_does_not_run_cleans_up():
    state_file("judge").write_text(state(2**22 - 1, 0.0).model_dump_json())
    assert stop_running("judge") is False
    assert not state_file("judge").exists()


def test_a_library_that_the_system_lacks_is_named_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "ImportError: libnuma.so.1: cannot open shared object file: No such file or directory"
    fails = [sys.executable, "-c", f"import sys; sys.exit({words!r})"]
    monkeypatch.setattr(vllm_server, "arguments_for", lambda *_: fails)
    server = VllmServer(judge_spec(tmp_path, "d"), choose(LAPTOP), inspect(tmp_path))
    with pytest.raises(ServerStartError, match=r"libnuma\.so") as raised:
        server.start()
    assert raised.value.hint is not None
    assert "apt-get install libnuma1" in raised.value.hint


@pytest.mark.by_number("serving/llm", "interviewer/cli")
def test_a_server_that_cannot_start_says_what_its_log_says(tmp_path):
    server = VllmServer(judge_spec(tmp_path / "no-model", "d"), choose(LAPTOP), inspect(tmp_path))
    with pytest.raises(ServerStartError, match="did not come up"):
        server.start()
    server.close()
    assert server.log_path.stat().st_size > 0
    assert read_state("judge") is None or not guardian_lives(read_state("judge"))


def test_last_words_are_the_last_error(tmp_path):
    log = tmp_path / "log"
    log.write_text("starting\nValueError: no such model\nbye\n")
    assert vllm_server.last_words(log) == "ValueError: no such model"
    assert "no log" in vllm_server.last_words(tmp_path / "none")


def test_the_state_file_is_for_its_owner_only():
    write_atomic(state_file("judge"), state(os.getpid(), 0.0).model_dump_json(), mode=0o600)
    assert state_file("judge").stat().st_mode & 0o077 == 0


def test_the_first_step_that_fails_stops_the_rest_and_a_second_run_goes_on_there():
    done = []
    broken = [True]

    def fetch(progress):
        progress("fetching", 0.5)
        done.append("fetch")

    def convert(_):
        if broken[0]:
            raise ModelMissingError("The model is not there.", hint="Fetch it.")
        done.append("convert")

    warmup = Warmup([("Fetch", fetch), ("Convert", convert), ("Serve", lambda _: done.append("serve"))])
    with pytest.raises(ModelMissingError):
        warmup.run()
    assert [step.state for step in warmup.steps()] == ["done", "failed", "waiting"]
    assert warmup.steps()[1].message == "The model is not there. Fetch it."
    broken[0] = False
    warmup.run()
    assert done == ["fetch", "convert", "serve"]
    assert all(step.state == "done" for step in warmup.steps())


def test_who_leaves_meanwhile_has_no_further_step_begun():
    done = []
    warmup = Warmup([("Fetch", lambda _: warmup.stop()), ("Serve", lambda _: done.append("serve"))])
    warmup.run()
    assert [step.state for step in warmup.steps()] == ["done", "waiting"]
    assert done == []


def test_a_home_that_cannot_be_made_is_told(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "file" / "home"))
    with pytest.raises(Exception, match="cannot be made") as caught:
        paths.home()
    assert not isinstance(caught.value, BadInputError)


def test_that_answers_leave_the_machine_is_said():
    assert SENT_AWAY in choose(LAPTOP, "https://models.example.org/v1").reasons
    assert not any(
        SENT_AWAY in choose(LAPTOP, url).reasons for url in ("http://127.0.0.1:8000", "http://localhost:1/v1")
    )
