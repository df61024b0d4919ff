"""Runs inside the sandbox: programs in, one JSON line a program out, on a descriptor of its own.

torch is imported once and every program runs in a fork of that, with one thread, since a fork hangs where OpenMP
has run before. A program is a list of blocks that share their names; its statements run one by one, so that a
statement that fails tells about itself and not about those behind it. Stands alone: it imports nothing of ours.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import json
import os
import resource
import select
import signal
import sys
import time
import types
import warnings
from typing import Any

LONGEST_TEXT = 600
LONGEST_RESULT = 256 * 1024


def main() -> None:
    """Reads the jobs from standard input and writes what became of them to the descriptor named."""
    out = int(sys.argv[1])
    os.set_inheritable(out, False)
    jobs = json.load(sys.stdin)
    for name in jobs["preload"]:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    _limit(jobs["memory"])
    for number, program in enumerate(jobs["programs"]):
        result = _fork(number, program, jobs["seconds"], out)
        os.write(out, json.dumps(result).encode() + b"\n")


def _limit(memory: int) -> None:
    """Limits that hold from now on; not the address space, of which torch maps far more than it uses."""
    for what, most in (
        (resource.RLIMIT_DATA, memory),
        (resource.RLIMIT_FSIZE, 64 * 1024 * 1024),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 64),
    ):
        resource.setrlimit(what, (most, most))


def _fork(number: int, program: dict[str, Any], seconds: float, out: int) -> dict[str, Any]:
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        os.close(receive)
        os.setsid()
        status = 1
        try:
            _child(number, program, send, seconds)
            status = 0
        finally:
            os._exit(status)
    os.close(send)
    data, late = _read(receive, time.monotonic() + seconds)
    os.close(receive)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    late = late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
    lines = data.split(b"\n")
    blocks = []
    for line in lines[:-1]:
        with contextlib.suppress(ValueError):
            blocks.append(json.loads(line))
    return {"blocks": blocks, "late": late}


def _read(descriptor: int, until: float) -> tuple[bytes, bool]:
    """What a program reports, cut at a length, and whether its time ran out."""
    data = b""
    while True:
        left = until - time.monotonic()
        ready = left > 0 and select.select([descriptor], [], [], left)[0]
        if not ready:
            return data, True
        part = os.read(descriptor, 65536)
        if not part or len(data) > LONGEST_RESULT:
            return data, False
        data += part


def _child(number: int, program: dict[str, Any], send: int, seconds: float) -> None:
    most = max(1, round(seconds / 2))
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    room = f"/job/{number}"
    os.mkdir(room)
    os.chdir(room)
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    for index, source in enumerate(program["blocks"]):
        path = f"{room}/block_{index}.py"
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        module.__file__ = path
        os.write(send, json.dumps(_block(source, path, module)).encode() + b"\n")


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
    main()
