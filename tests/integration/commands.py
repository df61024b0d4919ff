"""Runs commands, as another program would, as processes with their streams and exit statuses, or in this one."""

import io
import os
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

from interviewer.cli.main import main

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


def in_process(*arguments):
    """A command that ran in this process: exit status, output, and messages on one line."""
    out, err = io.StringIO(), io.StringIO()
    given = ["app.py", *map(str, arguments)]
    with mock.patch.object(sys, "argv", given), redirect_stdout(out), redirect_stderr(err):
        status = main()
    return status, out.getvalue(), " ".join(err.getvalue().split())


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
