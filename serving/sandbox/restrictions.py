"""What a sandboxed process imposes on itself before it executes what nobody vouches for. Pure.

Bubblewrap's filter and namespaces, or Landlock, hold whatever the process does from its start; the limits below are
set later, since importing torch needs more, and a process that forks for others must fork. ``inside/confine.py`` sets
them.
"""

from __future__ import annotations

import base64
from typing import Any

from serving.sandbox.cgroup import Limits
from serving.sandbox.seccomp import without_processes, without_shared_memory, without_writing

MEMORY = 4 * 1024**3
"""Bytes of a job, shared out evenly where it consists of several processes."""

ADDRESSES = 64 * 1024**3
"""Bytes of address space beside what is mapped already; torch and threads map far more than they use. Tables of pages
grow with what is mapped and are counted by nothing else."""

FILE = 64 * 1024 * 1024
"""Bytes of a file."""

DESCRIPTORS = 256

THREADS = 64
"""Threads of a job without processes."""

THREADS_EACH = 12
"""Threads a process may have on average where there are several; gloo makes three of a rank's."""

LIMITS = Limits(memory=MEMORY + 2**30, tasks=THREADS + 16)
"""Of all processes of a sandbox, and of what they write into memory; of a control group, where there can be one."""


def reading_only(memory: int, cpu_s: int) -> dict[str, Any]:
    """Returns what a process imposes on itself that reads hostile data and hands over what it found, as JSON data.

    Args:
        memory: bytes of address space.
        cpu_s: seconds of processor time.

    """
    own = restrictions(cpu_s=cpu_s)
    own["filters"] += [base64.b64encode(program).decode() for program in (without_writing(),) if program]
    return own | {"memory": memory, "space": memory, "addresses": None, "file": 0, "tasks": None}


def restrictions(
    processes: int = 0, *, cpu_s: int | None = None, gpu: bool = False, device_memory: int | None = None
) -> dict[str, Any]:
    """Returns what one process imposes on itself, as JSON data.

    Args:
        processes: how many it may start beside itself; 0 means none at all.
        cpu_s: seconds of processor time that it may use; ``None`` where only the clock on the wall ends it.
        gpu: whether it uses CUDA, which maps addresses without end and shares memory with the driver.
        device_memory: bytes of the card that torch may allocate in it; ``None`` where that is not limited.

    """
    together = 1 + processes
    filters = [] if processes else [without_processes()]
    filters += [] if gpu else [without_shared_memory()]
    return {
        "memory": MEMORY // together,
        "addresses": None if gpu else ADDRESSES,
        "file": FILE,
        "descriptors": DESCRIPTORS,
        "tasks": THREADS_EACH * together if processes else THREADS,
        "cpu_s": cpu_s,
        "device_memory": device_memory,
        "filters": [base64.b64encode(program).decode() for program in filters if program],
    }
