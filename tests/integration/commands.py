"""Runs commands as another program would: as processes, with their streams and exit statuses."""

import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def run(*arguments, timeout=280, **environment):
    """A finished command."""
    return subprocess.run(
        [sys.executable, str(ROOT / "app.py"), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**os.environ, **environment},
        cwd=ROOT,
        check=False,
    )


def start(*arguments, **environment):
    """A command that goes on."""
    return subprocess.Popen(
        [sys.executable, str(ROOT / "app.py"), *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        cwd=ROOT,
    )


def kill(process):
    """As ``kill -9`` does it."""
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stderr.close()
