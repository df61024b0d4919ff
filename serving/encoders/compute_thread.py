"""All encoders of a process compute on one thread, small calls first.

torch gives every thread that computes a team of helpers, and these buffers, which stay. A page answers on up to a
hundred threads. Two computations at once gain nothing either: each uses all cores. A person waits for what is read of
their one sentence, and nobody for the fifty statements that their next mark is compared with.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from queue import PriorityQueue
from typing import Any, TypeVar

Result = TypeVar("Result")


class _Thread:
    """A thread that calls what it is given, the smallest first; it ends with the process."""

    def __init__(self) -> None:
        self._calls: PriorityQueue[tuple[int, int, Callable[[], Any], Future[Any]]] = PriorityQueue()
        self._number = count()
        self._thread = threading.Thread(target=self._work, name="encoders", daemon=True)
        self._thread.start()

    def result(self, call: Callable[[], Result], size: int) -> Result:
        if threading.current_thread() is self._thread:
            return call()
        future: Future[Result] = Future()
        # No two have the same number, so that calls themselves are never compared.
        self._calls.put((size, next(self._number), call, future))
        return future.result()

    def _work(self) -> None:
        while True:
            _, _, call, future = self._calls.get()
            try:
                future.set_result(call())
            except BaseException as error:  # noqa: BLE001 - raised again where it was called
                future.set_exception(error)
            # Whoever waits holds the result; here it would stay until the next call.
            del call, future


_threads: dict[int, _Thread] = {}
_guard = threading.Lock()


def compute(call: Callable[[], Result], size: int) -> Result:
    """Call something on the thread of encoders, and wait for what it returns.

    Args:
        call: what is called.
        size: texts that it reads; of the calls that wait, the one with the fewest comes next.

    Raises:
        Whatever the call raises.

    """
    with _guard:
        # A process that was forked has the parent's memory and not its thread.
        thread = _threads.get(os.getpid()) or _threads.setdefault(os.getpid(), _Thread())
    return thread.result(call, size)
