"""A head of its own for a card: fitted there (``calibrate`` on a card), used there, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

from rubric.fitted_weights import STATE_HEAD
from rubric.grading import state_head
from rubric.grading.state_head import Head
from serving import paths
from serving.machine import Profile


def target_for(profile: Profile, reader: str = "vllm") -> Path:
    """Where weights that are fitted under a profile are kept: in the project for a CPU, else with the person's data.

    Args:
        profile: how the judge is served.
        reader: what computes the states they are fitted to, ``vllm`` or ``torch``.

    """
    if profile.gpu is None and reader == "vllm":
        return STATE_HEAD
    device = profile.gpu.name if profile.gpu is not None else profile.device
    form = profile.format if reader == "vllm" else "bf16-torch"
    name = re.sub(r"[^a-z0-9]+", "-", f"{device} {form}".lower()).strip("-")
    return paths.made(paths.home() / "weights") / f"state-head-{name}.npz"


def own_head(profile: Profile) -> bool:
    """Whether weights were fitted on this very kind of card."""
    return profile.device == "cuda" and target_for(profile).is_file()


def head_for(profile: Profile) -> Head:
    """The weights that read the states of a profile.

    Raises:
        ModelMissingError: the file is not there or is no head for these signals.

    """
    return state_head.load(target_for(profile) if own_head(profile) else STATE_HEAD)
