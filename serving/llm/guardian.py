"""Runs a server as long as somebody wants it: ``python -m serving.llm.guardian STATE LINGER -- COMMAND...``.

The process that wants the server holds the write end of this one's standard input. When it ends, however it
ends (``kill -9`` too), the pipe closes: the server is stopped then, or, with a LINGER above 0, once nobody has
used it for LINGER seconds, so that commands run after each other share one server. A use is a new modification
time of the file STATE. The state file is removed with the server. Standard library only, so that it stays small.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

POLL_S = 0.5
STOP_S = 10.0


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
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    for sign in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sign, lambda *_: signal_group(server, signal.SIGTERM))
    watch(server, state, linger_s)
    return server.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
