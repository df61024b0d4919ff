"""Starts, finds, watches and stops vLLM servers.

A server is found by its state file and by nothing else: the file names the guardian process (with its start
time, so that a recycled process id is not mistaken for it), the port, the key and the model. A guardian that watches
over another state file is somebody else's: the file came with a copied folder. A server that answers is shared; one
that does not is replaced, and so is one that its guardian left behind. Whoever starts a server holds it: it ends with
its starter, or lingers for a while after a command so that the next one finds it warm.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import httpx
import psutil
from filelock import FileLock

from serving import paths
from serving.atomic import write_atomic
from serving.errors import InterviewerError, ServerStartError, StorageError
from serving.frozen import Frozen
from serving.llm import guardian
from serving.machine import Machine, Profile
from serving.progress import Progress, silent

log = logging.getLogger(__name__)

LONGEST = 8192
"""Tokens a prompt may have."""

START_S = 600.0
"""How long a server may take to come up; a slow disk needs minutes for its first read."""

GUARDIAN = "serving.llm.guardian"
"""The module that watches over a server; the first of its arguments is the state file."""

BACK_OFF_S = (1.0, 2.0, 5.0, 15.0, 30.0, 60.0)
"""Pauses before the first, second, … restart of a server that keeps dying."""


class ServerSpec(Frozen):
    """What is to be served.

    Attributes:
        role: what the server is for, and the name of its files: ``judge``.
        checkpoint: folder of the model.
        digest: SHA-256 of what the checkpoint was made from.
        arguments: further arguments of vLLM's server.
    """

    role: str
    checkpoint: Path
    digest: str
    arguments: tuple[str, ...] = ()


class Endpoint(Frozen):
    """Where a server answers.

    Attributes:
        url: without a path.
        key: what it wants in the ``Authorization`` header.
        model: the name it serves the model under.
        digest: SHA-256 of what the model was made from; empty when unknown.
    """

    url: str
    key: str
    model: str
    digest: str = ""


class ServerState(Frozen):
    """The state file of a running server.

    Attributes:
        pid: the guardian's process id.
        started: the guardian's start time, seconds since the epoch, as the system reports it.
        endpoint: where the server answers.
        ticks: the guardian's start time in clock ticks since the machine started, which no change of the clock moves;
            ``None`` in files of earlier versions.
    """

    pid: int
    started: float
    endpoint: Endpoint
    ticks: int | None = None


class ServerRecord(Frozen):
    """The process that serves, as its guardian noted it.

    Attributes:
        pid: its process id, which is that of its process group too.
        ticks: its start time in clock ticks since the machine started.
        command: its command line.
        state: the state file that its guardian was given.
    """

    pid: int
    ticks: int | None
    command: tuple[str, ...]
    state: Path


def judge_spec(checkpoint: Path, digest: str) -> ServerSpec:
    """A pooling server that returns the last layer's state of the last token."""
    pooler = json.dumps({"pooling_type": "LAST", "use_activation": False})
    arguments = ("--runner", "pooling", "--convert", "embed", "--pooler-config", pooler)
    return ServerSpec(role="judge", checkpoint=checkpoint, digest=digest, arguments=arguments)


def speaker_spec(checkpoint: Path, digest: str) -> ServerSpec:
    """A server that generates, to measure what a model says; interviews start none."""
    return ServerSpec(role="speaker", checkpoint=checkpoint, digest=digest)


def arguments_for(spec: ServerSpec, port: int, profile: Profile) -> list[str]:
    """The command line of the server, without its key: pure."""
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server"]
    command += ["--model", str(spec.checkpoint), "--served-model-name", spec.role]
    command += ["--host", "127.0.0.1", "--port", str(port), "--max-model-len", str(LONGEST)]
    # No prompt is cut in two by the scheduler, so what else is being read changes no state.
    command += ["--no-enable-chunked-prefill", "--max-num-batched-tokens", str(LONGEST)]
    # Small blocks: a criterion shares its prefix in whole blocks only, and answers are short.
    command += ["--block-size", "32", "--enable-prefix-caching", "--disable-log-stats", "--disable-uvicorn-access-log"]
    if profile.device == "cpu":
        # Compiling wins little for prompts that are read once and costs two minutes of each start.
        command.append("--enforce-eager")
    else:
        command += ["--gpu-memory-utilization", "0.3"]
    return [*command, *spec.arguments]


def environment_for(profile: Profile, machine: Machine, base: Mapping[str, str], key: str) -> dict[str, str]:
    """The server's environment: pure.

    By default vLLM keeps one core of two for itself; a thread for every core and Intel's OpenMP preloaded make it
    two to three times faster. Computing in the engine's process makes it ready a fifth sooner; vLLM avoids that on a
    CPU since its own settings of threads and cores reach a worker process only, so the number of threads is told to
    OpenMP itself (docs/benchmarks.md).
    """
    result = dict(base) | {
        "VLLM_API_KEY": key,
        "VLLM_NO_USAGE_STATS": "1",
        "DO_NOT_TRACK": "1",
        "HF_HUB_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
    }
    if profile.device == "cpu":
        result["OMP_NUM_THREADS"] = str(len(machine.cores))
        result["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
        result["VLLM_CPU_KVCACHE_SPACE"] = "1"
        openmp = Path(sys.prefix) / "lib" / "libiomp5.so"
        if openmp.is_file():
            result["LD_PRELOAD"] = ":".join(filter(None, (str(openmp), base.get("LD_PRELOAD"))))
    return result


def state_file(role: str) -> Path:
    """Where the state of the server of that role is kept."""
    return paths.run() / f"{role}.json"


def read_state(role: str) -> ServerState | None:
    """The state file's content, or ``None`` when there is none that can be read."""
    try:
        return ServerState.model_validate_json(state_file(role).read_text())
    except (OSError, ValueError):
        return None


def guardian_lives(state: ServerState) -> bool:
    """Whether the very process that the state file names is still there."""
    if state.ticks is not None:
        return guardian.started_ticks(state.pid) == state.ticks
    try:
        process = psutil.Process(state.pid)
        return abs(process.create_time() - state.started) < 1.0 and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def watches_over(pid: int, role: str) -> bool | None:
    """Whether a process is the guardian of our server of that role; ``None`` where it is no guardian."""
    command = guardian.command_of(pid)
    if GUARDIAN not in command[:-1]:
        return None
    return _is_ours(Path(command[command.index(GUARDIAN) + 1]), role)


def _is_ours(state: Path, role: str) -> bool:
    """Whether a state file is that of our own folder, whichever way its path was written."""
    try:
        return state.name == state_file(role).name and state.parent.samefile(paths.run())
    except OSError:
        return False


def answers(endpoint: Endpoint, timeout_s: float = 5.0) -> bool:
    """Whether the server says that it is healthy."""
    try:
        headers = {"Authorization": f"Bearer {endpoint.key}"}
        return httpx.get(f"{endpoint.url}/health", headers=headers, timeout=timeout_s).is_success
    except httpx.HTTPError:
        return False


def find(spec: ServerSpec) -> Endpoint | None:
    """The server of that role that runs already with that model, or ``None``."""
    state = read_state(spec.role)
    if state is None or not guardian_lives(state) or state.endpoint.digest != spec.digest:
        return None
    if watches_over(state.pid, spec.role) is False:
        log.info("%s came with a copied folder and is not used", state_file(spec.role))
        return None
    return state.endpoint if answers(state.endpoint) else None


def mark_used(role: str) -> None:
    """Note that the server of that role was used now, so that it lingers."""
    try:
        os.utime(state_file(role))
    except OSError:
        log.debug("the state file of %s is gone", role)


def stop_running(role: str) -> bool:
    """Stop the server of that role, whoever started it, or what its guardian left of it.

    Returns:
        Whether there was one.
    """
    state = read_state(role)
    if state is None or not guardian_lives(state) or not watches_over(state.pid, role):
        state_file(role).unlink(missing_ok=True)
        return end_orphan(role)
    os.kill(state.pid, signal.SIGTERM)
    try:
        psutil.Process(state.pid).wait(25)
    except psutil.NoSuchProcess:
        pass
    except psutil.TimeoutExpired:
        os.kill(state.pid, signal.SIGKILL)
        end_orphan(role)
    state_file(role).unlink(missing_ok=True)
    return True


def end_orphan(role: str) -> bool:
    """End the server of that role that is still there though its guardian is gone.

    A process is signalled only if its id, its start time and its command line are those that the guardian of this
    very folder noted, and no guardian is its parent. Where it is gone and left processes behind, these are told by the
    session that it made, their start times and their command lines.

    Returns:
        Whether there was one.
    """
    noted = guardian.server_record(state_file(role))
    try:
        record = ServerRecord.model_validate_json(noted.read_text())
    except (OSError, ValueError):
        return False
    if not _is_ours(record.state, role):
        noted.unlink(missing_ok=True)
        return False
    try:
        parent = psutil.Process(record.pid).ppid()
    except psutil.Error:
        parent = 0
    same = record.ticks is not None and guardian.started_ticks(record.pid) == record.ticks
    if same and watches_over(parent, role):
        return False
    noted.unlink(missing_ok=True)
    if same and guardian.command_of(record.pid) == record.command:
        log.warning("A model server was left behind without its guardian (process %d); it is ended.", record.pid)
        guardian.end_group(record.pid)
        return True
    # As long as a process of the session lives, the system gives its number to no other.
    left = [pid for pid in guardian.members(record.pid) if _is_child(pid, record)]
    for pid in left:
        log.warning("Process %d of a model server was left behind; it is ended.", pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    return bool(left)


def _is_child(pid: int, record: ServerRecord) -> bool:
    """Whether a process of the session of a server that is gone is one that it started."""
    ticks, program = guardian.started_ticks(pid), guardian.command_of(pid)[:1]
    started_later = ticks is not None and record.ticks is not None and ticks >= record.ticks
    ours = bool(program) and (program == record.command[:1] or program[0].startswith("VLLM::"))
    return pid != record.pid and started_later and ours


class VllmServer:
    """One server, kept alive as long as this object is open.

    Args:
        spec: what to serve.
        profile: where it runs.
        machine: what the machine has.
        linger_s: how long it stays unused after this process ended; 0 stops it with this process.
    """

    def __init__(self, spec: ServerSpec, profile: Profile, machine: Machine, *, linger_s: float = 0.0) -> None:
        self._spec, self._profile, self._machine, self._linger_s = spec, profile, machine, linger_s
        self._guardian: subprocess.Popen[bytes] | None = None
        self._endpoint: Endpoint | None = None
        self._watcher: threading.Thread | None = None
        self._closing = threading.Event()
        self.trouble = ""

    @property
    def endpoint(self) -> Endpoint | None:
        """Where the server answers, or ``None`` while it does not."""
        return self._endpoint

    @property
    def log_path(self) -> Path:
        """Where the server's output is kept."""
        return paths.logs() / f"{self._spec.role}.log"

    def start(self, progress: Progress = silent) -> Endpoint:
        """Find the server or start it, wait until it answers, and watch over it from then on.

        Raises:
            ServerStartError: it did not come up.
            StorageError: the disk refused the state file.
        """
        endpoint = self._find_or_start(progress)
        if self._watcher is None:
            self._watcher = threading.Thread(target=self._watch, name=f"{self._spec.role}-watcher", daemon=True)
            self._watcher.start()
        return endpoint

    def close(self) -> None:
        """Stop watching, and let go of the server if this object started it."""
        self._closing.set()
        self._endpoint = None
        self._let_go(wait=self._linger_s == 0)

    def _let_go(self, *, wait: bool) -> None:
        process, self._guardian = self._guardian, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        if wait:
            process.wait(30)

    def _find_or_start(self, progress: Progress) -> Endpoint:
        with FileLock(paths.run() / f"{self._spec.role}.lock"):
            found = find(self._spec)
            if found is None:
                stop_running(self._spec.role)
                self._let_go(wait=True)
                found = self._launch(progress)
        self._endpoint, self.trouble = found, ""
        return found

    def _launch(self, progress: Progress) -> Endpoint:
        key, port = secrets.token_urlsafe(24), free_port()
        endpoint = Endpoint(url=f"http://127.0.0.1:{port}", key=key, model=self._spec.role, digest=self._spec.digest)
        state = state_file(self._spec.role).absolute()
        command = [sys.executable, "-m", GUARDIAN, str(state), str(self._linger_s), "--"]
        environment = environment_for(self._profile, self._machine, os.environ, key)
        try:
            if self.log_path.exists():
                self.log_path.replace(self.log_path.with_suffix(".previous.log"))
            with self.log_path.open("ab") as output:
                process = subprocess.Popen(
                    command + arguments_for(self._spec, port, self._profile),
                    stdin=subprocess.PIPE,
                    stdout=output,
                    stderr=output,
                    env=environment,
                    cwd=Path(__file__).parents[2],
                    start_new_session=True,
                )
        except OSError as error:
            raise ServerStartError(f"The model server cannot be started: {error.strerror}.") from error
        self._guardian = process
        started, ticks = psutil.Process(process.pid).create_time(), guardian.started_ticks(process.pid)
        written = ServerState(pid=process.pid, started=started, endpoint=endpoint, ticks=ticks)
        try:
            write_atomic(state, written.model_dump_json(indent=2), mode=0o600)
        except StorageError:
            self._let_go(wait=True)
            raise
        self._wait(process, endpoint, progress)
        return endpoint

    def _wait(self, process: subprocess.Popen[bytes], endpoint: Endpoint, progress: Progress) -> None:
        begin = time.monotonic()
        while not answers(endpoint):
            waited = time.monotonic() - begin
            if process.poll() is not None or waited > START_S:
                self._let_go(wait=True)
                raise ServerStartError(
                    f"The model server did not come up: {last_words(self.log_path)}",
                    hint=f"The whole log is in {self.log_path}.",
                )
            if self._closing.is_set():
                self._let_go(wait=True)
                raise ServerStartError("The start of the model server was broken off.")
            progress("starting the model server", min(0.95, waited / 75.0))
            time.sleep(0.5)

    def _watch(self) -> None:
        deaths = 0
        while not self._closing.wait(1.0):
            state = read_state(self._spec.role)
            if state is not None and guardian_lives(state) and state.endpoint == self._endpoint:
                deaths = 0 if answers(state.endpoint, timeout_s=60.0) else deaths
                continue
            self._endpoint = None
            pause = BACK_OFF_S[min(deaths, len(BACK_OFF_S) - 1)]
            self.trouble = f"The model server stopped; it is being started again (attempt {deaths + 1})."
            log.warning("%s Its last words: %s", self.trouble, last_words(self.log_path))
            deaths += 1
            if self._closing.wait(pause):
                return
            try:
                self._find_or_start(silent)
            except (InterviewerError, OSError) as error:
                log.warning("%s", error)


def last_words(path: Path) -> str:
    """The line of a log that most likely says what went wrong."""
    try:
        lines = path.read_text(errors="replace").splitlines()[-400:]
    except OSError:
        return "it left no log."
    errors = [line for line in lines if "Error" in line and "Traceback" not in line]
    chosen = (errors or [line for line in lines if line.strip()] or ["it said nothing."])[-1]
    return chosen.strip()[-300:]


def free_port() -> int:
    """A port of the loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
