"""What a job gets of a card, and CUDA's first steps in the real sandbox, with a stand-in for CUDA's library."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from serving.gpu.card import Gpu
from serving.sandbox import gpu_probe
from serving.sandbox.backends import registry
from serving.sandbox.backends.bubblewrap import command
from serving.sandbox.backends.landlock import Landlock
from serving.sandbox.gpu_access import NEEDED, GpuAccess, access
from serving.sandbox.gpu_probe import GpuTrial, tried
from tests.serving.gpu.machines import MACHINES, cards

NODES = (
    *("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset", "nvidia0", "nvidia1", "nvidia3"),
    *(f"nvidia-caps/nvidia-cap{number}" for number in (1, 2, 21, 22, 66, 67)),
)
FOLDERS = (*NEEDED, "/sys/devices/pci0000:00", "/sys/devices/pci0000:80", "/sys/module/nvidia", "/sys/class/net")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The nodes and folders of a machine with several cards, one of them in slices."""
    for node in NODES:
        file = tmp_path / "dev" / node
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    for folder in FOLDERS:
        (tmp_path / folder.lstrip("/")).mkdir(parents=True)
    return tmp_path


def bound(arguments: list[str], option: str) -> list[str]:
    return [arguments[place + 1] for place, word in enumerate(arguments) if word == option]


@pytest.mark.parametrize("name", [name for name, told in MACHINES.items() if told.used and "slices" not in name])
def test_a_job_gets_one_card_and_what_the_driver_reads(tree: Path, name: str) -> None:
    card = next(gpu for gpu in cards(name) if gpu.uuid == MACHINES[name].used)
    line = command("bwrap", ["true"], gpu=access(card, root=tree))
    nodes = [path for path in bound(line, "--dev-bind") if "nvidia" in path]
    assert nodes == ["/dev/nvidiactl", "/dev/nvidia-uvm", f"/dev/nvidia{card.index}"]
    read = bound(line, "--ro-bind")
    assert {*NEEDED, "/sys/devices/pci0000:00", "/sys/devices/pci0000:80", "/sys/module/nvidia"} <= set(read)
    assert not {"/sys", "/sys/class/net"} & set(read)
    assert line[line.index("CUDA_VISIBLE_DEVICES") + 1] == card.uuid
    # All is bound before the folder becomes read-only.
    assert max(place for place, word in enumerate(line) if word.startswith("/dev/nvidia")) < line.index("--remount-ro")


def test_a_job_on_a_slice_gets_the_nodes_of_that_slice_alone(tree: Path) -> None:
    piece = Gpu(name="NVIDIA H100 MIG 3g.40gb", uuid="MIG-b2", index=1, minor=3, nodes=(21, 22))
    found = access(piece, root=tree)
    caps = ("/dev/nvidia-caps/nvidia-cap21", "/dev/nvidia-caps/nvidia-cap22")
    assert found.nodes == ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia3", *caps)
    assert (found.visible, found.missing) == ("MIG-b2", ())
    unknown = access(piece.__class__(name="slice", uuid="MIG-b2"), root=tree)
    assert "the slice's nodes in /dev/nvidia-caps" in unknown.missing


def test_without_a_card_a_job_gets_nothing_of_one() -> None:
    line = command("bwrap", ["true"])
    assert not [word for word in line if "nvidia" in word or word.startswith("/sys") or "CUDA" in word]
    assert "/dev/zero" not in line


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    assert access(Gpu(name="card"), root=tmp_path).missing == (
        *("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0"),
        *NEEDED,
    )


LIBRARY = r"""
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#ifndef CARDS
#define CARDS 1
#endif
int cuInit(unsigned flags) {
    if (access("/sys/bus/pci/devices", R_OK) || access("/sys/devices/system/node", R_OK)) return 304;
    return getenv("CUDA_VISIBLE_DEVICES") ? 0 : 100;
}
int cuDeviceGetCount(int *count) { *count = CARDS; return 0; }
int cuDeviceGet(int *device, int number) { *device = number; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) {
#ifdef HUNGRY
    void *got = mmap(NULL, 6UL << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) return 2;
#endif
    *context = context;
    return 0;
}
int cuCtxSetCurrent(void *context) { return 0; }
int cuMemAlloc_v2(unsigned long long *at, size_t size) { *at = 4096; return size > 0 ? 0 : 1; }
int cuMemsetD8_v2(unsigned long long at, unsigned char value, size_t size) { return at == 4096 ? 0 : 1; }
int cuCtxSynchronize(void) { return 0; }
int cuMemFree_v2(unsigned long long at) { return 0; }
"""
"""What CUDA's driver library does with the first calls, as far as the sandbox decides it."""

WHOLE = GpuAccess(nodes=(), reads=(*NEEDED,), visible="GPU-0")


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The stand-in's source; a machine without a compiler cannot try it."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    (tmp_path / "cuda.c").write_text(LIBRARY)
    return tmp_path


def library(folder: Path, *defined: str) -> str:
    target = folder / f"libcuda{'-'.join(defined)}.so"
    options = [f"-D{name}" for name in defined]
    subprocess.run(["cc", "-shared", "-fPIC", *options, "-o", target, folder / "cuda.c"], check=True)
    return str(target)


def test_cuda_starts_in_the_sandbox_with_what_is_bound_and_not_without(made: Path) -> None:
    good = library(made)
    found = tried(WHOLE, library=good)
    assert (found.step, found.cards, found.trouble) == ("", 1, "")
    bare = WHOLE.model_copy(update={"reads": (), "missing": ("/sys/module/nvidia",)})
    broken = tried(bare, library=good)
    assert (broken.step, broken.code) == ("cuInit", 304)
    assert "cuInit fails in the sandbox (an operating system call failed" in broken.trouble
    assert broken.trouble.endswith("Missing: /sys/module/nvidia.")
    assert tried(WHOLE.model_copy(update={"visible": ""}), library=good).code == 100


def test_limits_that_are_in_the_way_are_told_from_walls(made: Path) -> None:
    hungry = library(made, "HUNGRY")
    assert (tried(WHOLE, library=hungry).step, tried(WHOLE, library=hungry).code) == ("cuDevicePrimaryCtxRetain", 2)
    assert tried(WHOLE, library=hungry, limited=False).trouble == ""


def test_a_job_that_would_see_two_cards_gets_none(made: Path) -> None:
    assert "would see 2 cards" in tried(WHOLE, library=library(made, "CARDS=2")).trouble


def test_without_a_driver_the_library_is_named() -> None:
    found = tried(WHOLE, library="libno-such-cuda.so.1")
    assert found.step == "load"
    assert "libno-such-cuda.so.1" in found.trouble


def test_the_other_backend_reaches_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "required", lambda processes=0: Landlock())
    assert "Landlock and seccomp keeps the nodes of cards" in tried(WHOLE).trouble


def test_a_process_that_says_nothing_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    silent = tmp_path / "inside" / "probe.py"
    silent.parent.mkdir()
    silent.write_text("import sys\nsys.exit('it broke')\n")
    monkeypatch.setattr(gpu_probe, "PROBE", silent)
    assert tried(WHOLE) == GpuTrial(step="CUDA", why="it broke")
