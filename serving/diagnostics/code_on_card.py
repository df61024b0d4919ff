"""Whether submitted code can be run on a card here: the card for it, tried out in the sandbox."""

from __future__ import annotations

import os

from serving.gpu.code_card import WISH, code_card
from serving.machine import Machine, Profile
from serving.sandbox.gpu_access import MEMORY, GpuAccess, access
from serving.sandbox.gpu_probe import tried


def access_for_code(machine: Machine, profile: Profile) -> tuple[GpuAccess | None, str]:
    """What a job gets of a card, and where it gets none, why, in a sentence.

    Args:
        machine: what there is.
        profile: how the judge is served on it.

    """
    if not machine.gpus:
        return None, ""
    if machine.build == "cpu":
        return None, "Code runs on the processor: the installed packages use no card."
    asked = os.environ.get(WISH, "").strip().lower() in {"yes", "on", "1"}
    taken = profile.plan.memory if profile.plan is not None else 0
    card, memory = code_card(machine.gpus, profile.gpu, taken, asked=asked, most=MEMORY)
    if card is None:
        room = "has no room for it beside the judge" if asked else f"is the judge's ({WISH}=yes runs code there too)"
        return None, f"Code runs on the processor: {profile.gpu.name} {room}." if profile.gpu is not None else (
            "Code runs on the processor: no card can be used."
        )
    found = access(card, memory)
    trouble = tried(found).trouble
    return (None, trouble) if trouble else (found, "")
