"""A control group for each worker: memory and processes of all that it starts, together, where one may be made.

Version 1: below the group that this program is in. Version 2: there, or beside it, since a group whose processes it
holds itself hands no controllers on; systemd leaves a person's own slice to that person. See the kernel's
``Documentation/admin-guide/cgroup-v2.rst`` and ``cgroup-v1/memory.rst``.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import itertools
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from serving.frozen import FrozenModel

MOUNTED = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")
GONE_S = 1.0
"""Seconds to wait, at the end of the program, until a group's processes are gone."""

_FILES = {("memory", 1): "memory.limit_in_bytes", ("memory", 2): "memory.max"}
_PREFIX = "interview-sandbox-"
_ENTER = """
n=$1; shift
while [ "$n" -gt 0 ]; do echo $$ > "$1/cgroup.procs" || exit 1; shift; n=$((n - 1)); done
exec "$@"
"""
_numbers = itertools.count()
_left: set[Path] = set()


class Limits(FrozenModel):
    """What all processes of a group may have together.

    Attributes:
        memory: bytes, what lies in memory file systems included; ``None`` where it is not limited.
        tasks: processes and threads; ``None`` where they are not limited.

    """

    memory: int | None = None
    tasks: int | None = None

    @property
    def words(self) -> str:
        """What is limited, such as "memory and processes"; empty where nothing is."""
        named = (("memory", self.memory), ("processes", self.tasks))
        return " and ".join(name for name, most in named if most is not None)


class _Place(NamedTuple):
    """Where groups of a controller can be made, and which version's they are."""

    folder: Path
    version: int


class Group:
    """A control group with limits; those that cannot be set here are left out, be it all of them.

    Attributes:
        limits: those in force.

    Args:
        limits: of all its processes together.
        mounted: where the kernel's groups are mounted.
        own: the file that tells which groups this program is in.

    """

    def __init__(self, limits: Limits, mounted: Path = MOUNTED, own: Path = OWN) -> None:
        _sweep(0.0)
        name = f"{_PREFIX}{os.getpid()}-{next(_numbers)}"
        self._folders: set[Path] = set()
        found: dict[str, int] = {}
        for controller, most in (("memory", limits.memory), ("pids", limits.tasks)):
            for place in _places(controller, mounted, own) if most is not None else ():
                folder = place.folder / name
                with contextlib.suppress(OSError):
                    folder.mkdir(exist_ok=True)
                    self._folders.add(folder)
                    file = _FILES.get((controller, place.version), "pids.max")
                    (folder / file).write_text(str(most), encoding="ascii")
                    found[controller] = int(most or 0)
                    break
        self.limits = Limits(memory=found.get("memory"), tasks=found.get("pids"))

    def entering(self, program: list[str]) -> list[str]:
        """The command that runs a program inside of the group; it fails where the group cannot be entered."""
        folders = [str(folder) for folder in self.folders]
        return ["/bin/sh", "-c", _ENTER, "sh", str(len(folders)), *folders, *program] if folders else program

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where the kernel tells of the group: one folder for each controller, or one for both."""
        return tuple(sorted(self._folders))

    def close(self) -> None:
        """Takes the group away as soon as its processes, which must have been killed, are gone."""
        _left.update(self._folders)
        self._folders.clear()
        _sweep(0.0)


@functools.cache
def limited() -> Limits:
    """The kinds of limits that can be set on this machine: a group is made, entered, and taken away again."""
    for controller in ("memory", "pids"):
        for place in _places(controller, MOUNTED, OWN):
            # Of a program that was killed; those in use stay.
            _left.update(place.folder.glob(f"{_PREFIX}*"))
    _sweep(0.0)
    _left.clear()
    group = Group(Limits(memory=2**30, tasks=64))
    entered = subprocess.run(group.entering(["/bin/true"]), capture_output=True, check=False, env={})
    group.close()
    return group.limits if entered.returncode == 0 else Limits()


def _sweep(seconds: float) -> None:
    until = time.monotonic() + seconds
    for folder in sorted(_left):
        while True:
            with contextlib.suppress(OSError):
                folder.rmdir()
            if not folder.exists():
                _left.discard(folder)
                break
            if time.monotonic() >= until:
                break
            time.sleep(0.01)


atexit.register(_sweep, GONE_S)


def _places(controller: str, mounted: Path, own: Path) -> Iterator[_Place]:
    """Where groups of a controller might be made, best first."""
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, names, path = line.split(":", 2)
        if controller in names.split(","):
            yield _Place(mounted / controller / path.lstrip("/"), 1)
        elif not names:
            folder = mounted / path.lstrip("/")
            for place in (folder, folder.parent)[: 2 if folder != mounted else 1]:
                with contextlib.suppress(OSError):
                    if controller in (place / "cgroup.subtree_control").read_text(encoding="ascii").split():
                        yield _Place(place, 2)
