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
    with ThreadPoolExecutor(2) as pool:
        waiting = pool.submit(lambda: slow.words)
        assert slow.begun.wait(60)
        try:
            assert pool.submit(lambda: quick.words).result(60) == ["read"]
            assert not waiting.done()
        finally:
            go_on.set()
        assert waiting.result() == ["read"]


def test_two_threads_that_compute_it_at_once_get_the_same_value() -> None:
    both_there = threading.Barrier(2)

    class Both(Read):
        @lazy
        def words(self) -> list[str]:
            both_there.wait(60)
            return ["read"]

    read = Both()
    with ThreadPoolExecutor(2) as pool:
        first, second = [pool.submit(lambda: read.words) for _ in range(2)]
        assert first.result() is second.result()
