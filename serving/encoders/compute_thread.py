"""All encoders of a process compute on one thread.

torch gives every thread that computes a team of helpers, and these buffers, which stay. A page answers on up to a
hundred threads. Two computations at once gain nothing either: each uses all cores.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

Result = TypeVar("Result")


class _Thread:
    """A thread that calls what it is given, one after the other; it ends with the process."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="encoders", daemon=True)
        self._thread.start()

    def result(self, call: Callable[[], Result]) -> Result:
        if threading.current_thread() is self._thread:
            return call()
        future: Future[Result] = Future()
        self._calls.put((call, future))
        return future.result()

    def _work(self) -> None:
        while True:
            call, future = self._calls.get()
            try:
                future.set_result(call())
            except BaseException as error:  # noqa: BLE001 - raised again where it was called
                future.set_exception(error)
            # Whoever waits holds the result; here it would stay until the next call.
            del call, future


_threads: dict[int, _Thread] = {}
_guard = threading.Lock()


def compute(call: Callable[[], Result]) -> Result:
    """Call something on the thread of encoders, and wait for what it returns.

    Raises:
        Whatever the call raises.

    """
    with _guard:
        # A process that was forked has the parent's memory and not its thread.
        thread = _threads.get(os.getpid()) or _threads.setdefault(os.getpid(), _Thread())
    return thread.result(call)
