"""Runs pieces of the bank's own code, each in a process of its own that finds torch already imported.

Importing torch takes seconds and hundreds of pieces need it, so one process imports it and every piece runs in a
fork of that. It must never compute anything itself: OpenMP does not survive a fork. This protects one piece from
another, not the machine from a piece: other people's code belongs into a sandbox.
"""

from __future__ import annotations

import atexit
import importlib
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import NamedTuple

TIMEOUT_S = 120.0
"""How long one piece of code may run; some start processes of their own, which is slow on a busy machine."""

_SHARED = ("torch", "torch._dynamo", "torch.testing", "torch.utils.data", "torch.utils.checkpoint")
"""What takes long to import: optimisers import Dynamo."""


class Ran(NamedTuple):
    """What became of a piece of code.

    Attributes:
        error: the last line of its error; empty where it ran to its end.
        printed: the lines it printed, without blanks at their ends.

    """

    error: str
    printed: tuple[str, ...]


class Samples:
    """A process that runs one piece of code after another; it lasts as long as this one."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        # At the end of its input it ends.
        atexit.register(self._process.communicate)

    def run(self, source: str, timeout_s: float | None = None) -> Ran:
        """Runs Python in a process and an empty folder of its own.

        Args:
            source: the code.
            timeout_s: seconds after which it is stopped; ``TIMEOUT_S`` by default.

        """
        limit = TIMEOUT_S if timeout_s is None else timeout_s
        assert self._process.stdin is not None  # noqa: S101 - asked for
        assert self._process.stdout is not None  # noqa: S101 - asked for
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "sample.py").write_text(source, encoding="utf-8")
            self._process.stdin.write(f"{limit} {folder}\n")
            self._process.stdin.flush()
            outcome = self._process.stdout.readline().strip()
            said = _lines(Path(folder, "stderr"))
            printed = _lines(Path(folder, "stdout"))
        if outcome == "0":
            return Ran("", printed)
        if outcome == "late":
            return Ran(f"not done after {limit:g} s", printed)
        return Ran(said[-1] if said else f"exit status {outcome}", printed)


def _lines(path: Path) -> tuple[str, ...]:
    text = path.read_text(encoding="utf-8", errors="replace")
    return tuple(line.rstrip() for line in text.strip().splitlines())


def _serve() -> None:
    """Reads seconds and a folder a line, runs ``sample.py`` there and answers with its exit status or ``late``."""
    for shared in _SHARED:
        importlib.import_module(shared)
    for line in sys.stdin:
        timeout, _, folder = line.strip().partition(" ")
        child = os.fork()
        if child == 0:
            _become(folder)
        print(_outcome(child, float(timeout)), flush=True)


def _outcome(child: int, timeout_s: float) -> str:
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return str(os.waitstatus_to_exitcode(status))
        time.sleep(0.01)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "late"


def _become(folder: str) -> None:
    """Turns a fork into a program that runs the folder's script, and ends it."""
    os.setsid()
    os.chdir(folder)
    for name, descriptor in ((os.devnull, 0), ("stdout", 1), ("stderr", 2)):
        file = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(file, descriptor)
        os.close(file)
    path = os.environ.get("PATH", "")
    os.environ.clear()
    os.environ.update(PATH=path, HOME=folder, OMP_NUM_THREADS="1")
    sys.argv[:] = ["sample.py"]
    sys.path.insert(0, folder)
    status = 0
    try:
        runpy.run_path("sample.py", run_name="__main__")
    except SystemExit as leaving:
        status = 0 if leaving.code is None else 1
    except BaseException:  # noqa: BLE001 - the fork must end here, whatever the script raised
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    # Leaving in the usual way would take half a second for tidying up all of torch.
    os._exit(status)


if __name__ == "__main__":
    _serve()
