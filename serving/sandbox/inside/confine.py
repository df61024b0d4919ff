"""What a process imposes on itself before it executes what nobody vouches for; nothing takes it back again.

``serving/sandbox/restrictions.py`` says what. Stands alone but for its neighbors.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import importlib
import resource
from typing import Any

_SET_DUMPABLE = 4


def confine(restrictions: dict[str, Any], own: dict[str, Any]) -> None:
    """Sets limits, and leaves this process some folders to read and some system calls.

    Args:
        restrictions: "memory", "space" (address space), "addresses" (the same, beside what is mapped already), "file"
            (bytes), "descriptors", "tasks" (counts), "cpu_s" (seconds), each ``None`` or absent where it is not
            limited, and "filters": programs of seccomp in base 64.
        own: "read" (files and folders; ``None`` where Landlock is missing) and "filters", where nothing else holds this
            process; empty otherwise.

    Raises:
        OSError: the kernel refuses.

    """
    lock: Any = importlib.import_module("lock")
    be_expendable()
    _limit(restrictions)
    if own.get("read") is not None:
        lock.lock(own["read"])
    for program in (*own.get("filters", ()), *restrictions["filters"]):
        lock.forbid(base64.b64decode(program))


def be_expendable() -> None:
    """Makes this process the first to go where memory runs out."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
        score.write("1000")


def hide() -> None:
    """Keeps other processes of the same user from reading and writing this one's memory and descriptors."""
    ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def show() -> None:
    """Takes ``hide`` back, so that this process finds itself below ``/proc`` again."""
    ctypes.CDLL(None).prctl(_SET_DUMPABLE, 1, 0, 0, 0)


def _limit(restrictions: dict[str, Any]) -> None:
    most = {
        resource.RLIMIT_DATA: restrictions.get("memory"),
        resource.RLIMIT_AS: restrictions.get("space") or _beside_what_is_mapped(restrictions.get("addresses")),
        resource.RLIMIT_FSIZE: restrictions.get("file"),
        resource.RLIMIT_NOFILE: restrictions.get("descriptors"),
        resource.RLIMIT_NPROC: restrictions.get("tasks"),
        resource.RLIMIT_CORE: 0,
    }
    for what, limit in most.items():
        if limit is not None:
            resource.setrlimit(what, (limit, limit))
    if (seconds := restrictions.get("cpu_s")) is not None:
        # At the first the kernel asks it to end, at the second it ends it.
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def _beside_what_is_mapped(more: int | None) -> int | None:
    if more is None:
        return None
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize() + more
