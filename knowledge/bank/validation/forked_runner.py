"""Runs jobs of the bank's own code as the sandbox would, in forks of a process that has torch: fast, and no wall.

For the bank only, whose code is trusted as much as this program; everything else goes through ``WorkerPool``.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from serving.sandbox.frame_decoder import Reading, decoded
from serving.sandbox.pool import INSIDE, End, Job, Report, words

SERVER = Path(__file__).with_name("fork_server.py")


class ForkedRunner:
    """A ``Runner`` for trusted code. Safe to use from several threads, which take turns."""

    isolation = "none"

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(SERVER), str(INSIDE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._turn = threading.Lock()
        # At the end of its input it ends.
        atexit.register(self._process.communicate)

    def unavailable(self, processes: int) -> str:
        """Never anything: there are no walls that could be missing."""
        del processes
        return ""

    def run(self, job: Job) -> Report:
        """What became of a job."""
        begun = time.monotonic()
        process = self._process
        if process.stdin is None or process.stdout is None:
            raise AssertionError("started without pipes")
        with self._turn, tempfile.TemporaryDirectory() as room:
            order = {"room": room, "seconds": job.longest, "job": words(job).decode()}
            process.stdin.write(json.dumps(order) + "\n")
            process.stdin.flush()
            late = json.loads(process.stdout.readline())
            read = decoded((Path(room) / "frames").read_bytes())
            printed = (Path(room) / "printed").read_text(errors="replace")
        end = End.TIMEOUT if late else End.DONE if read.reading is Reading.COMPLETE else End.NO_RESULT
        return Report(end=end, told=read.told, printed=printed, seconds=time.monotonic() - begun)
