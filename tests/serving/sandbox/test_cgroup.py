"""Control groups: in the kernel's own where this machine lets us, and where they would be made on others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from rubric.coding.task import CodingTask
from rubric.coding.verifier import Verifier
from serving.sandbox import cgroup
from serving.sandbox.backends import registry
from serving.sandbox.cgroup import Group, Limits, limited
from serving.sandbox.restrictions import LIMITS
from serving.sandbox.worker_pool import WorkerPool

WANTED = Limits(memory=2**28, tasks=40)


def made(tmp_path: Path, own: str) -> Group:
    (tmp_path / "own").write_text(own)
    return Group(WANTED, tmp_path, tmp_path / "own")


def folders(tmp_path: Path) -> list[str]:
    found = tmp_path.rglob(f"{cgroup._PREFIX}*")
    return sorted(str(folder.parent.relative_to(tmp_path)) for folder in found)


def test_version_1_has_a_tree_for_each_controller(tmp_path: Path) -> None:
    for name in ("memory/user/app", "pids/user"):
        (tmp_path / name).mkdir(parents=True)
    group = made(tmp_path, "4:memory:/user/app\n8:cpu,pids:/user\n0::/\n")
    assert group.limits == WANTED
    assert folders(tmp_path) == ["memory/user/app", "pids/user"]
    (limit,) = tmp_path.rglob("memory.limit_in_bytes")
    assert limit.read_text() == str(2**28)


def test_version_2_is_used_where_a_controller_is_handed_on(tmp_path: Path) -> None:
    (tmp_path / "slice/app").mkdir(parents=True)
    (tmp_path / "slice/app/cgroup.subtree_control").write_text("\n")
    (tmp_path / "slice/cgroup.subtree_control").write_text("cpu memory pids\n")
    group = made(tmp_path, "0::/slice/app\n")
    assert group.limits == WANTED
    assert folders(tmp_path) == ["slice"]
    assert next(tmp_path.rglob("memory.max")).read_text() == str(2**28)
    assert next(tmp_path.rglob("pids.max")).read_text() == "40"


@pytest.mark.parametrize("own", ["0::/\n", "", "3:memory:/gone/away\n0::/gone\n"])
def test_without_a_place_nothing_is_limited(tmp_path: Path, own: str) -> None:
    group = made(tmp_path, own)
    assert group.limits == Limits()
    assert group.limits.words == ""
    assert group.entering(["true"]) == ["true"]


def test_a_group_that_cannot_be_entered_runs_nothing(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    group = made(tmp_path, "1:memory:/\n")
    (next(tmp_path.rglob(f"{cgroup._PREFIX}*")) / "cgroup.procs").mkdir()
    done = subprocess.run(group.entering(["/bin/echo", "here"]), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")


@pytest.mark.skipif(not limited().words, reason="no control group may be made on this machine")
def test_a_worker_is_held_as_a_whole_and_its_group_is_gone_afterwards() -> None:
    hungry = """
import os
import time


def f():
    for _ in range(3):
        if os.fork() == 0:
            kept = bytearray(b"x") * 800_000_000
            time.sleep(30)
            os._exit(0)
    until = time.monotonic() + 15
    while time.monotonic() < until:
        process, status = os.waitpid(-1, os.WNOHANG)
        if process:
            return os.WTERMSIG(status) == 9
"""
    tests = "def example_f(t):\n    yield {}, lambda: f()\n"
    task = CodingTask(starter="", solution="def f():\n    return True\n", tests=tests, processes=2)
    assert limited().memory is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("serving.sandbox.worker_pool.LIMITS", Limits(memory=2 * 10**9, tasks=LIMITS.tasks))
        with WorkerPool(0) as workers:
            verifier = Verifier(workers, seconds=20)
            result = verifier.verify(task, hungry)
            verifier.close()
    # One of them was ended, or the worker with them.
    assert result.tests[0].status in {"passed", "no_result"}, result
    assert "limited as a whole" in result.isolation
    cgroup._sweep(5.0)
    assert not cgroup._left


def test_without_groups_the_isolation_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "limited", Limits)
    with WorkerPool(0) as workers:
        assert workers.isolation.endswith(", its memory limited by process")
