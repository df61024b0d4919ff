"""Runs a server as long as somebody wants it: ``python -m serving.llm.guardian STATE LINGER -- COMMAND...``.

The process that wants the server holds the write end of this one's standard input. When it ends, however it
ends (``kill -9`` too), the pipe closes: the server is stopped then, or, with a LINGER above 0, once nobody has
used it for LINGER seconds, so that commands run after each other share one server. A use is a new modification
time of the file STATE. The state file is removed with the server. Standard library only, so that it stays small.

``kill -9`` of the guardian ends the server too: the kernel asks the server itself to end, and a second process ends
its whole group, by force if it has to. What survives the kill of both is ended by the next start, which knows it by
the record beside the state file (``serving.llm.server_state.end_orphan``).
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from serving.atomic import write_atomic
from serving.errors import InterviewerError

POLL_S = 0.5
STOP_S = 10.0

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True)


def stop(server: subprocess.Popen[bytes]) -> None:
    """Ask the server to end, and end it and whatever it left behind by force when it does not."""
    signal_group(server, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.wait(STOP_S)
    signal_group(server, signal.SIGKILL)
    server.wait()


def signal_group(server: subprocess.Popen[bytes], sign: signal.Signals) -> None:
    """Signal every process of the server's group; there may be none left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(server.pid, sign)


def end_group(group: int, patience_s: float = STOP_S) -> None:
    """Ask the processes of a group to end, and end by force what is left of it after ``patience_s`` seconds."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGTERM)
        end = time.monotonic() + patience_s
        while members(group) and time.monotonic() < end:
            time.sleep(0.1)
        os.killpg(group, signal.SIGKILL)


def members(group: int) -> list[int]:
    """The processes of a group that leads a session of its own; zombies are none."""
    found = []
    for folder in Path("/proc").iterdir():
        fields = _stat(int(folder.name)) if folder.name.isdigit() else []
        if fields[2:4] == [str(group)] * 2 and fields[0] not in {"Z", "X"}:
            found.append(int(folder.name))
    return found


def started_ticks(pid: int) -> int | None:
    """When a process started, in clock ticks since the machine did; ``None`` where there is none, or only a zombie.

    Together with the process id this names a process whatever the clock of the machine is set to.
    """
    fields = _stat(pid)
    return None if not fields or fields[0] in {"Z", "X"} else int(fields[19])


def _stat(pid: int) -> list[str]:
    """The fields of ``/proc/PID/stat`` from the third on: state, parent, group, session, …; none without it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def command_of(pid: int) -> tuple[str, ...]:
    """The command line of a process; empty where there is none."""
    try:
        line = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return ()
    return tuple(os.fsdecode(word) for word in line.split(b"\0")[:-1])


def server_record(state: Path) -> Path:
    """Where the process is noted that serves, beside the state file."""
    return state.with_suffix(".server.json")


def ends_with_this_process() -> Callable[[], None]:
    """What a child has to run before it becomes another program so that the kernel ends it when this process ends.

    To be made and used in the main thread: the kernel watches the thread that forked, not the process. The child is
    sent SIGTERM, since vLLM's server then ends the process that holds the model, which nothing else would.
    """
    parent = os.getpid()

    def bind() -> None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:  # ended before it was watched
            os._exit(1)

    return bind


def keep_watch_over_watcher(group: int) -> int:
    """Fork a process that ends the group of the server when this process ends without having said that it did so.

    Returns:
        The descriptor to write a byte to once the server has ended.

    """
    read, write = os.pipe()
    if os.fork():
        os.close(read)
        return write
    os.close(write)
    os.close(sys.stdin.fileno())
    if os.read(read, 1) == b"":
        end_group(group)
    os._exit(0)


def last_use(state: Path) -> float:
    """When the state file was touched last, which whoever uses the server does; 0 where it is gone."""
    try:
        return state.stat().st_mtime
    except OSError:
        return 0.0


def watch(server: subprocess.Popen[bytes], state: Path, linger_s: float) -> None:
    """Wait until the server ends, or nobody wants it any more; then stop what is left of it."""
    wanted, used, left = True, 0.0, 0.0
    while server.poll() is None:
        if wanted:
            ready, _, _ = select.select([sys.stdin], [], [], POLL_S)
            wanted = not (ready and os.read(sys.stdin.fileno(), 1) == b"")
            continue
        time.sleep(POLL_S)
        # Counted from when it is seen to be used, since the machine's clock may be put forward or back meanwhile.
        if (touched := last_use(state)) != used:
            used, left = touched, time.monotonic()
        if not used or time.monotonic() - left > linger_s:
            break
    stop(server)
    state.unlink(missing_ok=True)


def main(arguments: list[str]) -> int:
    """Start the command and watch over it."""
    state, linger_s = Path(arguments[0]), float(arguments[1])
    command = arguments[arguments.index("--") + 1 :]
    bind = ends_with_this_process()
    # This process has one thread, so that running Python between fork and exec is safe.
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=bind)  # noqa: PLW1509
    ended = keep_watch_over_watcher(server.pid)
    for sign in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sign, lambda *_: signal_group(server, signal.SIGTERM))
    record = server_record(state)
    noted = {"pid": server.pid, "ticks": started_ticks(server.pid), "command": command, "state": str(state)}
    try:
        write_atomic(record, json.dumps(noted), mode=0o600)
    except InterviewerError as error:
        print(error, file=sys.stderr)
    watch(server, state, linger_s)
    record.unlink(missing_ok=True)
    os.write(ended, b".")
    return server.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
