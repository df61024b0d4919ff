"""The state of model servers on this machine: who runs, found by state files; who was left behind, and is ended."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
from pathlib import Path

import httpx
import psutil

from serving import paths
from serving.frozen import FrozenModel
from serving.llm import guardian
from serving.machine import Machine, with_ours

log = logging.getLogger(__name__)

GUARDIAN = "serving.llm.guardian"
"""The module that watches over a server; the first of its arguments is the state file."""


class ServerSpec(FrozenModel):
    """What is to be served.

    Attributes:
        role: what the server is for, and the name of its files: ``judge``.
        checkpoint: folder of the model.
        digest: SHA-256 of what the checkpoint was made from.
        arguments: further arguments of vLLM's server.
        states: only states of prompts are asked of it, no words.
    """

    role: str
    checkpoint: Path
    digest: str
    arguments: tuple[str, ...] = ()
    states: bool = False


class Endpoint(FrozenModel):
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


class ServerState(FrozenModel):
    """The state file of a running server.

    Attributes:
        pid: the guardian's process id.
        started: the guardian's start time, seconds since the epoch, as the system reports it.
        endpoint: where the server answers.
        ticks: the guardian's start time in clock ticks since the machine started, which no change of the clock moves;
            ``None`` in files of earlier versions.
        card: UUID of the card that the server runs on; empty where it runs on none.
        card_memory: bytes of that card which it was given.
    """

    pid: int
    started: float
    endpoint: Endpoint
    ticks: int | None = None
    card: str = ""
    card_memory: int = 0


class ServerRecord(FrozenModel):
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


def without_ours(machine: Machine, role: str) -> Machine:
    """The machine as it would be without our server of that role: what that holds of a card is not taken by others."""
    state = read_state(role)
    if state is None or not guardian_lives(state) or watches_over(state.pid, role) is False:
        return machine
    return with_ours(machine, state.card, state.card_memory)


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
        # A proxy that the environment names is not for what runs here.
        return httpx.get(f"{endpoint.url}/health", headers=headers, timeout=timeout_s, trust_env=False).is_success
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

    A process is signaled only if its id, its start time and its command line are those that the guardian of this
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
