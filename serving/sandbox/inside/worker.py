"""Runs inside the sandbox: waits with torch imported for one job, tells what every test saw, and ends.

Words on standard input: the job, one JSON line. Frames on the descriptor named: "ready", then one a case, then "end".
What it tells is what the program under test let it tell; the trusted side believes numbers that agree with its own,
and nothing else. Stands alone: beside it in its folder lies all it needs.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import linecache
import os
import random
import select
import signal
import sys
import time
import types
import warnings
from collections.abc import Callable
from typing import Any

PRELOAD = ("torch", "torch.nn.functional", "torch.optim", "numpy")
"""What nearly every job needs."""

WHEN_IDLE = ("torch._dynamo",)
"""What some need (optimizers import it when they are first used) and takes longer than all the rest together."""

IDLE_S = 4.0
"""Seconds without a job after which that is imported too."""

NEIGHBORS = ("confine", "failure", "guard", "lock", "ranks", "trial", "wire")
"""What lies beside it."""

TELL_S = 1.0
"""Seconds that an exception may take to say what it is."""

MOST_TIMEOUTS = 2
"""Tests of one job whose time may run out before the rest is left alone."""


def main() -> None:
    """Waits for the job and does it."""
    out = int(sys.argv[1])
    os.set_inheritable(out, False)
    for name in PRELOAD:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    for name in NEIGHBORS:
        importlib.import_module(name)
    confine: Any = importlib.import_module("confine")
    confine.be_expendable()
    wire: Any = importlib.import_module("wire")
    _write(out, wire.encode({"ready": True}))
    if not select.select([sys.stdin], [], [], IDLE_S)[0]:
        for name in WHEN_IDLE:
            importlib.import_module(name)
    # What is there now is not looked through again and again when a program has its objects counted.
    gc.freeze()
    line = sys.stdin.buffer.readline()
    if not line:
        return
    job = json.loads(line)
    confine.confine(job["restrictions"], json.loads(sys.argv[2]))
    tell(job, out)
    sys.stdout.flush()
    os._exit(0)


def tell(job: dict[str, Any], out: int) -> None:
    """Does a job in this very process, in the folder it stands in, and writes the frames to a descriptor."""
    wire: Any = importlib.import_module("wire")

    token = job.pop("token", "")

    def say(told: dict[str, Any]) -> None:
        data = wire.encode({**told, "token": token})
        with _paused():
            _write(out, data)

    _do(job, say)
    _write(out, wire.encode({"end": True}))


def _write(out: int, data: bytes) -> None:
    while data:
        data = data[os.write(out, data) :]


def _module(name: str, source: str, given: dict[str, Any]) -> types.ModuleType:
    """Executes a source as a module of that name; its lines show in tracebacks."""
    path = f"{name}.py"
    # Both: some tools read the file, and where nothing may be written, tracebacks still find the lines.
    with contextlib.suppress(OSError), open(path, "w", encoding="utf-8") as file:
        file.write(source)
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    module = types.ModuleType(name)
    module.__file__ = path
    module.__dict__.update(given)
    sys.modules[name] = module
    exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - what this is for
    return module


def _do(job: dict[str, Any], say: Callable[[dict[str, Any]], None]) -> None:
    """Runs the tests on the program and says what they saw."""
    import numpy
    import torch

    trial: Any = importlib.import_module("trial")
    failure: Any = importlib.import_module("failure")
    torch.set_num_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    warnings.simplefilter("ignore")
    guard = importlib.import_module("guard").Guard(job.get("forbidden_names", ()))
    try:
        with _in_time(job["seconds"]):
            solution = _module("solution", job["source"], {})
            given = {name: getattr(solution, name) for name in job["names"] if hasattr(solution, name)}
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is the program's
        say({"import": _failed(error)})
        return
    lacking = [name for name in job["names"] if name not in given]
    if lacking:
        say({"lacking": lacking})
        return
    tests = _module("tests", job["tests"], given)
    guard.admit(tests, given)
    late, memory = 0, job.get("restrictions", {}).get("device_memory")
    for test in job["run"]:
        if late == MOST_TIMEOUTS:
            return
        if test["device"] != "cpu" and memory is not None:
            # Makes the context, which takes a moment that is not the program's.
            say({"device": _bound(memory)})
            memory = None
        if (tampering := guard.tampering()) is not None:
            say({"tampered": tampering[0], "line": tampering[1]})
            return
        name, seed = test["name"], test["seed"]
        told = {"test": name, "dtype": test["dtype"], "device": test["device"]}
        random.seed(seed)
        numpy.random.seed(seed % 2**32)
        torch.manual_seed(seed)
        begun = time.perf_counter()
        try:
            with _in_time(job["seconds"]), contextlib.nullcontext() if name.startswith("speed_") else guard.watching():
                for shown, seen in getattr(tests, name)(trial.Trial(seed, test["device"], test["dtype"])):
                    say({**told, "shown": shown, "seen": _seen(seen)})
        except failure.Tampered as error:
            say({"tampered": str(error), "line": 0})
            return
        except BaseException as error:  # noqa: BLE001 - as above
            late += isinstance(error, failure.TimeUp)
            say({**told, "failed": _failed(error)})
        if used := guard.used():
            say({**told, "used": [[use.name, use.line] for use in used]})
        say({**told, "seconds": time.perf_counter() - begun})
    if (tampering := guard.tampering()) is not None:
        say({"tampered": tampering[0], "line": tampering[1]})


def _bound(memory: int) -> str:
    """Limits what torch allocates on the card; the words of the error where the card cannot be used."""
    import torch

    try:
        share = memory / max(1, torch.cuda.mem_get_info()[1])
        torch.cuda.set_per_process_memory_fraction(min(1.0, share))
    except Exception as error:  # noqa: BLE001 - whatever the driver says
        return str(error)[:300] or type(error).__name__
    return ""


def _failed(error: BaseException) -> dict[str, Any]:
    """What an exception tells, if it does so in time: how it puts itself into words may be the program's own code."""
    failure: Any = importlib.import_module("failure")
    told: dict[str, Any] = {"type": type(error).__name__, "message": "It failed, and does not say why.", "line": 0}
    with contextlib.suppress(BaseException), _in_time(TELL_S):
        told = failure.told(error, "solution.py")
    return told


def _seen(seen: Any) -> Any:
    """What a test saw; a function is called, so that an exception tells about this case and not about the test."""
    if not isinstance(seen, types.FunctionType):
        return seen
    failure: Any = importlib.import_module("failure")
    try:
        return seen()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the program's
        return failure.told(error, "solution.py")


@contextlib.contextmanager
def _in_time(seconds: float) -> Any:
    failure: Any = importlib.import_module("failure")

    def up(*_: Any) -> None:
        raise failure.TimeUp(f"it took longer than {seconds:g} s")

    signal.signal(signal.SIGALRM, up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextlib.contextmanager
def _paused() -> Any:
    """Time that does not count: a frame must not be cut off in the middle."""
    left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        if left:
            signal.setitimer(signal.ITIMER_REAL, left)


if __name__ == "__main__":
    main()
