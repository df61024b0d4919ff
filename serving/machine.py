"""What this machine has, and the profile that follows from it."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Literal

import psutil

from serving.frozen import FrozenModel

JUDGE_MEMORY = 6.5e9
"""Bytes that the judge's server holds on a CPU, measured (docs/benchmarks.md)."""


class Gpu(FrozenModel):
    """An NVIDIA card.

    Attributes:
        name: as its driver names it.
        memory: bytes.
    """

    name: str
    memory: int


class Machine(FrozenModel):
    """What was found.

    Attributes:
        cores: logical cores that this process may use, by number.
        memory: bytes of main memory.
        free_memory: bytes that could be taken now.
        free_disk: bytes free where the data lies.
        flags: the processor features that decide how fast int8 and bf16 run.
        gpus: NVIDIA cards, none on most laptops.
    """

    cores: tuple[int, ...]
    memory: int
    free_memory: int
    free_disk: int
    flags: tuple[str, ...]
    gpus: tuple[Gpu, ...] = ()


class Profile(FrozenModel):
    """How the judge is served.

    Attributes:
        name: ``cpu embedded``, ``nvidia gpu`` or ``remote``.
        device: where vLLM runs; ``remote`` means that nothing is started here.
        reasons: one sentence each, for the person.
    """

    name: Literal["cpu embedded", "nvidia gpu", "remote"]
    device: Literal["cpu", "cuda", "remote"]
    reasons: tuple[str, ...]

    @property
    def judge(self) -> str:
        """Name of the judge; see ``rubric.grading.judges.registry``."""
        return "prompted" if self.device == "remote" else "embedded"


def inspect(folder: os.PathLike[str] | str) -> Machine:
    """Look at the machine.

    Args:
        folder: where the data lies, for the free disk space.
    """
    memory = psutil.virtual_memory()
    return Machine(
        cores=tuple(sorted(os.sched_getaffinity(0))),
        memory=memory.total,
        free_memory=memory.available,
        free_disk=shutil.disk_usage(folder).free,
        flags=_flags(),
        gpus=_gpus(),
    )


def choose(machine: Machine, llm_url: str | None = None) -> Profile:
    """The profile for a machine: pure, and it says why.

    Args:
        machine: what was found.
        llm_url: an OpenAI-compatible server that the person named.
    """
    if llm_url:
        return Profile(
            name="remote",
            device="remote",
            reasons=(f"You named the model server at {llm_url}; it judges by prompt, nothing is started here.",),
        )
    if machine.gpus:
        card = machine.gpus[0]
        why = f"{card.name} with {card.memory / 1e9:.0f} GB was found; the judge runs on it."
        return Profile(name="nvidia gpu", device="cuda", reasons=(why,))
    reasons = ["No NVIDIA card was found; the embedded model runs on the processor, in int8."]
    if not any(flag.startswith("avx512") for flag in machine.flags):
        reasons.append("The processor has no AVX-512, so grading will be slower than the figures in the README.")
    if machine.memory < JUDGE_MEMORY + 2e9:
        reasons.append(
            f"The judge wants about {JUDGE_MEMORY / 1e9:.1f} GB and this machine has {machine.memory / 1e9:.1f} GB in "
            "all: close other programs while you use it."
        )
    return Profile(name="cpu embedded", device="cpu", reasons=tuple(reasons))


def _flags() -> tuple[str, ...]:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            line = next((line for line in file if line.startswith("flags")), "")
    except OSError:
        return ()
    present = set(line.split())
    return tuple(flag for flag in ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8") if flag in present)


def _gpus() -> tuple[Gpu, ...]:
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return ()
    command = [tool, "--query-gpu=name,memory.total", "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(gpus_of(done.stdout))


def gpus_of(listing: str) -> list[Gpu]:
    """The cards in ``nvidia-smi``'s ``name, memory`` listing (memory in MiB)."""
    cards = []
    for line in listing.splitlines():
        name, _, mebibytes = line.rpartition(",")
        if mebibytes.strip().isdigit():
            cards.append(Gpu(name=name.strip(), memory=int(mebibytes) * 1024 * 1024))
    return cards
