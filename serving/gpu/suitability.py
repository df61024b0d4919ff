"""Whether a card can be used for the judge, and why not, in a sentence. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from serving.gpu.card import Gpu, version_of
from serving.gpu.plan import NO_BF16, OLDEST, OLDEST_DRIVER, least


def lacks(gpu: Gpu) -> str:
    """What a card lacks for good, one sentence; empty where it can be used once there is room on it."""
    why = _why(gpu)
    return f"{gpu.name} cannot be used: {why}" if why else ""


def _why(gpu: Gpu) -> str:
    told, why = version_of(gpu.driver), ""
    if not told:
        why = "its driver reports no version."
    elif told < OLDEST_DRIVER:
        why = f"its driver {gpu.driver} is too old; {OLDEST_DRIVER[0]} or newer is needed."
    elif gpu.capability is None:
        why = "its driver does not report its compute capability."
    elif gpu.capability < OLDEST:
        why = f"its compute capability is {_dotted(gpu.capability)}; {_dotted(OLDEST)} or higher is needed."
    elif gpu.memory is None:
        why = "its driver reports no memory of its own ([N/A])."
    elif gpu.memory < least(gpu):
        why = f"it has {gpu.memory / 1e9:.1f} GB of memory, the judge needs {least(gpu) / 1e9:.1f} GB."
    return why


def lacks_now(gpu: Gpu, *, compiles: bool = True) -> str:
    """What a card lacks at this moment, one sentence; empty where it can be used.

    Args:
        gpu: the card.
        compiles: whether there are a compiler and headers.

    """
    if why := lacks(gpu):
        return why
    if gpu.free is not None and gpu.free < least(gpu):
        return (
            f"{gpu.name} is busy: {gpu.free / 1e9:.1f} GB of its memory are free, the judge needs "
            f"{least(gpu) / 1e9:.1f} GB."
        )
    if gpu.capability is not None and gpu.capability < NO_BF16 and not compiles:
        return (
            f"{gpu.name} cannot be used: what reads prompts on it has to be compiled, and gcc or the headers of "
            "Python are missing (Debian: build-essential and python3-dev)."
        )
    return ""


def best(gpus: Sequence[Gpu], *, compiles: bool = True) -> Gpu | None:
    """The card with the most room of those that can be used now; the first where several have the same."""
    usable = [gpu for gpu in gpus if not lacks_now(gpu, compiles=compiles)]
    return max(usable, key=lambda gpu: gpu.free if gpu.free is not None else gpu.memory or 0, default=None)


def _dotted(capability: tuple[int, int]) -> str:
    return f"{capability[0]}.{capability[1]}"
