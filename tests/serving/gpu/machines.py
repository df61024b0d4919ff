"""Machines with cards as ``nvidia-smi`` tells of them, and what has to follow from each.

Names, sizes and compute capabilities are those of NVIDIA's data sheets; the form is that of ``nvidia-smi`` 580.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from serving.gpu.card import Gpu
from serving.gpu.nvidia_smi import gpus_of
from serving.machine import Machine

DRIVER = "580.65.06"


class Told(NamedTuple):
    """A machine with cards.

    Attributes:
        listing: of ``nvidia-smi --query-gpu``.
        slices: of ``nvidia-smi -L``.
        used: UUID of the card that the judge runs on; empty where it runs on the processor.
        served: format, number type and answers at once.
        why: words of the reason where no card is used.

    """

    listing: str
    slices: str = ""
    used: str = ""
    served: tuple[str, str, int] = ("", "", 0)
    why: str = ""


def line(number: int, name: str, total: object, free: object, capability: str, **other: str) -> str:
    """A line of the listing."""
    values = (number, f"GPU-{number}", name, other.get("driver", DRIVER), total, free, capability)
    return ", ".join(map(str, (*values, other.get("mig", "[N/A]")))) + "\n"


_H100_SLICES = """GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)
  MIG 1g.10gb     Device  0: (UUID: MIG-a1)
  MIG 3g.40gb     Device  1: (UUID: MIG-b2)
"""

MACHINES = {
    "8 GB laptop": Told(
        line(0, "NVIDIA GeForce RTX 4060 Laptop GPU", 8188, 7805, "8.9"),
        used="GPU-0",
        served=("int8", "bfloat16", 64),
    ),
    "8 GB laptop, half full": Told(
        line(0, "NVIDIA GeForce RTX 4060 Laptop GPU", 8188, 4300, "8.9"), used="GPU-0", served=("int8", "bfloat16", 9)
    ),
    "T4": Told(line(0, "Tesla T4", 15360, 14915, "7.5"), used="GPU-0", served=("int8", "float16", 64)),
    "3060": Told(
        line(0, "NVIDIA GeForce RTX 3060", 12288, 11800, "8.6"), used="GPU-0", served=("int8", "bfloat16", 64)
    ),
    "4090": Told(
        line(0, "NVIDIA GeForce RTX 4090", 24564, 23900, "8.9"), used="GPU-0", served=("int8", "bfloat16", 64)
    ),
    "A100": Told(
        line(0, "NVIDIA A100-SXM4-80GB", 81920, 81000, "8.0", mig="Disabled"),
        used="GPU-0",
        served=("int8", "bfloat16", 64),
    ),
    "H100 in slices": Told(
        line(0, "NVIDIA H100 80GB HBM3", 81559, 80000, "9.0", mig="Enabled"),
        slices=_H100_SLICES,
        used="MIG-b2",
        served=("int8", "bfloat16", 64),
    ),
    "H200": Told(
        line(0, "NVIDIA H200", 143771, 143000, "9.0", mig="Disabled"), used="GPU-0", served=("int8", "bfloat16", 64)
    ),
    "B200": Told(
        line(0, "NVIDIA B200", 183359, 182000, "10.0", mig="Disabled"), used="GPU-0", served=("bf16", "bfloat16", 64)
    ),
    "5090": Told(
        line(0, "NVIDIA GeForce RTX 5090", 32607, 31900, "12.0"), used="GPU-0", served=("bf16", "bfloat16", 64)
    ),
    "two cards": Told(
        line(0, "NVIDIA GeForce RTX 3060", 12288, 3000, "8.6") + line(1, "NVIDIA RTX A6000", 49140, 48000, "8.6"),
        used="GPU-1",
        served=("int8", "bfloat16", 64),
    ),
    "none": Told("", why="No NVIDIA card was found."),
    "driver too old": Told(
        line(0, "NVIDIA A100-SXM4-80GB", 81920, 81000, "8.0", driver="535.104.05"), why="driver 535.104.05 is too old"
    ),
    "card too old": Told(line(0, "NVIDIA GeForce GTX 1080 Ti", 11264, 11000, "6.1"), why="capability is 6.1"),
    "card too small": Told(line(0, "NVIDIA T400 4GB", 4096, 4000, "7.5"), why="has 4.3 GB of memory"),
    "memory [N/A]": Told(line(0, "NVIDIA GB10", "[N/A]", "[N/A]", "12.1"), why="no memory of its own"),
    "busy": Told(line(0, "NVIDIA A100-SXM4-40GB", 40960, 900, "8.0"), why="is busy: 0.9 GB"),
    "capability not told": Told(line(0, "NVIDIA A100", 40960, 40000, "[N/A]"), why="does not report its compute"),
}


def cards(name: str) -> tuple[Gpu, ...]:
    """The cards of a machine of the table."""
    return gpus_of(MACHINES[name].listing, MACHINES[name].slices)


def machine(name: str, *, compiles: bool = True, build: str = "cuda") -> Machine:
    """A machine of the table, with two cores and 24 GB."""
    return Machine(
        cores=(0, 1),
        memory=24 * 10**9,
        free_memory=20 * 10**9,
        free_disk=10**11,
        flags=("avx2", "avx512f"),
        gpus=cards(name),
        compiles=compiles,
        build=build,
    )


def install(folder: Path, name: str, status: int = 0) -> str:
    """Put a program ``nvidia-smi`` that tells of a machine of the table into a folder.

    Returns:
        ``PATH`` with that folder first.

    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "listing").write_text(MACHINES[name].listing)
    (folder / "slices").write_text(MACHINES[name].slices)
    program = folder / "nvidia-smi"
    program.write_text(
        f'#!/bin/sh\n[ {status} = 0 ] || {{ echo "couldn\'t communicate with the NVIDIA driver"; exit {status}; }}\n'
        f'[ "$1" = -L ] && exec cat {folder}/slices\nexec cat {folder}/listing\n'
    )
    program.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"
