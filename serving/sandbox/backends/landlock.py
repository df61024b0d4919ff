"""Processes that Landlock and seccomp hold, for machines on which bubblewrap may not be used.

Such a process is started as any other and restricts itself before it executes what nobody vouches for
(``inside/confine.py``): it then reads the system and what it was shown, writes nowhere, and starts nothing.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys

from serving.sandbox.backends.base import ENVIRONMENT, WorkerSpec, interpreter
from serving.sandbox.inside.lock import landlock_abi
from serving.sandbox.seccomp import filter_program, without_writing

ABI = 3
"""The first version of Landlock that can hold off truncating files."""

_READ = (
    *("/usr", "/lib", "/lib64", "/dev/null", "/dev/urandom"),
    *("/proc/cpuinfo", "/sys/devices/system/cpu"),
)


class Landlock:
    """The backend that uses Landlock and seccomp."""

    name = "Landlock and seccomp"
    isolates_processes = False
    reaches_gpu = False

    def unavailable(self) -> str:
        """Returns why they cannot be used here; empty where they can."""
        if not filter_program(alone=True):
            return "Code is not executed: no filter of system calls is known for this processor."
        if landlock_abi() < ABI:
            return "Code is not executed: this kernel has no Landlock, or one that is too old."
        return ""

    def launch(self, worker: WorkerSpec) -> subprocess.Popen[bytes]:
        """Starts a process.

        Raises:
            OSError: the system does not start it.

        """
        own = {
            "read": [*_READ, *map(str, (*interpreter(), *worker.shown))],
            "filters": alone(),
        }
        return subprocess.Popen(
            worker.entering([sys.executable, *worker.arguments, json.dumps(own)]),
            stdin=worker.stdin,
            stdout=worker.stdout,
            stderr=worker.stderr,
            pass_fds=worker.descriptors,
            cwd=worker.folder or "/",
            env=ENVIRONMENT | {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"},
            # Ctrl-C reaches this program alone, which then ends the process.
            start_new_session=True,
        )


def alone() -> list[str]:
    """Returns the filters of a process that no namespaces surround, in base 64.

    Landlock lets modes and times of files change, so a filter of its own keeps them.
    """
    filters = (filter_program(alone=True), without_writing())
    return [base64.b64encode(program).decode() for program in filters if program]
