"""A lazy property is computed once for an object, and nobody waits for another object's."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from interviewer.lazy import lazy


class Read:
    def __init__(self, go_on: threading.Event | None = None) -> None:
        self.times, self.begun, self._go_on = 0, threading.Event(), go_on

    @lazy
    def words(self) -> list[str]:
        """What is read."""
        self.times += 1
        self.begun.set()
        if self._go_on is not None:
            self._go_on.wait()
        return ["read"]


def test_it_is_computed_once_for_each_object() -> None:
    first, second = Read(), Read()
    assert first.words is first.words
    assert first.words is not second.words
    assert (first.times, second.times) == (1, 1)
    assert Read.words.__doc__ == "What is read."


def test_one_object_does_not_wait_for_another() -> None:
    slow, quick = Read(go_on := threading.Event()), Read()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(lambda: slow.words)
        slow.begun.wait()
        assert quick.words == ["read"]
        assert not waiting.done()
        go_on.set()
        assert waiting.result() == ["read"]


def test_two_threads_get_the_same_value() -> None:
    read = Read(go_on := threading.Event())
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(lambda: read.words) for _ in range(2)]
        read.begun.wait()
        go_on.set()
        assert both[0].result() is both[1].result()
