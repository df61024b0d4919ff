from __future__ import annotations

import gc
import importlib
import subprocess
import sys
import threading

import pytest

from serving import heap
from serving.heap import HEAPS, collecting_later, keep_small, return_freed_memory

BETWEEN = """
import os
from serving.heap import return_freed_memory

def held():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

begun = held()
large, small = [], []
for _ in range(1000):
    large.append(bytes(100_000))
    small.append(bytes(1000))
full = held()
del large
freed = held()
given_back = return_freed_memory()
print(full - begun, freed - begun, held() - begun, given_back)
"""
"""Frees a hundred megabytes in pieces that lie between others which are still used."""

THREADS = """
import ctypes, sys, threading
from serving.heap import limit_heaps

if sys.argv[1] == "limited":
    assert limit_heaps()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.fdopen.restype = ctypes.c_void_p
together = threading.Barrier(16)

def take():
    together.wait()
    assert libc.malloc(1000)
    together.wait()

threads = [threading.Thread(target=take) for _ in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
out = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
"""

LARGE = """
import ctypes, sys
from serving.heap import LARGE, limit_heaps

if sys.argv[1] == "limited":
    assert limit_heaps()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
libc.mallinfo2.restype = type("Told", (ctypes.Structure,), {"_fields_": [("all", ctypes.c_size_t * 10)]})
libc.free(libc.malloc(2 * LARGE))
before = libc.mallinfo2().all[4]
libc.malloc(2 * LARGE)
print(libc.mallinfo2().all[4] - before > LARGE)
"""
"""Whether a large buffer lies outside of the heaps (field ``hblkhd``), after one of its size was freed."""

COLLECTING = """
import gc
from serving.heap import collect_from_now_on, collecting_later

looked = []
gc.callbacks.append(lambda phase, _: looked.append(phase))
with collecting_later():
    kept = [[] for _ in range(100_000)]
    print(len(looked))
    collect_from_now_on()
    assert gc.isenabled()
    print(gc.get_freeze_count())
assert gc.isenabled()
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the C library is another one")


def printed(program: str, *arguments: str) -> str:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_freed_memory_between_used_memory_goes_back_to_the_system() -> None:
    full, freed, after, given_back = printed(BETWEEN).split()
    assert int(freed) > int(full) / 2
    assert int(after) < int(full) / 10
    assert given_back == "True"


def test_threads_share_few_heaps() -> None:
    assert printed(THREADS, "limited").count("<heap ") <= HEAPS < printed(THREADS, "not").count("<heap ")


def test_a_library_is_left_out_only_where_it_is_not_in_use_and_only_for_so_long() -> None:
    assert "mailcap" not in sys.modules
    with heap.left_out("mailcap", "gc"):
        with pytest.raises(ImportError):
            importlib.import_module("mailcap")
        assert importlib.import_module("gc") is gc
    assert "mailcap" not in sys.modules
    assert sys.modules["gc"] is gc


def test_of_two_threads_that_leave_it_out_one_comes_after_the_other() -> None:
    begun, found = threading.Event(), list[object]()

    def second() -> None:
        with heap.left_out("mailcap"):
            found.append("mailcap" in sys.modules)
            begun.set()

    with heap.left_out("mailcap"):
        (thread := threading.Thread(target=second)).start()
        assert not begun.wait(0.2)
        found.append("first is done")
    thread.join(60)
    assert found == ["first is done", True]
    assert "mailcap" not in sys.modules


def test_no_heap_holds_a_large_buffer() -> None:
    assert printed(LARGE, "limited").strip() == "True"
    assert printed(LARGE, "not").strip() == "False"


def test_nothing_happens_where_the_library_has_no_such_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serving.heap.ctypes.CDLL", lambda name: object())
    assert not return_freed_memory()


def test_memory_is_given_back_again_and_again_until_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, times = threading.Event(), []

    def given_back() -> bool:
        times.append(len(times))
        if len(times) == 3:
            stop.set()
        return True

    monkeypatch.setattr(heap, "return_freed_memory", given_back)
    monkeypatch.setattr(heap, "EVERY_S", 0.0)
    let_go: list[int] = []
    keep_small(stop, lambda: let_go.append(len(times)))
    assert times == [0, 1, 2]
    assert let_go == [1, 2]


def test_no_garbage_is_looked_for_meanwhile_and_only_among_what_is_new_afterwards() -> None:
    before, after = printed(COLLECTING).split()
    assert before == "0"
    assert int(after) > 1000


def test_garbage_is_looked_for_after_a_start_that_failed() -> None:
    @collecting_later()
    def fail() -> None:
        assert not gc.isenabled()
        raise RuntimeError("the port is in use")

    with pytest.raises(RuntimeError):
        fail()
    assert gc.isenabled()
