"""What the steps work with: the machine, its card, and the profile that follows."""

from __future__ import annotations

import os
import subprocess
from typing import Any

from serving import machine as hardware
from serving import paths
from serving.diagnostics.doctor import PACKAGES, _version
from serving.frozen import FrozenModel
from serving.gpu.card import Gpu
from serving.gpu.probe import VISIBLE
from serving.llm.server_state import without_ours
from serving.machine import Machine, Profile
from tests.locations import ROOT


class Stage(FrozenModel):
    """What there is to work with.

    Attributes:
        machine: this machine.
        profile: how the judge would be served on it.

    """

    machine: Machine
    profile: Profile

    @property
    def gpu(self) -> Gpu:
        """The card; steps are only taken where there is one."""
        if self.profile.gpu is None:
            raise AssertionError("a step was taken without a card")
        return self.profile.gpu

    @property
    def lacking(self) -> str:
        """Why no step can be taken here, one sentence; empty where they can."""
        if self.profile.gpu is not None:
            return ""
        return f"A card is needed, and none can be used here. {self.profile.reasons[0]}"

    def about(self) -> dict[str, Any]:
        """What results are about: nothing of the person, so that the file can be sent."""
        revision = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout.strip()
        return {
            "revision": revision,
            "packages": {name: version for name in PACKAGES if (version := _version(name))},
            "cores": len(self.machine.cores),
            "memory": self.machine.memory,
            "cards": [str(gpu) for gpu in self.machine.gpus],
            "driver": next((gpu.driver for gpu in self.machine.gpus), ""),
            "profile": self.profile.model_dump(mode="json", exclude={"gpu": {"uuid"}}),
        }


def stage() -> Stage:
    """Look at the machine, and have this process see the card that is used and no other."""
    machine = without_ours(hardware.inspect(paths.home()), "judge")
    profile = hardware.choose(machine)
    if (seen := hardware.visible_devices(machine, profile)) is not None:
        os.environ[VISIBLE] = seen
    return Stage(machine=machine, profile=profile)
