"""All encoders of a process compute on one thread, small calls first.

torch gives every thread that computes a team of helpers, and these hold buffers, which stay. A page answers on up to a
hundred threads. Two computations at once gain nothing either: each uses all cores. A person waits for what is read of
their one sentence, and nobody for the fifty statements that their next mark is compared with.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from functools import partial
from itertools import count
from queue import PriorityQueue
from typing import Any, TypeVar

import numpy as np

from serving.arrays import FloatArray

AT_ONCE = 8
"""Texts or pairs of a call, where the caller names no other number: what comes meanwhile waits for so many. More at a
time are read no sooner on a processor (docs/benchmarks/many-people.md)."""

_EACH_WAITS_S = 0.05
"""By so much longer a call waits for smaller ones with each text that it reads; so none waits without end."""

_ENDS, _FIRST = float("-inf"), 0.0
_LAST_CALL_S = 30.0

Item = TypeVar("Item")
Result = TypeVar("Result")


class _Thread:
    """A thread that calls what it is given, those of few texts first; it ends with the process."""

    def __init__(self) -> None:
        self._calls: PriorityQueue[tuple[float, int, Callable[[], Any] | None, Future[Any]]] = PriorityQueue()
        self._number = count()
        self._thread = threading.Thread(target=self._work, name="encoders", daemon=True)
        self._thread.start()

    def result(self, call: Callable[[], Result], size: int) -> Result:
        if threading.current_thread() is self._thread:
            return call()
        future: Future[Result] = Future()
        self._put(time.monotonic() + size * _EACH_WAITS_S, call, future)
        try:
            return future.result()
        except BaseException:
            # Whoever was interrupted no longer wants it.
            future.cancel()
            raise

    def settle(self) -> None:
        """Wait for the call that is made now."""
        future: Future[None] = Future()
        self._put(_FIRST, lambda: None, future)
        wait((future,), _LAST_CALL_S)

    def end(self) -> None:
        """Wait for the call that is made now, and make none of those that wait."""
        self._put(_ENDS, None, Future())
        self._thread.join(_LAST_CALL_S)

    def _put(self, rank: float, call: Callable[[], Any] | None, future: Future[Any]) -> None:
        # No two have the same number, so that calls themselves are never compared.
        self._calls.put((rank, next(self._number), call, future))

    def _work(self) -> None:
        while True:
            _, _, call, future = self._calls.get()
            if call is None:
                return
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(call())
                except BaseException as error:  # noqa: BLE001 - raised again where it was called
                    future.set_exception(error)
            # Whoever waits holds the result; here it would stay until the next call.
            del call, future


class _Place:
    """Where the thread of this process is."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Have none: a process that was forked has the parent's memory and not its thread."""
        self._guard = threading.Lock()
        self._thread: _Thread | None = None

    def thread(self) -> _Thread:
        """The thread, started at its first use."""
        with self._guard:
            if self._thread is None:
                self._thread = _Thread()
            return self._thread

    def settle(self) -> None:
        """Wait for the call that is made now, if there is a thread."""
        with self._guard:
            thread = self._thread
        if thread is not None:
            thread.settle()

    def end(self) -> None:
        """End it before the interpreter does, which would end the process by a signal where torch computes."""
        with self._guard:
            thread = self._thread
        if thread is not None:
            thread.end()


_place = _Place()
atexit.register(_place.end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_place.forget)


def compute(call: Callable[[], Result], size: int) -> Result:
    """Call something on the thread of encoders, and wait for what it returns.

    Args:
        call: what is called; for many texts, one of several.
        size: texts that it reads; it is made before calls of more texts that came shortly before it.

    Raises:
        Whatever the call raises.

    """
    return _place.thread().result(call, size)


def settle() -> None:
    """Wait for the call that is made now, at most half a minute.

    Whoever is about to end the process calls it: the first call imports torch, and an import that goes on while the
    interpreter ends fails halfway, with a traceback in somebody's terminal.
    """
    _place.settle()


def in_turns(
    items: Sequence[Item],
    letters: Callable[[Item], int],
    width: int,
    read: Callable[[list[Item]], FloatArray],
    at_once: int = AT_ONCE,
) -> FloatArray:
    """The rows of texts or pairs, read a few at a time on the thread of encoders, [n, width], in their order.

    Args:
        items: what is read.
        letters: the length of one: about equally long ones are read together, so that little is computed for padding.
        width: length of a row.
        read: gives the rows of some of them.
        at_once: how many at a time.

    Raises:
        Whatever ``read`` raises.

    """
    rows = np.zeros((len(items), width), dtype=np.float32)
    order = sorted(range(len(items)), key=lambda place: letters(items[place]))
    for begin in range(0, len(order), at_once):
        some = order[begin : begin + at_once]
        rows[some] = compute(partial(read, [items[place] for place in some]), len(some))
    return rows
