"""Where the interviews take place: a home, an app with its page, commands, and a model server that stands in for vLLM.

The guardian, the state file and the watching are the product's own; what the guardian starts is
``tests.benchmarks.paced_server``, found because a package ``vllm`` lies before the real one on the path.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import psutil

from interviewer.storage.sqlite_journal import Journal
from serving import paths
from serving.llm.server_state import ServerState
from serving.llm.vllm_server import free_port
from tests.benchmarks.load import linked_models, take_vectors
from tests.found_programs import found_programs

ROOT = Path(__file__).parents[2]
PACE = 0.15
"""Share of the real model's time that the stand-in takes: enough for a kill to meet a grading."""

PATIENCE_S = 900.0
"""Seconds within which anything that is waited for has to happen, on however busy a machine."""

_STAND_IN = """
import sys
from tests.benchmarks.paced_server import serve_paced
serve_paced(int(sys.argv[sys.argv.index("--port") + 1]), {pace})
"""
"""What stands in for the package ``vllm``: whoever imports it serves states at a fixed pace."""


class Stage:
    """A home with an app that can be killed and started again at the same address.

    Args:
        folder: for everything.
        real: with the real model server.

    """

    def __init__(self, folder: Path, *, real: bool = False) -> None:
        self.folder = folder
        self.home, self.models = folder / "home", folder / "models"
        self.home.mkdir()
        take_vectors(self.home)
        linked_models(self.models)
        self.port = free_port()
        self.app: subprocess.Popen[bytes] | None = None
        self._mine: dict[int, psutil.Process] = {}
        self.environment = {
            **os.environ,
            paths.HOME_VARIABLE: str(self.home),
            paths.MODELS_VARIABLE: str(self.models),
            "PATH": str(found_programs(folder)),
        }
        if not real:
            self.environment["PYTHONPATH"] = str(self._stand_in())

    @property
    def url(self) -> str:
        """The page's address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def journal_path(self) -> Path:
        """The journal."""
        return self.home / "journal.db"

    def journal(self) -> Journal:
        """Returns the journal, opened beside the app."""
        return Journal(self.journal_path, patience_s=60.0)

    def serve(self) -> None:
        """Start the app, and wait until its page answers."""
        command = [sys.executable, str(ROOT / "app.py"), "serve", "--port", str(self.port), "--no-open"]
        with (self.folder / "app.log").open("ab") as log:
            self.app = subprocess.Popen(command, env=self.environment, cwd=ROOT, stdout=log, stderr=log)
        until(self._answers, f"the page at {self.url}")

    def _answers(self) -> bool:
        if self.app is None or self.app.poll() is not None:
            raise RuntimeError(f"the app ended; see {self.folder / 'app.log'}")
        try:
            return httpx.get(self.url, timeout=30.0).is_success
        except httpx.HTTPError:
            time.sleep(0.5)
            return False

    def restart(self) -> None:
        """Start the app where it has ended."""
        if not self.is_running():
            self.serve()

    def is_running(self) -> bool:
        """Whether the app's process lives."""
        return self.app is not None and self.app.poll() is None

    def command(self, *arguments: str | Path) -> subprocess.Popen[bytes]:
        """Start a command."""
        line = [sys.executable, str(ROOT / "app.py"), *map(str, arguments)]
        with (self.folder / "commands.log").open("ab") as log:
            return subprocess.Popen(line, env=self.environment, cwd=ROOT, stdout=log, stderr=log)

    def guardian(self) -> psutil.Process | None:
        """Returns the guardian that the state file names, if it lives and its server answers nobody knows what."""
        try:
            state = ServerState.model_validate_json((self.models / "run" / "judge.json").read_text())
            return psutil.Process(state.pid)
        except (OSError, ValueError, psutil.Error):
            return None

    def server(self) -> psutil.Process | None:
        """Returns the model server's process, if there is one."""
        guardian = self.guardian()
        with suppress(psutil.Error):
            children = guardian.children() if guardian else []
            return children[0] if children else None
        return None

    def workers(self) -> list[psutil.Process]:
        """Returns the outermost processes of the app's sandbox workers."""
        with suppress(psutil.Error):
            if self.app is not None:
                below = psutil.Process(self.app.pid).children(recursive=True)
                return [each for each in below if _names(each, "bwrap") or _names(each, "worker.py")]
        return []

    def remember(self) -> None:
        """Note every process that was started here, to be looked for at the end."""
        roots = [os.getpid()]
        guardian = self.guardian()
        with suppress(psutil.Error):
            found = [each for pid in roots for each in psutil.Process(pid).children(recursive=True)]
            found += [guardian, *guardian.children(recursive=True)] if guardian else []
            self._mine |= {each.pid: each for each in found}

    def close(self) -> list[str]:
        """End everything.

        Returns:
            What outlived its owner for half a minute: command lines.

        """
        self.remember()
        if self.app is not None and self.app.poll() is None:
            self.app.terminate()
            self.app.wait(60)
        stop = self.command("stop")
        stop.wait(PATIENCE_S)
        mine = [each for each in self._mine.values() if str(self.folder) in _environment(each)]
        _, alive = psutil.wait_procs(mine, timeout=30)
        told = []
        for process in alive:
            with suppress(psutil.Error):
                told.append(" ".join(process.cmdline())[:200])
                process.kill()
        return told

    def _stand_in(self) -> Path:
        folder = self.folder / "path"
        module = folder / "vllm"
        module.mkdir(parents=True)
        (module / "__init__.py").write_text(_STAND_IN.format(pace=PACE))
        return folder


def _names(process: psutil.Process, word: str) -> bool:
    with suppress(psutil.Error):
        return any(part.endswith(word) for part in process.cmdline()[:3])
    return False


def _environment(process: psutil.Process) -> str:
    with suppress(psutil.Error):
        return process.environ().get(paths.HOME_VARIABLE, "")
    return ""


def until(ready: Callable[[], bool], what: str, seconds: float = PATIENCE_S) -> None:
    """Wait for something.

    Raises:
        TimeoutError: it did not happen in time.

    """
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not happen within {seconds:g} s")
        time.sleep(0.02)


@contextmanager
def stage(folder: Path, *, real: bool = False) -> Iterator[Stage]:
    """A stage, cleared at the end."""
    made = Stage(folder, real=real)
    try:
        yield made
    finally:
        made.close()


def answers_file(folder: Path, rows: list[dict[str, str]]) -> Path:
    """Write prepared answers."""
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
