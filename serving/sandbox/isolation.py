"""Which walls this machine has for code that nobody vouches for, best first."""

from __future__ import annotations

from serving.sandbox.cgroup import limited
from serving.sandbox.inside.lock import landlock_abi
from serving.sandbox.runner import missing
from serving.sandbox.seccomp import filter_program

REMEDY = "Install the package bubblewrap to have code executed."

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


def described() -> str:
    """What holds a submission, and which limits all of its processes share; empty where nothing is executed."""
    walls = isolation()
    shared = limited().words if walls else ""
    if not walls:
        return ""
    return f"{walls}, its {shared} limited as a whole" if shared else f"{walls}, its memory limited by process"


def unavailable(processes: int = 0) -> str:
    """Why code cannot be executed on this machine, one sentence or two; empty where it can.

    Args:
        processes: how many the code starts beside its own. They talk over the loopback, which is the person's own
            where there is no network namespace, with the databases and model servers that listen there.

    """
    if bubblewrapped() or (not processes and isolation()):
        return ""
    if isolation():
        return f"This question needs several processes, which only bubblewrap can hold. {missing()}"
    return missing()
