"""The protocol of a sandbox backend, and the description of a process that it starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Protocol

from pydantic import ConfigDict

from serving.frozen import FrozenModel
from serving.sandbox.cgroup import Group
from serving.sandbox.gpu_access import GpuAccess

ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "HF_HUB_OFFLINE": "1",
}
"""Environment variables of every sandboxed process, beside those that name its folders."""


class WorkerSpec(FrozenModel):
    """A Python process to start in a sandbox.

    Attributes:
        arguments: of the interpreter; the backend appends one, the JSON object that ``inside/confine.py`` takes as
            ``own``: what the process has to impose on itself because the backend does not.
        shown: files and folders it may read, at their own paths, beside the system and the interpreter.
        folder: its working folder; the backend's own where ``None``.
        descriptors: open file descriptors that it inherits, beside its standard streams.
        stdin, stdout, stderr: as ``subprocess.Popen`` takes them.
        gpu: what it gets of a card; ``None`` for nothing.
        group: the control group that it enters; ``None`` for none.

    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    arguments: tuple[str, ...]
    shown: tuple[Path, ...] = ()
    folder: Path | None = None
    descriptors: tuple[int, ...] = ()
    stdin: int = subprocess.DEVNULL
    stdout: int = subprocess.DEVNULL
    stderr: int = subprocess.DEVNULL
    gpu: GpuAccess | None = None
    group: Group | None = None

    def entering(self, line: list[str]) -> list[str]:
        """Returns the command that runs another one inside of the control group."""
        return line if self.group is None else self.group.entering(line)


class SandboxBackend(Protocol):
    """A way of starting processes that are cut off from the machine.

    Attributes:
        name: for a person, such as "bubblewrap".
        isolates_processes: whether the process gets process ids and a network of its own, so that it may be allowed
            to start further processes.
        reaches_gpu: whether the process can be given a card.

    """

    name: str
    isolates_processes: bool
    reaches_gpu: bool

    def unavailable(self) -> str:
        """Returns why it cannot be used on this machine, in one sentence; empty where it can."""
        ...

    def launch(self, worker: WorkerSpec) -> subprocess.Popen[bytes]:
        """Starts a process.

        Raises:
            OSError: the system does not start it.

        """
        ...


def interpreter() -> tuple[Path, ...]:
    """Returns the folders that the running interpreter needs: its own tree, and the environment of its packages."""
    return tuple(dict.fromkeys((Path(sys.base_prefix), Path(sys.prefix))))
