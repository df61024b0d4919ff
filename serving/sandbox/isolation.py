"""Which walls this machine has for code that nobody vouches for, best first."""

from __future__ import annotations

from serving.sandbox.inside.lock import landlock_abi
from serving.sandbox.runner import missing
from serving.sandbox.seccomp import filter_program

LANDLOCK_ABI = 3
"""The first that can hold off truncating files."""


def bubblewrapped() -> bool:
    """Whether bubblewrap can be used here."""
    return not missing()


def isolation() -> str:
    """What holds a submission on this machine; empty where nothing can, so that nothing is executed."""
    if bubblewrapped():
        return "bubblewrap"
    if landlock_abi() >= LANDLOCK_ABI and filter_program(alone=True):
        return "Landlock and seccomp"
    return ""
