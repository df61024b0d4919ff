"""Measures a first start: ``python -m tests.benchmarks.first_mark``; a clone, an empty home, and the README's command.

Told are the seconds from ``make run`` to the page, to the first question, and to the first mark on an answer that is
given at once. All that is installed and fetched comes over the network, so the figures are those of its speed too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import psutil

from interviewer.storage.sqlite_journal import Journal
from interviewer.web.views.setup.layout import BY_NUMBER
from serving.llm.vllm_server import free_port
from tests.benchmarks.load import KINDS, ROOT, connection
from tests.http_page import HttpPage

LONGEST_S = 1200.0
ENVIRONMENT = ("PATH", "LANG", "PIP_", "UV_", "SSL_")
"""What the names of the variables begin with that the command gets: how registries are reached, and no more."""
WORDS = (
    "It keeps what was computed on the way and goes through it from the end, multiplying the local derivatives, so "
    "that each parameter gets the gradient of the loss. What is needed for that is stored during the forward pass."
)


async def until_marked(url: str, home: Path, begun: float, run: subprocess.Popen[bytes]) -> list[tuple[str, float]]:
    """Wait for the page, answer the first question at once, and wait for its mark.

    Args:
        url: of the page.
        home: the empty home, in which the journal comes to be.
        begun: seconds of the clock at the command.
        run: the command.

    Returns:
        What was waited for, with the seconds since the command.

    Raises:
        TimeoutError: it was not there within twenty minutes.
        RuntimeError: the command ended.

    """
    told = []
    async with asyncio.timeout(LONGEST_S), connection(url) as http:
        page = HttpPage(http)
        while True:
            try:
                await page.open()
                break
            except (httpx.HTTPError, OSError):
                if run.poll() is not None:
                    raise RuntimeError(f"make ended with {run.returncode}.") from None
                await asyncio.sleep(0.5)
        told.append(("the page", time.monotonic() - begun))
        for name, value in (("span", BY_NUMBER), ("length", 1), ("kinds", KINDS), ("reviews", False), ("talks", False)):
            page.put(name, value)
        await page.click("start")
        told.append(("the first question", time.monotonic() - begun))
        page.put("answer", WORDS)
        await page.click("send")
        while not marked(home, page.value("session")):
            await asyncio.sleep(1.0)
        told.append(("the first mark", time.monotonic() - begun))
    return told


def marked(home: Path, session: str) -> bool:
    """Whether the journal has a mark of an interview."""
    (path,) = home.rglob("journal.db")
    with Journal(path) as journal:
        return any(event.type == "answer_graded" for event in journal.events(session))


def main() -> None:
    """Measure and print."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home, clone, port = Path(folder) / "home", Path(folder) / "clone", free_port()
        home.mkdir()
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        kept = {name: value for name, value in os.environ.items() if name.startswith(ENVIRONMENT)}
        begun = time.monotonic()
        with (Path(folder) / "log").open("wb") as log:
            run = subprocess.Popen(
                ["make", "run", f"ARGS=--no-open --port {port}"],
                cwd=clone,
                env=kept | {"HOME": str(home)},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                told = asyncio.run(until_marked(f"http://127.0.0.1:{port}", home, begun, run))
            except RuntimeError:
                sys.stderr.write((Path(folder) / "log").read_text(encoding="utf-8", errors="replace")[-3000:])
                raise
            finally:
                started = psutil.Process(run.pid).children(recursive=True) if run.poll() is None else []
                if run.poll() is None:
                    os.killpg(run.pid, signal.SIGTERM)
                run.wait()
                for process in psutil.wait_procs(started, timeout=30)[1]:
                    process.kill()
    print("| from the command to | seconds |\n|---|---|")
    print("\n".join(f"| {what} | {seconds:.0f} |" for what, seconds in told))


if __name__ == "__main__":
    main()
