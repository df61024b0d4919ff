"""Runs a function on every rank of a process group: real processes that talk by gloo over the loopback.

Each rank is a fork of the worker, so the program is loaded and nothing has to be pickled; the worker itself never
joins a group. Stands alone but for its neighbors.
"""

from __future__ import annotations

import contextlib
import datetime
import gc
import importlib
import io
import os
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any, NamedTuple

STUCK_S = 1.0
"""Seconds in which no rank computes anything and none ends, after which they wait for each other for ever."""

LONGEST_COLLECTIVE = datetime.timedelta(minutes=1)
MOST_BYTES = 16 * 1024 * 1024
"""What a rank may return, in a frame."""

_STUCK = (
    "it waits for what never comes. Do all ranks take part in the same collectives, in the same order and with the "
    "same shapes?"
)


class _Rank(NamedTuple):
    """A process of the group.

    Attributes:
        number: its rank.
        process: its id.
        receive: where it tells what it returned.
        heard: what it has told so far.

    """

    number: int
    process: int
    receive: int
    heard: bytearray


def run(world: int, function: Callable[[int], Any]) -> list[Any]:
    """What a function returns on each rank, in order, when it is called with the rank's number.

    Raises:
        RankError: it raised on some rank, left without returning, or the ranks wait for each other.

    """
    sys.stdout.flush()
    ranks: list[_Rank] = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            for number in range(world):
                ranks.append(_started(number, world, function, os.path.join(folder, "store")))
            return _gathered(ranks)
        finally:
            for rank in ranks:
                _end(rank)


def _started(number: int, world: int, function: Callable[[int], Any], store: str) -> _Rank:
    receive, send = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            # Otherwise the collector would write to every page, and so have all of them copied.
            gc.freeze()
            os.setpgid(0, 0)
            os.close(receive)
            _be(number, world, function, store, send)
        finally:
            os._exit(1)
    os.close(send)
    return _Rank(number, process, receive, bytearray())


def _be(number: int, world: int, function: Callable[[int], Any], store: str, send: int) -> None:
    """Joins the group, calls the function, tells what it returned, and stays until it is ended."""
    failure: Any = importlib.import_module("failure")
    wire: Any = importlib.import_module("wire")
    dist: Any = importlib.import_module("torch.distributed")
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    try:
        joined = dist.FileStore(store, world)
        dist.init_process_group("gloo", store=joined, rank=number, world_size=world, timeout=LONGEST_COLLECTIVE)
        data = wire.encode({"returned": function(number)})
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is the program's
        data = wire.encode({"failed": failure.told(error, "solution.py")})
    sys.stdout.flush()
    while data:
        data = data[os.write(send, data) :]
    os.close(send)
    # Others may still be reading from its sockets.
    while True:
        signal.pause()


def _gathered(ranks: list[_Rank]) -> list[Any]:
    wire: Any = importlib.import_module("wire")
    failure: Any = importlib.import_module("failure")
    returned: dict[int, Any] = {}
    still = time.monotonic()
    before = -1
    waiting = {rank.receive: rank for rank in ranks}
    while waiting:
        for receive in select.select(list(waiting), [], [], STUCK_S / 10)[0]:
            rank = waiting[receive]
            part = os.read(receive, 1 << 20)
            rank.heard.extend(part)
            if part and len(rank.heard) <= MOST_BYTES:
                continue
            del waiting[receive]
            told: dict[str, Any] = next(wire.frames(io.BytesIO(rank.heard).read), {}) if not part else {}
            if "returned" not in told:
                why = "it returned far too much." if part else "it left without returning."
                raise failure.RankError(rank.number, told.get("failed") or _failed(why))
            returned[rank.number] = told["returned"]
        now = _computed([rank.process for rank in waiting.values()])
        if now != before:
            still, before = time.monotonic(), now
        elif waiting and time.monotonic() - still > STUCK_S:
            raise failure.RankError(min(rank.number for rank in waiting.values()), _failed(_STUCK))
    return [returned[rank.number] for rank in ranks]


def _failed(why: str) -> dict[str, Any]:
    return {"type": "RankError", "message": why, "line": 0}


def _computed(processes: list[int]) -> int:
    """Ticks of processor time that these processes have used; another number each time while one is not idle."""
    ticks = 0
    for process in processes:
        for thread in _threads(process):
            with contextlib.suppress(OSError), open(f"{thread}/stat", encoding="ascii", errors="replace") as file:
                state, *fields = file.read().rpartition(")")[2].split()
                # A disk, or memory that is short, is waited for in state D.
                if state in "RD":
                    return -time.monotonic_ns()
                ticks += int(fields[10]) + int(fields[11])
    return ticks


def _threads(process: int) -> list[str]:
    with contextlib.suppress(OSError):
        return [f"/proc/{process}/task/{thread}" for thread in os.listdir(f"/proc/{process}/task")]
    return []


def _end(rank: _Rank) -> None:
    os.close(rank.receive)
    for end in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(rank.process, signal.SIGKILL)
    os.waitpid(rank.process, 0)
