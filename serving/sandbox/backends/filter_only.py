"""Processes that a filter of system calls and limits hold, and nothing else.

No backend for executing code: such a process reads every file that this program may read. It is for programs of our
own that read hostile data, on machines where no backend can be used: a fault in them then gets neither to the network
nor to other programs, and writes nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys

from serving.sandbox.backends.base import ENVIRONMENT, WorkerSpec
from serving.sandbox.backends.landlock import alone


class FilterOnly:
    """Starts processes that restrict themselves by seccomp, where a filter is known for the processor."""

    name = "seccomp"
    isolates_processes = False
    reaches_gpu = False

    def unavailable(self) -> str:
        """Returns an empty string: limits can be had everywhere."""
        return ""

    def launch(self, worker: WorkerSpec) -> subprocess.Popen[bytes]:
        """Starts a process.

        Raises:
            OSError: the system does not start it.

        """
        own = {"read": None, "filters": alone()}
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
