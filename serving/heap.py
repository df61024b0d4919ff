"""Memory that was freed goes back to the system, instead of staying with a process that runs for hours.

The C library has up to eight heaps a core, gives each thread one of them, and keeps there what is freed below
something that is still used. A process of many threads that grade and write reports ends up holding more than half as
much again as it uses, and grows for hours. Only glibc is known to; with another library ``limit_heaps`` and
``return_freed_memory`` do nothing.

What a start imports stays until the end. Python looks through all of it again and again meanwhile for garbage that
refers to itself, and finds next to none.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

HEAPS = 2
"""Heaps for all threads; they take turns for what the interpreter does not serve by itself."""

EVERY_S = 60.0

LARGE = 4 * 2**20
"""Bytes from which a buffer is no part of a heap and goes back as soon as it is freed."""

_leaving_out = threading.RLock()
_ARENA_MAX, _MMAP_THRESHOLD = -8, -3


@contextmanager
def collecting_later() -> Iterator[None]:
    """Have no garbage looked for until ``collect_from_now_on``, or until this is closed."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def collect_from_now_on() -> None:
    """Have garbage looked for, but only among what is made from now on."""
    gc.freeze()
    gc.enable()


@contextmanager
def left_out(*names: str) -> Iterator[None]:
    """Have libraries look as if they were not installed to what is imported within this, unless they are in use."""
    # Of two threads the second would find hidden what it is to hide, and then the first would bring it back.
    with _leaving_out:
        hidden = [name for name in names if name not in sys.modules]
        sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # the import system's own way to say so
        try:
            yield
        finally:
            for name in hidden:
                sys.modules.pop(name, None)


def limit_heaps(most: int = HEAPS) -> bool:
    """Have all threads share so many heaps, and none hold large buffers; to be called before there are many threads.

    By itself the library puts buffers of up to 32 MB into its heaps once one of that size was freed. Small things that
    stay come to lie between them, and the heap can never shrink again.

    Returns:
        Whether this library can.

    """
    limit = getattr(ctypes.CDLL(None), "mallopt", None)
    return bool(limit is not None and limit(_ARENA_MAX, most) and limit(_MMAP_THRESHOLD, LARGE))


def return_freed_memory() -> bool:
    """Give what is free in all heaps back to the system; takes milliseconds, in which no thread gets memory.

    Returns:
        Whether there was anything to give back.

    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return bool(trim is not None and trim(0))


def keep_small(stop: threading.Event, *let_go: Callable[[], None]) -> None:
    """Give freed memory back now and every minute until ``stop`` is set.

    Args:
        stop: ends it.
        let_go: called before, each minute; frees what has not been used for long.

    """
    return_freed_memory()
    while not stop.wait(EVERY_S):
        for each in let_go:
            each()
        return_freed_memory()
