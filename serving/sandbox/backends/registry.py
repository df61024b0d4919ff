"""The sandbox backends that there are, best first, and which of them this machine has."""

from __future__ import annotations

from serving.errors import SandboxMissingError
from serving.sandbox.backends.base import SandboxBackend
from serving.sandbox.backends.bubblewrap import Bubblewrap
from serving.sandbox.backends.landlock import Landlock
from serving.sandbox.cgroup import limited

BACKENDS: tuple[SandboxBackend, ...] = (Bubblewrap(), Landlock())

REMEDY = "Install the package bubblewrap to have code executed."


def available() -> SandboxBackend | None:
    """Returns the best backend that can be used on this machine."""
    return next((backend for backend in BACKENDS if not backend.unavailable()), None)


def required(processes: int = 0) -> SandboxBackend:
    """Returns the best backend for code that starts so many processes.

    Raises:
        SandboxMissingError: there is none on this machine.

    """
    backend = available()
    if backend is None or unavailable(processes):
        raise SandboxMissingError(unavailable(processes), hint=REMEDY)
    return backend


def described() -> str:
    """Returns what holds code, and which limits all of its processes share; empty where nothing is executed."""
    backend = available()
    if backend is None:
        return ""
    shared = limited().words
    return (
        f"{backend.name}, its {shared} limited as a whole"
        if shared
        else f"{backend.name}, its memory limited by process"
    )


def unavailable(processes: int = 0) -> str:
    """Returns why code cannot be executed on this machine, in one sentence or two; empty where it can.

    Args:
        processes: how many the code starts beside its own. They talk over the loopback, which is the person's own
            where there is no network namespace, with the databases and model servers that listen there.

    """
    backend = available()
    best = BACKENDS[0].unavailable()
    if backend is None:
        return best
    if processes and not backend.isolates_processes:
        return f"This question needs several processes, which only {BACKENDS[0].name} can hold. {best}"
    return ""
