"""Programs that try to pass without being right, or to do harm, in the real sandbox; one file each."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from rubric.coding.result import CodeResult
from rubric.coding.task import CodingTask
from rubric.coding.verifier import Verifier
from serving.sandbox.backends import registry
from serving.sandbox.backends.bubblewrap import Bubblewrap
from serving.sandbox.worker_pool import WorkerPool

FOLDER = Path(__file__).parent / "attacks"
ATTACKS = sorted(path.stem for path in FOLDER.glob("*.py"))
CONTROLS = ("correct", "wrong")
TASK = CodingTask(
    starter="def twice_the_sum(x):\n    pass",
    solution="def twice_the_sum(x):\n    return 2 * x.sum()\n",
    tests="""
def example_sum(t):
    x = t.integers(1, 9, 3).float()
    yield {"x": x}, lambda: twice_the_sum(x)


def property_sums(t):
    for n in (1, 5, 64):
        x = t.randn(n)
        yield {"x": x}, lambda: twice_the_sum(x)
""",
)
SECONDS = 2.0


@pytest.fixture(scope="module")
def verifier(workers: WorkerPool) -> Iterator[Verifier]:
    os.environ["SANDBOX_SECRET"] = "secret"
    made = Verifier(workers, seconds=SECONDS)
    yield made
    made.close()
    del os.environ["SANDBOX_SECRET"]


def submitted(verifier: Verifier, name: str) -> CodeResult:
    # Our own solution runs beforehand, as in an interview.
    verifier.prepare(TASK)
    return verifier.verify(TASK, (FOLDER / f"{name}.py").read_text(encoding="utf-8"))


def wanted(name: str) -> set[str]:
    first = (FOLDER / f"{name}.py").read_text(encoding="utf-8").splitlines()[0]
    return set(first.removeprefix("# Ends as: ").rstrip(".").split())


TOLD_ELSEWHERE = frozenset(("beyond_floats", "half_a_character_forged", "keys_of_one_hash", "odd_shapes", "quantized"))
"""What ``tests/serving/sandbox/inside/test_wire.py`` and the frames' corpus hold as well, without a sandbox for
each."""

# Of every run, for what they show of the others: that the right one passes and the wrong one does not.
EACH = [
    pytest.param(
        name,
        marks=[
            *([] if name in CONTROLS else [pytest.mark.by_number("serving/sandbox", "rubric/coding")]),
            *([pytest.mark.full] if name in TOLD_ELSEWHERE else []),
        ],
    )
    for name in ATTACKS
]


@pytest.mark.parametrize("name", EACH)
def test_no_trick_passes(name: str, verifier: Verifier) -> None:
    result = submitted(verifier, name)
    assert result.status in wanted(name), result
    assert ("passed" in wanted(name)) == (name == "correct")
    assert "secret" not in result.model_dump_json()


@pytest.fixture(scope="module")
def behind_landlock() -> Iterator[Verifier]:
    """What is used where bubblewrap may not: walls that the worker puts up around itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Bubblewrap, "unavailable", lambda _: "No permissions to create new namespace")
        if registry.available() is None:
            pytest.skip("this kernel has no Landlock")
        with WorkerPool() as workers:
            assert workers.isolation.startswith("Landlock and seccomp, its memory ")
            made = Verifier(workers, seconds=SECONDS)
            yield made
            made.close()


CONFORMANCE = (
    *(*CONTROLS, "disk_of_others", "environment", "fork_bomb", "hypervisor_socket", "kernel_keys", "kills_everybody"),
    *("leaves_a_daemon", "memory_bomb", "network", "searches_the_disk", "traces_its_parent", "writes_outside"),
)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in CONTROLS else pytest.mark.by_number("serving/sandbox"))
        for name in CONFORMANCE
    ],
)
def test_the_other_walls_hold_as_well(name: str, behind_landlock: Verifier) -> None:
    result = submitted(behind_landlock, name)
    assert result.status in wanted(name), result


def test_nothing_of_it_is_seen_outside_and_the_next_submission_is_not_slowed(verifier: Verifier) -> None:
    for name in ("leaves_a_daemon", "fork_bomb", "writes_into_tmp", "disk_bomb"):
        submitted(verifier, name)
    begun = time.monotonic()
    assert submitted(verifier, "correct").status == "passed"
    assert time.monotonic() - begun < 60
    assert not Path("/tmp/sandbox-was-here").exists()
    assert not Path("/usr/sandbox-was-here").exists()
    assert not [p for p in psutil.process_iter(["cmdline"]) if "sandbox-daemon" in (p.info["cmdline"] or [])]


def test_there_are_enough_tricks() -> None:
    assert len(ATTACKS) - len(CONTROLS) >= 40
