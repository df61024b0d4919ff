"""What this machine has, and the profile that follows from it."""

from __future__ import annotations

import dataclasses
import os
import shutil
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import psutil

from serving.frozen import FrozenModel
from serving.gpu import probe
from serving.gpu.card import Gpu
from serving.gpu.plan import Plan, plan
from serving.gpu.suitability import best, lacks_now

MEMORY = 3.7e9
"""Bytes that page and model server need on a CPU for an interview with speech (docs/benchmarks/memory.md)."""

SENT_AWAY = "What you answer is sent there: it leaves this machine."

ANSWERS_ON_CPU = 2
"""More would only wait for each other."""

PROMPTS_ON_CARD = 64
"""More than any rubric has criteria, so that those of an answer are one batch."""


class Machine(FrozenModel):
    """What was found.

    Attributes:
        cores: logical cores that this process may use, by number.
        memory: bytes of main memory.
        free_memory: bytes that could be taken now.
        free_disk: bytes free where the data lies.
        flags: the processor features that decide how fast int8 and bf16 run.
        gpus: NVIDIA cards and slices of cards, none on most laptops.
        gpu_trouble: why the driver tells of none, one sentence; empty where it tells, or none is installed.
        compiles: whether kernels can be compiled for a card.
        build: what the installed packages run on, "cpu" or "cuda"; empty where that is unknown.
    """

    cores: tuple[int, ...]
    memory: int
    free_memory: int
    free_disk: int
    flags: tuple[str, ...]
    gpus: tuple[Gpu, ...] = ()
    gpu_trouble: str = ""
    compiles: bool = True
    build: str = ""


class Profile(FrozenModel):
    """How the judge is served.

    Attributes:
        name: ``cpu embedded``, ``nvidia gpu`` or ``remote``.
        device: where vLLM runs; ``remote`` means that nothing is started here.
        reasons: one sentence each, for the person.
        gpu: the card that is used, on a card.
        plan: how the judge is served on it.
        blocked: why no server can be started here though the profile says where it would run; empty where it can.
        servers: number of servers of the embedded judge that run elsewhere; 0 where none were named.
    """

    name: Literal["cpu embedded", "nvidia gpu", "remote", "judge servers"]
    device: Literal["cpu", "cuda", "remote"]
    reasons: tuple[str, ...]
    gpu: Gpu | None = None
    plan: Plan | None = None
    blocked: str = ""
    servers: int = 0

    @property
    def format(self) -> str:
        """Of the judge's checkpoint: ``int8`` or ``bf16``."""
        return self.plan.format if self.plan is not None else "int8"

    @property
    def prompts_at_once(self) -> int:
        """Prompts that are sent to the judge's server in one request."""
        return PROMPTS_ON_CARD if self.device == "cuda" else 1

    @property
    def answers_at_once(self) -> int:
        """Answers that are graded at the same time."""
        return self.plan.interviews if self.plan is not None else ANSWERS_ON_CPU * max(1, self.servers)

    @property
    def judge(self) -> str:
        """Name of the judge; see ``rubric.grading.judges.registry``."""
        return "prompted" if self.device == "remote" and not self.servers else "embedded"


def inspect(folder: os.PathLike[str] | str) -> Machine:
    """Look at the machine.

    Args:
        folder: where the data lies, for the free disk space.
    """
    memory = psutil.virtual_memory()
    found = probe.look()
    return Machine(
        cores=tuple(sorted(os.sched_getaffinity(0))),
        memory=memory.total,
        free_memory=memory.available,
        free_disk=shutil.disk_usage(folder).free,
        flags=_flags(),
        gpus=found.gpus,
        gpu_trouble=found.trouble,
        compiles=probe.compiles(),
        build=probe.build(Path(sysconfig.get_path("purelib"))),
    )


def is_here(url: str) -> bool:
    """Whether an address is surely one of this machine."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return host in {"localhost", "::1"} or host.startswith("127.")


def choose(machine: Machine, llm_url: str | None = None, judge_urls: Sequence[str] = ()) -> Profile:
    """The profile for a machine: pure, and it says why.

    Args:
        machine: what was found.
        llm_url: an OpenAI-compatible server that the person named.
        judge_urls: servers of the embedded judge that the person named.
    """
    if judge_urls:
        return Profile(
            name="judge servers",
            device="remote",
            servers=len(judge_urls),
            reasons=(f"You named servers of the judge: {', '.join(judge_urls)}. Nothing is started here.",),
        )
    if llm_url:
        return Profile(
            name="remote",
            device="remote",
            reasons=(
                f"You named the model server at {llm_url}; it judges by prompt, nothing is started here.",
                *([] if is_here(llm_url) else [SENT_AWAY]),
            ),
        )
    card = usable(machine)
    if card is not None:
        return _on_card(machine, card)
    reasons = [*_why_no_card(machine), "The embedded model runs on the processor, in int8."]
    blocked = ""
    if machine.build == "cuda":
        blocked = (
            f"{' '.join(_why_no_card(machine))} What is installed runs on a card only: free the card and start "
            f"again, or install what runs on the processor with `{probe.WISH}=no make run`."
        )
        reasons[-1:] = ["What is installed runs on a card only, so nothing is marked until then."]
    if not any(flag.startswith("avx512") for flag in machine.flags):
        reasons.append("The processor has no AVX-512, so grading will be slower than the figures in the README.")
    if machine.memory < MEMORY + 2e9:
        reasons.append(
            f"An interview takes about {MEMORY / 1e9:.1f} GB and this machine has {machine.memory / 1e9:.1f} GB in "
            "all: close other programs while you use it."
        )
    return Profile(name="cpu embedded", device="cpu", reasons=tuple(reasons), blocked=blocked)


def usable(machine: Machine) -> Gpu | None:
    """The card that CUDA can be used on here now, with what is installed; ``None`` where there is none."""
    return best(machine.gpus, compiles=machine.compiles) if machine.build != "cpu" else None


def visible_devices(machine: Machine, profile: Profile) -> str | None:
    """What ``CUDA_VISIBLE_DEVICES`` has to be for this process to see the card that is used, and no other.

    Else the encoders would go to whichever card comes first, be it too old or full.

    Returns:
        ``None`` where the variable stays as it is: the machine has no cards.

    """
    if not machine.gpus:
        return None
    card = profile.gpu or (usable(machine) if profile.device == "remote" else None)
    return (card.uuid or str(card.index)) if card is not None else ""


def jobs_at_once(machine: Machine, profile: Profile) -> int:
    """Programs that are executed at the same time ahead of what a person submits: our own solutions.

    On a CPU one, since the judge needs the cores; on a card the judge leaves them free.
    """
    return max(1, len(machine.cores) // 2) if profile.device == "cuda" else 1


def with_ours(machine: Machine, card: str, memory: int) -> Machine:
    """The machine as it would be without a server of ours that holds so many bytes of the card of that UUID."""
    if not card or not memory:
        return machine
    gpus = tuple(
        dataclasses.replace(gpu, free=gpu.free + memory) if gpu.uuid == card and gpu.free is not None else gpu
        for gpu in machine.gpus
    )
    return machine.model_copy(update={"gpus": gpus})


def _on_card(machine: Machine, card: Gpu) -> Profile:
    served = plan(card, compiles=machine.compiles)
    reasons = [f"{card} was found; the judge runs on it and takes {served.memory / 1e9:.1f} GB."]
    if served.format == "bf16":
        reasons.append("The card has no fast int8, so the judge's weights are read in bfloat16.")
    if served.dtype == "float16":
        reasons.append("The card has no bfloat16, so it computes in float16; states that overflow are refused.")
    if served.eager:
        reasons.append(
            "Nothing is compiled for the card, since gcc or the headers of Python are missing "
            "(Debian: build-essential and python3-dev): a little slower."
        )
    reasons += [lacks_now(other, compiles=machine.compiles) for other in machine.gpus if other != card]
    return Profile(name="nvidia gpu", device="cuda", reasons=tuple(filter(None, reasons)), gpu=card, plan=served)


def _why_no_card(machine: Machine) -> list[str]:
    """Why no card is used, a sentence each."""
    later = best(machine.gpus, compiles=machine.compiles)
    if later is not None:
        return [f"{later} was found, but what is installed runs on the processor only: `make run` installs the rest."]
    reasons = [lacks_now(gpu, compiles=machine.compiles) for gpu in machine.gpus]
    return reasons or [machine.gpu_trouble or "No NVIDIA card was found."]


def _flags() -> tuple[str, ...]:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            line = next((line for line in file if line.startswith("flags")), "")
    except OSError:
        return ()
    present = set(line.split())
    return tuple(flag for flag in ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8") if flag in present)
