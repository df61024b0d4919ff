"""Whoever asks, encoders compute on one thread; what a call raises is raised where it was asked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from types import SimpleNamespace

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
        go_on.wait(60)

    with ThreadPoolExecutor(8) as pool:
        pool.submit(compute, first, 1)
        assert begun.wait(60)
        waiting = [pool.submit(compute, partial(order.append, size), size) for size in (5000, 300, 9000, 300)]
        while len(compute_thread._place.thread()._calls.queue) < len(waiting):
            time.sleep(0.01)
        go_on.set()
        for each in waiting:
            each.result()
    assert order == [300, 300, 5000, 9000]


def test_what_fails_is_told_to_who_asked_and_the_next_call_is_made() -> None:
    with pytest.raises(ZeroDivisionError):
        compute(lambda: 1 // 0, 1)
    assert compute(lambda: "next", 1) == "next"


def test_a_large_call_does_not_wait_for_ever_for_small_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([0.0, 100.0])
    thread = compute_thread._Thread()
    begun, go_on, order = threading.Event(), threading.Event(), list[str]()
    with ThreadPoolExecutor(3) as pool:
        pool.submit(thread.result, lambda: (begun.set(), go_on.wait(60)), 0)
        assert begun.wait(60)
        monkeypatch.setattr(compute_thread, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
        for number, name in enumerate(("large", "small, much later")):
            pool.submit(thread.result, partial(order.append, name), 32 - 31 * number)
            while len(thread._calls.queue) <= number:
                time.sleep(0.01)
        go_on.set()
    assert order == ["large", "small, much later"]


def test_what_nobody_waits_for_any_more_is_not_computed() -> None:
    thread, begun, go_on = compute_thread._Thread(), threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(thread.result, lambda: (begun.set(), go_on.wait(60)), 0)
        assert begun.wait(60)
        called: list[int] = []
        future: Future[None] = Future()
        thread._put(0.0, partial(called.append, 1), future)
        future.cancel()
        go_on.set()
        assert thread.result(lambda: 2, 1) == 2
    assert called == []


ENDS = """
import threading, time
import torch
from serving.encoders.compute_thread import compute

rows = torch.rand(1000, 1000)
def work():
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        rows @ rows

threading.Thread(target=compute, args=(work, 1), daemon=True).start()
threading.Thread(target=compute, args=(work, 2), daemon=True).start()
while threading.active_count() < 4:
    time.sleep(0.01)
"""


def test_a_process_that_ends_while_it_computes_ends_as_it_should() -> None:
    done = subprocess.run([sys.executable, "-c", ENDS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_process_computes_too() -> None:
    assert compute(lambda: 1, 1) == 1
    if (child := os.fork()) == 0:
        signal.alarm(60)
        status = 1
        try:
            status = 0 if compute(lambda: 2, 1) == 2 else 1
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_whoever_ends_the_process_waits_for_the_call_that_is_made() -> None:
    made: list[str] = []
    begun, go_on = threading.Event(), threading.Event()

    def call() -> None:
        begun.set()
        go_on.wait(60)
        made.append("call")

    with ThreadPoolExecutor(2) as pool:
        pool.submit(compute, call, 1)
        assert begun.wait(60)
        settled = pool.submit(compute_thread.settle)
        assert not settled.done()
        go_on.set()
        settled.result(60)
    assert made == ["call"]
    compute_thread.settle()
    assert compute(lambda: 1, 1) == 1
