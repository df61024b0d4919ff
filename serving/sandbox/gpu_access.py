"""What a sandboxed process gets of a card: device nodes of one card or slice, and what the driver reads.

NVIDIA's driver lists the machine's cards through ``/dev/nvidiactl`` and leaves out those whose node it cannot open, so
that a process sees the one card it has the node of. ``libcuda`` reads the topology of the machine below ``/sys``;
without it ``cuInit`` gives error 304 (an operating system call failed). ``/dev/nvidia-modeset`` (screens) and the nodes
in ``/dev/nvidia-caps`` that cut cards into slices are never given.
"""

from __future__ import annotations

from pathlib import Path

from serving.frozen import FrozenModel
from serving.gpu.card import Gpu

SHARED = ("/dev/nvidiactl", "/dev/nvidia-uvm")
"""Nodes that every use of a card needs."""

READ = (
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/bus/pci/devices",
    "/sys/module/nvidia",
    "/sys/module/nvidia_uvm",
)
"""What the driver reads, beside the tree of PCI devices that the links in ``/sys/bus/pci/devices`` lead to."""

NEEDED = READ[:3]
"""Those that every machine with a card has."""

PCI = "/sys/devices/pci*"

MEMORY = 4 * 1024**3
"""Bytes of a card that a job may hold, its CUDA context included, where the card has so much room."""


class GpuAccess(FrozenModel):
    """What a process gets of a card.

    Attributes:
        nodes: device nodes.
        reads: files and folders that it may read.
        missing: what is needed and is not there.
        visible: the card's name in ``CUDA_VISIBLE_DEVICES``; empty where the driver told none.
        memory: bytes of the card that the process may hold.

    """

    nodes: tuple[str, ...]
    reads: tuple[str, ...]
    missing: tuple[str, ...] = ()
    visible: str = ""
    memory: int = MEMORY


def access(gpu: Gpu, memory: int = MEMORY, root: Path = Path("/")) -> GpuAccess:
    """What a process needs to use one card or slice, as far as it is there.

    Args:
        gpu: the card or slice.
        memory: bytes of it that the process may hold.
        root: the folder to look in; another one than ``/`` in tests.

    """
    own = f"/dev/nvidia{gpu.index if gpu.minor is None else gpu.minor}"
    nodes = (*SHARED, own, *(f"/dev/nvidia-caps/nvidia-cap{node}" for node in gpu.nodes))
    trees = sorted(f"/{path.relative_to(root)}" for path in root.glob(PCI.lstrip("/")))
    missing = [path for path in (*nodes, *NEEDED) if not _there(root, path)]
    if gpu.is_slice and len(gpu.nodes) != 2:
        missing.append("the slice's nodes in /dev/nvidia-caps")
    return GpuAccess(
        nodes=tuple(path for path in nodes if _there(root, path)),
        reads=tuple(path for path in (*READ, *trees) if _there(root, path)),
        missing=tuple(missing),
        visible=gpu.uuid,
        memory=memory,
    )


def _there(root: Path, path: str) -> bool:
    return (root / path.lstrip("/")).exists()
