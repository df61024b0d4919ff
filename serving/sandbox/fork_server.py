"""One sandboxed process that has torch imported and carries out every order in a fork of itself.

For many pieces of code in a row: importing torch takes seconds, a fork milliseconds. Every order's process restricts
itself as a worker does, and is killed with all that it started before the next begins. The process that forks never
executes what it is given, and is started again where it has come to harm. See ``batch_driver.py`` for its inside.
"""

from __future__ import annotations

import base64
import binascii
import json
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import ValidationError

from serving.errors import SandboxMissingError
from serving.frozen import FrozenModel
from serving.sandbox.backends import registry
from serving.sandbox.backends.base import WorkerSpec
from serving.sandbox.process import SandboxedProcess
from serving.sandbox.restrictions import LIMITS

DRIVER = Path(__file__).with_name("batch_driver.py")
INSIDE = Path(__file__).parent / "inside"

START_S = 60.0
"""Seconds the process may take to import torch, on a busy machine."""

GRACE_S = 10.0
"""Seconds, beside an order's own, until it must have been answered, on a busy machine."""

MOST_ANSWERED = 128 * 1024 * 1024
"""Bytes of an answer."""


class Order(FrozenModel):
    """Something to be executed.

    Attributes:
        kind: "blocks" (JSON list of sources that share their names), "script" (a source, run as a program) or "job"
            (a line as ``worker_pool.words`` makes it).
        payload: what that names.
        seconds: wall clock it may take.
        restrictions: as ``restrictions.restrictions`` returns them.

    """

    kind: Literal["blocks", "script", "job"]
    payload: str
    seconds: float
    restrictions: dict[str, Any]


class Answer(FrozenModel):
    """What became of an order; data of the code's making, to be believed no further than it can be checked.

    Attributes:
        late: whether its time was up.
        status: its exit status, negative for a signal.
        told: what it wrote to its result descriptor, cut at a length.
        printed, errors: what it wrote to standard output and error, each cut at a length.
        spent: whether it left behind what cannot be cleared away, so that the next needs a new sandbox.

    """

    late: bool
    status: int
    told: bytes = b""
    printed: str = ""
    errors: str = ""
    spent: bool = False


class ForkServer:
    """Carries out orders, one after another. Safe to use from several threads, which take turns.

    Args:
        preload: modules that it imports before it forks; those that are missing are left out.
        processes: whether orders may start processes, which only some backends can hold.

    """

    def __init__(self, preload: Sequence[str], *, processes: bool = False) -> None:
        self._preload, self._processes = tuple(preload), processes
        self._process: SandboxedProcess | None = None
        self._turn = threading.Lock()

    def run(self, order: Order) -> Answer | None:
        """Carries out an order; ``None`` where the server came to harm over it.

        Raises:
            SandboxMissingError: there is no sandbox here, or it does not start.

        """
        with self._turn:
            process = self._started()
            until = time.monotonic() + order.seconds + GRACE_S
            line = process.line(json.dumps(order.model_dump()).encode() + b"\n", until, MOST_ANSWERED)
            answer = None if line is None else _answer(line)
            if answer is None or answer.spent:
                self._end()
            return answer

    def close(self) -> None:
        """Ends the process."""
        with self._turn:
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _end(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None

    def _started(self) -> SandboxedProcess:
        if self._process is not None and self._process.alive:
            return self._process
        self._end()
        backend = registry.required(int(self._processes))
        worker = WorkerSpec(
            arguments=("-I", "-B", str(DRIVER), str(INSIDE), json.dumps(self._preload)), shown=(DRIVER, INSIDE)
        )
        why = ""
        for _ in range(2):
            try:
                process = SandboxedProcess(backend, worker, LIMITS)
            except OSError as error:
                raise SandboxMissingError(f"The sandbox does not start: {error}.") from error
            if process.line(b"", time.monotonic() + START_S, MOST_ANSWERED) == b"ready":
                self._process = process
                return process
            why = process.errors.strip().rpartition("\n")[2]
            process.close()
        raise SandboxMissingError(
            f"The sandbox does not start: its process ends before it is ready{f' ({why})' if why else ''}.",
            hint="This machine may be short of memory; close something and try again.",
        )


def _answer(line: bytes) -> Answer | None:
    try:
        told = json.loads(line)
        return Answer.model_validate(told | {"told": base64.b64decode(told["told"], validate=True)}, strict=True)
    except (ValueError, TypeError, KeyError, ValidationError, binascii.Error, RecursionError):
        return None
