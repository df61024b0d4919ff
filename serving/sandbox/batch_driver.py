"""Runs inside the sandbox: orders in on standard input, one JSON line an order out, on a descriptor of its own.

torch is imported once and every order is carried out in a fork of that, with one thread, since a fork hangs where
OpenMP has run before. This process never executes what it is given, and other processes of its user can neither
read nor write its memory. Where it is the first process of its namespace, all that an order leaves behind, processes
and files, is cleared away before the next; where it is not, orders can leave nothing, since they may neither start
processes nor write files. Stands alone: what it needs lies in the folder that it is given.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import gc
import importlib
import io
import json
import linecache
import os
import runpy
import select
import shutil
import signal
import sys
import time
import traceback
import types
import warnings
from collections.abc import Callable
from typing import Any

LONGEST_TEXT = 600
MOST_TOLD = {"blocks": 256 * 1024, "script": 0, "job": 65 * 1024 * 1024}
MOST_PRINTED = 64 * 1024
WRITABLE = ("/job", "/tmp", "/dev/shm")  # noqa: S108 - folders of the sandbox's own
ROOM = "/job/order"


def main(inside: str, preload: str, out: int, own: dict[str, Any]) -> None:
    """Imports what orders need and carries them out until standard input ends."""
    os.set_inheritable(out, False)
    sys.path.insert(0, inside)
    confine: Any = importlib.import_module("confine")
    importlib.import_module("lock")
    for name in json.loads(preload):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    # A fork's collector need not write to pages that are shared.
    gc.freeze()
    confine.hide()
    _write(out, b"ready\n")
    for line in sys.stdin.buffer:
        answer = _carried_out(json.loads(line), out, own)
        spent = not _cleared()
        _write(out, json.dumps(answer | {"spent": spent}).encode() + b"\n")
        if spent:
            return


def _carried_out(order: dict[str, Any], out: int, own: dict[str, Any]) -> dict[str, Any]:
    """Forks for an order and waits until it is done or its time is up."""
    pipes = [os.pipe() for _ in range(3)]
    child = os.fork()
    if child == 0:
        os.close(out)
        status = 1
        try:
            for receive, _ in pipes:
                os.close(receive)
            os.setsid()
            status = _child(order, own, *(send for _, send in pipes))
        finally:
            os._exit(status)
    for _, send in pipes:
        os.close(send)
    most = dict(
        zip((receive for receive, _ in pipes), (MOST_TOLD[order["kind"]], MOST_PRINTED, MOST_PRINTED), strict=True)
    )
    heard, status, late = _heard(child, most, time.monotonic() + order["seconds"])
    for receive in most:
        os.close(receive)
    told, printed, errors = heard.values()
    late = late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
    return {
        "late": late,
        "status": os.waitstatus_to_exitcode(status),
        "told": base64.b64encode(told).decode(),
        "printed": printed.decode(errors="replace"),
        "errors": errors.decode(errors="replace"),
    }


def _heard(child: int, most: dict[int, int], until: float) -> tuple[dict[int, bytearray], int, bool]:
    """What an order's process writes, each cut at a length, how it ended, and whether its time was up."""
    heard = {receive: bytearray() for receive in most}
    ended = os.pidfd_open(child)
    waiting = {*most, ended}
    late = False
    # Until it ends: who inherited its pipes may hold them open for longer.
    while ended in waiting:
        left = until - time.monotonic()
        if left <= 0:
            late = True
            break
        ready = select.select(list(waiting), [], [], left)[0]
        waiting -= {
            receive for receive in ready if receive == ended or not _read(receive, heard[receive], most[receive])
        }
    os.close(ended)
    _kill(child)
    _, status = os.waitpid(child, 0)
    _reap()
    for receive in waiting & set(most):
        while select.select([receive], [], [], 0)[0] and _read(receive, heard[receive], most[receive]):
            pass
    return heard, status, late


def _read(receive: int, heard: bytearray, most: int) -> bool:
    """Reads what there is; false at its end."""
    part = os.read(receive, 1 << 16)
    heard += part[: max(0, most - len(heard))]
    return bool(part)


def _kill(child: int) -> None:
    """Kills an order's process with all that it started."""
    if os.getpid() == 1:
        # In a namespace of its own: everything else there is.
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        return
    for end in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(child, signal.SIGKILL)


def _reap() -> None:
    """Takes away what is left of processes whose parents have ended."""
    with contextlib.suppress(ChildProcessError):
        while os.getpid() == 1:
            os.waitpid(-1, 0)


def _cleared() -> bool:
    """Empties the writable folders; false where that fails, so that a fresh sandbox has to be had."""
    if os.getpid() != 1:
        return True
    try:
        for folder in WRITABLE:
            for entry in os.scandir(folder):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path)
                else:
                    os.unlink(entry.path)
    except (OSError, RecursionError):
        return False
    return True


def _write(out: int, data: bytes) -> None:
    while data:
        data = data[os.write(out, data) :]


def _child(order: dict[str, Any], own: dict[str, Any], told: int, printed: int, errors: int) -> int:
    """Carries out an order in this process, which is of no other use; the exit status."""
    confine: Any = importlib.import_module("confine")
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor, standard in ((null, 0), (printed, 1), (errors, 2)):
        os.dup2(descriptor, standard)
        os.close(descriptor)
    with contextlib.suppress(OSError):
        os.mkdir(ROOM)
        os.chdir(ROOM)
        os.environ["HOME"] = ROOM
    confine.show()
    confine.confine(order["restrictions"], own)
    return _KINDS[order["kind"]](order["payload"], told)


def _job(payload: str, told: int) -> int:
    worker: Any = importlib.import_module("worker")
    worker.tell(json.loads(payload), told)
    sys.stdout.flush()
    return 0


def _script(payload: str, told: int) -> int:
    os.close(told)
    with open("script.py", "w", encoding="utf-8") as file:
        file.write(payload)
    sys.argv[:] = ["script.py"]
    sys.path.insert(0, os.getcwd())
    status = 0
    try:
        runpy.run_path("script.py", run_name="__main__")
    except SystemExit as leaving:
        status = 0 if leaving.code is None else 1
    except BaseException:  # noqa: BLE001 - the fork must end here, whatever the script raised
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def _blocks(payload: str, told: int) -> int:
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    for index, source in enumerate(json.loads(payload)):
        path = f"{os.getcwd()}/block_{index}.py"
        # Both: some tools read the file, and where nothing may be written, tracebacks still find the lines.
        with contextlib.suppress(OSError), open(path, "w", encoding="utf-8") as file:
            file.write(source)
        linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
        module.__file__ = path
        _write(told, json.dumps(_block(source, path, module)).encode() + b"\n")
    return 0


_KINDS: dict[str, Callable[[str, int], int]] = {"job": _job, "script": _script, "blocks": _blocks}


def _block(source: str, path: str, module: types.ModuleType) -> dict[str, Any]:
    failures: list[dict[str, Any]] = []
    notices: list[dict[str, Any]] = []
    printed: list[dict[str, Any]] = []
    for node in ast.parse(source).body:
        first, last = node.lineno, node.end_lineno or node.lineno
        first = min([first, *(item.lineno for item in getattr(node, "decorator_list", []))])
        said = io.StringIO()
        with warnings.catch_warnings(record=True) as heard, contextlib.redirect_stdout(said):
            warnings.simplefilter("always")
            try:
                exec(compile(ast.Module([node], []), path, "exec", dont_inherit=True), module.__dict__)  # noqa: S102
            except BaseException as error:  # noqa: BLE001 - whatever it is, it is what is asked for
                failures.append(_failure(error, path, first, last))
        notices += [
            {"line": item.lineno, "category": item.category.__name__, "message": str(item.message)[:LONGEST_TEXT]}
            for item in heard
            if item.filename == path
        ]
        if text := said.getvalue():
            printed.append({"first": first, "last": last, "text": text[:LONGEST_TEXT]})
    return {"failures": failures, "notices": notices[:50], "printed": printed[:200]}


def _failure(error: BaseException, path: str, first: int, last: int) -> dict[str, Any]:
    line, step, deepest = first, error.__traceback__, ""
    while step is not None:
        deepest = step.tb_frame.f_code.co_filename
        if deepest == path:
            line = step.tb_lineno
        step = step.tb_next
    return {
        "first": first,
        "last": last,
        "line": line,
        "types": [kind.__name__ for kind in type(error).__mro__],
        "message": str(error)[:LONGEST_TEXT],
        "name": str(getattr(error, "name", "") or ""),
        "own": deepest == path,
    }


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), json.loads(sys.argv[4]))
    # Leaving in the usual way would take half a second for tidying up all of torch.
    os._exit(0)
