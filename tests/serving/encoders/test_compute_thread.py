"""Whoever asks, encoders compute on one thread; what a call raises is raised where it was asked."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from serving.encoders import compute_thread
from serving.encoders.compute_thread import compute


def test_all_calls_are_made_on_one_thread_one_at_a_time() -> None:
    open_calls, most = [], []

    def call(number: int) -> tuple[int, int]:
        open_calls.append(number)
        most.append(len(open_calls))
        open_calls.remove(number)
        return number, threading.get_ident()

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: compute(lambda: call(number), number), range(50)))
    assert [number for number, _ in found] == list(range(50))
    assert len({thread for _, thread in found} - {threading.get_ident()}) == 1
    assert set(most) == {1}


def test_a_call_within_a_call_does_not_wait_for_itself() -> None:
    assert compute(lambda: compute(lambda: 1, 9) + 1, 1) == 2


def test_of_those_that_wait_the_smallest_comes_next() -> None:
    order: list[int] = []
    begun, go_on = threading.Event(), threading.Event()

    def first() -> None:
        begun.set()
        go_on.wait()

    with ThreadPoolExecutor(8) as pool:
        pool.submit(compute, first, 1)
        begun.wait()
        waiting = [pool.submit(compute, partial(order.append, size), size) for size in (50, 3, 128, 3)]
        while len(compute_thread._threads[os.getpid()]._calls.queue) < len(waiting):
            time.sleep(0.01)
        go_on.set()
        for each in waiting:
            each.result()
    assert order == [3, 3, 50, 128]


def test_what_fails_is_told_to_who_asked_and_the_next_call_is_made() -> None:
    with pytest.raises(ZeroDivisionError):
        compute(lambda: 1 // 0, 1)
    assert compute(lambda: "next", 1) == "next"


def test_a_forked_process_computes_too() -> None:
    assert compute(lambda: 1, 1) == 1
    if (child := os.fork()) == 0:
        os._exit(0 if compute(lambda: 2, 1) == 2 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
