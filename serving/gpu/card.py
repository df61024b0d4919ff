"""What is known of an NVIDIA card, and of what the driver told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Gpu:
    """An NVIDIA card, or a slice of one (MIG), which programs see as a card of its own.

    Attributes:
        name: as its driver names it.
        memory: bytes; ``None`` where the driver tells none ("[N/A]"), as of cards that share the machine's memory.
        free: bytes of it that nobody uses now; ``None`` where that is not told.
        capability: compute capability, major and minor; ``None`` where it is not told.
        driver: version of the driver; empty where it is not told.
        uuid: what names it in ``CUDA_VISIBLE_DEVICES``, "GPU-…" or "MIG-…"; empty where it is not told.
        index: place in the driver's list of cards; that of the whole card for a slice.
        minor: N of its device node ``/dev/nvidiaN``; ``None`` where it is not told.
        nodes: further device nodes that a slice needs: numbers of ``/dev/nvidia-caps/nvidia-capN``.

    """

    name: str
    memory: int | None = None
    free: int | None = None
    capability: tuple[int, int] | None = None
    driver: str = ""
    uuid: str = ""
    index: int = 0
    minor: int | None = None
    nodes: tuple[int, ...] = ()

    @property
    def is_slice(self) -> bool:
        """Whether it is a slice of a card."""
        return self.uuid.startswith("MIG-")

    def __str__(self) -> str:
        size = "memory unknown" if self.memory is None else f"{self.memory / 1e9:.0f} GB"
        left = "" if self.free is None else f", {self.free / 1e9:.1f} GB free"
        made = "" if self.capability is None else f", compute capability {self.capability[0]}.{self.capability[1]}"
        return f"{self.name} ({size}{left}{made})"


@dataclass(frozen=True)
class Found:
    """What the driver told.

    Attributes:
        gpus: the cards and slices that this process may use.
        trouble: why none could be asked for though a driver is installed, one sentence; empty where there is none.

    """

    gpus: tuple[Gpu, ...] = ()
    trouble: str = ""


def visible(gpus: tuple[Gpu, ...], wanted: str | None) -> tuple[Gpu, ...]:
    """Those cards that ``CUDA_VISIBLE_DEVICES`` leaves, in its order.

    Args:
        gpus: all there are.
        wanted: the variable's value: numbers or the beginnings of UUIDs; ``None`` where it is not set.

    """
    if wanted is None:
        return gpus
    kept: list[Gpu] = []
    for each in (part.strip() for part in wanted.split(",")):
        named = [gpu for gpu in gpus if each and (str(gpu.index) == each or gpu.uuid.startswith(each))]
        if not named:
            # As CUDA does: what follows an unknown name is not seen either.
            break
        kept += [gpu for gpu in named if gpu not in kept]
    return tuple(kept)


def version_of(told: str) -> tuple[int, ...]:
    """The numbers of a version, such as (580, 65, 6); none where it is no version."""
    parts = told.strip().split(".")
    return tuple(int(part) for part in parts) if all(part.isdigit() for part in parts) else ()
