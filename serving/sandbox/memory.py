"""How much memory a process and what it started have held at once, as the kernel tells: measured from outside."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

_PROC = Path("/proc")


def most_held(process: int, proc: Path = _PROC) -> int | None:
    """Bytes of the most that any one process of a tree has held at once; ``None`` where the kernel does not tell.

    It is ``VmHWM`` of ``man 5 proc_pid_status``, which no program can lower for itself by what it does in Python. It
    counts whole pages, libraries included, so that differences of a few megabytes mean nothing.
    """
    held = [bytes_ for each in tree(process, proc) if (bytes_ := _peak(proc / str(each) / "status")) is not None]
    return max(held, default=None)


def tree(process: int, proc: Path = _PROC) -> Iterator[int]:
    """A process and all that it and its children started, as far as they live."""
    yield process
    with contextlib.suppress(OSError, ValueError):
        for task in (proc / str(process) / "task").iterdir():
            for child in (task / "children").read_text(encoding="ascii").split():
                yield from tree(int(child), proc)


def _peak(status: Path) -> int | None:
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in status.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return None
