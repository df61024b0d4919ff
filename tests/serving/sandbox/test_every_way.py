"""Hostile code in every way in which code is executed: the same limits hold, and what is harmless works."""

from __future__ import annotations

import ast
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from knowledge.bank.validation import forked_runner, sample_runner
from knowledge.documents.formats import sandboxed
from knowledge.documents.formats.sandboxed import convert
from serving.sandbox.backends import registry
from serving.sandbox.backends.bubblewrap import MOST_ON_DISK, WRITABLE, Bubblewrap
from serving.sandbox.backends.landlock import Landlock
from serving.sandbox.batch_runner import Program, Sandbox
from serving.sandbox.cgroup import limited
from serving.sandbox.job import Job, JobTest
from serving.sandbox.restrictions import LIMITS
from serving.sandbox.worker_pool import WorkerPool

SOURCE = Path(__file__).with_name("hostile.py").read_text(encoding="utf-8")
MEBIBYTES = MOST_ON_DISK // 2**20
GIGABYTES = 6
SECONDS = 60.0


def job(call: str, processes: int = 0) -> Job:
    return Job(
        source=f"{SOURCE}\n\ndef found():\n    import json\n    return json.dumps({call})\n",
        tests="def example(t):\n    yield {}, found()\n",
        names=("found",),
        run=(JobTest(name="example", dtype="float32", seed=1),),
        seconds=SECONDS,
        processes=processes,
    )


def told(report: Any) -> Any:
    assert report.told, report
    assert "seen" in report.told[0], report
    return json.loads(report.told[0]["seen"])


def submission(call: str) -> Any:
    with WorkerPool(0) as workers:
        return told(workers.run(job(call)))


def submission_of_processes(call: str) -> Any:
    with WorkerPool(0) as workers:
        return told(workers.run(job(call, processes=2)))


def documents_code(call: str) -> Any:
    # Of what one statement prints, some hundred characters are kept.
    last = f"found = {call}\n" + "".join(
        f"print(repr({{k: v for n, (k, v) in enumerate(found.items()) if n % 4 == {part}}}))\n" for part in range(4)
    )
    with Sandbox() as sandbox:
        (ran,) = sandbox.run_programs([Program(blocks=(SOURCE, last))], SECONDS)
    assert len(ran.traces) == 2, ran
    parts = [ast.literal_eval(printed.text) for printed in ran.traces[1].printed]
    return {key: value for part in parts for key, value in part.items()}


def bank_job(call: str) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forked_runner, "PRELOAD", ("worker", "trial", "wire", "failure", "torch"))
        return told(forked_runner.ForkedRunner().run(job(call)))


def bank_reference(call: str) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sample_runner, "PRELOAD", ())
        ran = sample_runner.SampleRunner().run(f"{SOURCE}\nimport json\nprint(json.dumps({call}))\n", SECONDS)
    assert not ran.error, ran
    return json.loads(ran.printed[-1])


def converter(call: str) -> Any:
    """A document whose reader was taken over: what it would run then."""
    program = (
        "import sys, json\nfrom knowledge.documents.formats.__main__ import confine\n"
        "confine(sys.argv[2], sys.argv[3])\n"
        f"{SOURCE}\nprint(json.dumps({{'text': json.dumps({call})}}))"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandboxed, "COMMAND", ("-c", program))
        return json.loads(convert(b"", "html").text)


class Way(NamedTuple):
    """A way in which code is executed.

    Attributes:
        run: executes the hostile program with a call at its end, and returns what that told.
        folder: where it may write, if anywhere.
        forks: whether it may start processes.

    """

    run: Callable[[str], Any]
    folder: str = "/tmp"
    forks: bool = False


WAYS = {
    "submission": Way(submission),
    "submission of several processes": Way(submission_of_processes, forks=True),
    "code of documents": Way(documents_code),
    "job of the bank": Way(bank_job),
    "reference of the bank": Way(bank_reference, forks=True),
    "reader of documents": Way(converter, folder=""),
}
QUICK = {"submission", "reader of documents"}
BEHIND_LANDLOCK = {name: way._replace(folder="") for name, way in WAYS.items() if not way.forks}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    path = tmp_path / "interviews.db"
    path.write_text("kept")
    path.chmod(0o600)
    os.utime(path, (1, 1))
    return path


def attacked(way: Way, port: int, victim: Path) -> dict[str, Any]:
    """What hostile code told, after all that every way and every backend holds off was found held off."""
    found: dict[str, Any] = way.run(f"everything({port}, {way.folder!r}, {GIGABYTES}, {str(victim)!r})")
    assert os.listdir(victim.parent) == [victim.name]
    now = victim.stat()
    assert (victim.read_text(), now.st_mtime, now.st_nlink, oct(now.st_mode)) == ("kept", 1, 1, "0o100600")
    assert found["harmless"] == [2**20, 2, *([2**20] if way.folder else [])], found
    assert found["trace"] == [], found
    assert found["sockets"] == [], found
    assert found["memory"] == [], found
    assert found["page tables"] is False, found
    assert found["dev"] == 0, found
    assert found["huge file"] <= MEBIBYTES // 2, found
    if not way.forks:
        assert found["processes"] == 0, found
        assert found["fork in thread"] == [], found
    if not way.folder:
        assert (found["shm"], found["files"], found["huge file"]) == (0, 0, 0), found
    return found


@pytest.mark.parametrize("name", WAYS)
def test_behind_bubblewrap(name: str, port: int, victim: Path) -> None:
    way = WAYS[name]
    found = attacked(way, port, victim)
    if way.folder:
        assert 0 < found["shm"] <= MEBIBYTES, found
        assert 0 < found["files"] <= MEBIBYTES, found
    if way.forks:
        assert found["processes"] > 0, found
        assert found["fork in thread"] == ["fork", "spawn"], found
    if limited().tasks:
        assert found["processes"] + found["threads"] <= 2 * LIMITS.tasks, found


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.full) for name in BEHIND_LANDLOCK]
)
def test_behind_landlock(name: str, port: int, victim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bubblewrap, "unavailable", lambda _: "It may not be used.")
    if Landlock().unavailable():
        pytest.skip("this kernel has no Landlock")
    attacked(BEHIND_LANDLOCK[name], port, victim)


def test_a_reader_is_held_where_there_is_no_backend(port: int, victim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for backend in (Bubblewrap, Landlock):
        monkeypatch.setattr(backend, "unavailable", lambda _: "It may not be used.")
    assert registry.available() is None
    attacked(BEHIND_LANDLOCK["reader of documents"], port, victim)


def test_without_any_of_this_it_gets_through(port: int) -> None:
    """So that an attack that is broken itself does not count as held off."""
    program = (
        f"{SOURCE}\nimport json\n"
        f"print(json.dumps([sockets({port}), memory({GIGABYTES} * GIB), page_tables(), huge_file('/tmp', 80), "
        f"fill('/tmp', 8), processes(90), fork_in_thread(), threads(90), harmless('/tmp'), trace()]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, timeout=60)
    reached, ways, tables, huge, filled, forked_runner, started, threads, harmless, traced = json.loads(done.stdout)
    assert "ptrace" in traced
    assert "loopback" in reached
    assert {"private", "shared", "stack", "memfd", "segment", "zero"} <= set(ways)
    assert (tables, forked_runner, started, threads) == (True, 90, ["fork", "spawn"], 90)
    assert huge >= 80
    assert filled >= 8
    assert harmless == [2**20, 2, 2**20]


def test_every_writable_folder_is_tried() -> None:
    assert set(WRITABLE) == {"/job", "/tmp", "/dev/shm"}
