"""Starts the command of a cluster as a person does, in a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil

from deploy import programs
from serving.llm.vllm_server import free_port
from tests.benchmarks.load import take_vectors
from tests.found_programs import found_programs
from tests.locations import ROOT

TOLD = "told"
"""The file in the folder with what the command says."""


def started_cluster(folder: Path, *options: str, patience_s: float) -> tuple[subprocess.Popen[bytes], str]:
    """Start the command, and wait until it says where the interview is.

    Args:
        folder: for everything.
        options: of the command, beside its port and folder.
        patience_s: seconds within which it has to be there.

    Returns:
        The command's process, and where its proxy answers.

    Raises:
        RuntimeError: it did not come up; nothing of it runs then.

    """
    found = found_programs(folder, "setpriv", *programs.PACKAGES)
    # Whoever PostgreSQL runs as looks in, whatever permissions an earlier test left new folders with.
    found.chmod(0o755)
    take_vectors(folder / "home")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "deploy.cluster", "--port", str(port), "--folder", str(folder), *options]
    with (folder / TOLD).open("wb") as told:
        process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PATH": str(found)}, stdout=told, stderr=told)
    end = time.monotonic() + patience_s
    while f"is at {url}" not in (folder / TOLD).read_text():
        if time.monotonic() > end or process.poll() is not None:
            process.kill()
            process.wait()
            raise RuntimeError(f"The cluster did not come up: {(folder / TOLD).read_text()}")
        time.sleep(0.05)
    return process, url


def parts_of(process: subprocess.Popen[bytes], word: str) -> list[psutil.Process]:
    """The parts of a cluster that run, by the end of a word of their command lines."""
    return [each for each in psutil.Process(process.pid).children() if any(part.endswith(word) for part in line(each))]


def line(process: psutil.Process) -> list[str]:
    """The command line of a process; empty where it has ended."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []
