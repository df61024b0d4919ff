"""Starts, finds, watches and stops vLLM servers.

A server is found by its state file and by nothing else: the file names the guardian process (with its start
time, so that a recycled process id is not mistaken for it), the port, the key and the model. A guardian that watches
over another state file is somebody else's: the file came with a copied folder. A server that answers is shared; one
that does not is replaced, and so is one that its guardian left behind. Whoever starts a server holds it: it ends with
its starter, or lingers for a while after a command so that the next one finds it warm.
"""

from __future__ import annotations

import json
import logging
import math
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import psutil
from filelock import FileLock

from serving import paths
from serving.atomic import write_atomic
from serving.errors import InterviewerError, ServerStartError, StorageError
from serving.llm import guardian
from serving.llm.server_state import (
    GUARDIAN,
    Endpoint,
    ServerSpec,
    ServerState,
    answers,
    find,
    guardian_lives,
    read_state,
    state_file,
    stop_running,
)
from serving.llm.state_server import BLOCK, LONGEST
from serving.machine import Machine, Profile
from serving.progress import Progress, silent

log = logging.getLogger(__name__)

STATE_SERVER = "serving.llm.state_server"
"""What serves states on a CPU."""

START_S = 600.0
"""How long a server may take to come up; a slow disk needs minutes for its first read."""

KEPT_PRODUCTS = 8
"""Products of matrices for which oneDNN keeps what it made, on a CPU.

Each number of tokens makes others, and by itself it keeps a thousand: 300 MB after 200 prompts. A prompt has four,
which all layers share (docs/benchmarks/memory.md).
"""

BACK_OFF_S = (1.0, 2.0, 5.0, 15.0, 30.0, 60.0)
"""Pauses before the first, second, … restart of a server that keeps dying."""


def judge_spec(checkpoint: Path, digest: str) -> ServerSpec:
    """A pooling server that returns the last layer's state of the last token."""
    pooler = json.dumps({"pooling_type": "LAST", "use_activation": False})
    arguments = ("--runner", "pooling", "--convert", "embed", "--pooler-config", pooler)
    return ServerSpec(role="judge", checkpoint=checkpoint, digest=digest, arguments=arguments, states=True)


def speaker_spec(checkpoint: Path, digest: str) -> ServerSpec:
    """A server that generates, to measure what a model says; interviews start none."""
    return ServerSpec(role="speaker", checkpoint=checkpoint, digest=digest)


def arguments_for(spec: ServerSpec, port: int, profile: Profile, host: str = "127.0.0.1") -> list[str]:
    """The command line of the server, without its key: pure."""
    # The digest is another name of the model, by which whoever is given a URL knows what is served there.
    names = [name for name in (spec.role, spec.digest) if name]
    if spec.states and profile.device == "cpu":
        command = [sys.executable, "-m", STATE_SERVER, "--model", str(spec.checkpoint)]
        return [*command, "--host", host, "--port", str(port), *(word for name in names for word in ("--name", name))]
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server"]
    command += ["--model", str(spec.checkpoint), "--served-model-name", *names]
    command += ["--host", host, "--port", str(port), "--max-model-len", str(LONGEST)]
    # No prompt is cut in two by the scheduler, so what else is being read changes no state.
    command += ["--no-enable-chunked-prefill", "--max-num-batched-tokens", str(LONGEST)]
    command += [
        "--block-size",
        str(BLOCK),
        "--enable-prefix-caching",
        "--disable-log-stats",
        "--disable-uvicorn-access-log",
    ]
    if profile.plan is None or profile.plan.eager:
        # On a CPU, compiling wins little for prompts that are read once and costs two minutes of each start.
        command.append("--enforce-eager")
    if profile.plan is None:
        command += ["--kv-cache-memory-bytes", str(2**30)]
    else:
        command += ["--dtype", profile.plan.dtype, "--kv-cache-memory-bytes", str(profile.plan.cache)]
        # Decides nothing beside the line above, but vLLM does not start where less than this share is free.
        command += ["--gpu-memory-utilization", f"{_share(profile):.3f}"]
    return [*command, *spec.arguments]


def _share(profile: Profile) -> float:
    """The share of the card's memory that the server takes, rounded down; small where the card's memory is unknown."""
    if profile.gpu is None or profile.plan is None or not profile.gpu.memory:
        return 0.01
    return max(0.01, math.floor(1000 * profile.plan.memory / profile.gpu.memory) / 1000)


def environment_for(profile: Profile, machine: Machine, base: Mapping[str, str], key: str) -> dict[str, str]:
    """The server's environment: pure.

    By default vLLM keeps one core of two for itself; a thread for every core and Intel's OpenMP preloaded make it
    two to three times faster. Computing in the engine's process makes it ready a quarter sooner; vLLM avoids that on a
    CPU since its own settings of threads and cores reach a worker process only, so the number of threads is told to
    OpenMP itself (docs/benchmarks/memory.md).
    """
    result = dict(base) | {
        "VLLM_API_KEY": key,
        "VLLM_NO_USAGE_STATS": "1",
        "DO_NOT_TRACK": "1",
        "HF_HUB_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
    }
    if profile.gpu is not None and profile.gpu.uuid:
        result["CUDA_VISIBLE_DEVICES"] = profile.gpu.uuid
    if profile.device == "cpu":
        result["OMP_NUM_THREADS"] = str(len(machine.cores))
        result["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
        result["ONEDNN_PRIMITIVE_CACHE_CAPACITY"] = str(KEPT_PRODUCTS)
        # Else the C library keeps what the weights took before they were packed.
        result["MALLOC_MMAP_THRESHOLD_"] = str(4 * 2**20)
        openmp = Path(sys.prefix) / "lib" / "libiomp5.so"
        if openmp.is_file():
            result["LD_PRELOAD"] = ":".join(filter(None, (str(openmp), base.get("LD_PRELOAD"))))
    return result


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
        self._state: Path | None = None
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
        if self._profile.blocked:
            raise ServerStartError(self._profile.blocked)
        state = self._state = state_file(self._spec.role).absolute()
        with FileLock(paths.run() / f"{self._spec.role}.lock"):
            found = find(self._spec)
            if found is None:
                stop_running(self._spec.role)
                self._let_go(wait=True)
                found = self._launch(state, progress)
        self._endpoint, self.trouble = found, ""
        return found

    def _launch(self, state: Path, progress: Progress) -> Endpoint:
        key, port = secrets.token_urlsafe(24), free_port()
        endpoint = Endpoint(url=f"http://127.0.0.1:{port}", key=key, model=self._spec.role, digest=self._spec.digest)
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
        gpu, plan = self._profile.gpu, self._profile.plan
        written = ServerState(
            pid=process.pid,
            started=started,
            endpoint=endpoint,
            ticks=ticks,
            card=gpu.uuid if gpu else "",
            card_memory=plan.memory if plan else 0,
        )
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
                said = last_words(self.log_path)
                raise ServerStartError(f"The model server did not come up: {said}", hint=_remedy(said, self.log_path))
            if self._closing.is_set():
                self._let_go(wait=True)
                raise ServerStartError("The start of the model server was broken off.")
            progress("starting the model server", min(0.95, waited / 75.0))
            time.sleep(0.5)

    def _watch(self) -> None:
        deaths = 0
        while not self._closing.wait(1.0):
            if state_file(self._spec.role).absolute() != self._state:
                # The environment names another home by now: the server there is somebody else's.
                continue
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


def _remedy(said: str, log_path: Path) -> str:
    """What can be done about what a server said last."""
    if "libnuma.so" in said:
        return "It needs the system's libnuma. On Debian or Ubuntu: sudo apt-get install libnuma1."
    return f"The whole log is in {log_path}."


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
