"""Tasks of several processes: a real process group in the real sandbox, and what it opens to those who mean harm."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from knowledge.bank.validation.forked_runner import ForkedRunner
from rubric.coding.result import CodeStatus
from rubric.coding.task import CodingTask
from rubric.coding.verifier import Verifier
from serving.sandbox.backends import registry
from serving.sandbox.backends.bubblewrap import Bubblewrap
from serving.sandbox.job import Job
from serving.sandbox.report import Report
from serving.sandbox.worker_pool import WorkerPool

SOLUTION = """
import torch.distributed as dist


def mean(x):
    dist.all_reduce(x)
    return x / dist.get_world_size()
"""
TASK = CodingTask(
    starter="def mean(x):\n    pass\n",
    solution=SOLUTION,
    tests="""
def example_two(t):
    xs = [t.randn(3) for _ in range(2)]
    yield {"xs": xs}, lambda: t.ranks(2, lambda rank: mean(xs[rank].clone()))


def property_three(t):
    xs = [t.randn(4, dtype=t.dtype) for _ in range(3)]
    yield {"xs": xs}, lambda: t.ranks(3, lambda rank: mean(xs[rank].clone()))
""",
    processes=3,
)
ATTACKS = Path(__file__).parent / "attacks"
SECONDS = 3.0


@pytest.fixture(scope="module")
def forked() -> Iterator[Verifier]:
    """Without walls, where they play no part."""
    made = Verifier(ForkedRunner())
    yield made
    made.close()


@pytest.fixture(scope="module")
def verifier(workers: WorkerPool) -> Iterator[Verifier]:
    made = Verifier(workers, seconds=SECONDS)
    yield made
    made.close()


def with_line(line: str) -> str:
    return SOLUTION.replace("    dist.all_reduce(x)\n", line)


def test_real_processes_agree_on_a_mean(verifier: Verifier) -> None:
    result = verifier.verify(TASK, SOLUTION)
    assert result.status is CodeStatus.PASSED, result
    assert result.isolation.startswith("bubblewrap")
    assert [test.name for test in result.tests] == [
        "example_two",
        *(f"property_three[{dtype}]" for dtype in ("float32", "float64", "bfloat16")),
    ]


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("    pass\n", CodeStatus.MISMATCH, "value 1 of 2"),
        ("    if dist.get_rank() == 1: raise ValueError('here')\n", CodeStatus.ERROR, "rank 1: ValueError: here"),
        ("    if dist.get_rank() == 0: dist.barrier()\n", CodeStatus.ERROR, "it waits for what never comes"),
        ("    import os; os._exit(0)\n", CodeStatus.ERROR, "it left without returning"),
        ("    return x.new_zeros(10**7)\n", CodeStatus.ERROR, "it returned far too much"),
    ],
)
def test_what_goes_wrong_on_a_rank_is_told(line: str, status: CodeStatus, message: str, forked: Verifier) -> None:
    (test,) = forked.verify(TASK, with_line(line), only_examples=True).tests
    assert test.status is status
    assert message in test.message
    assert test.failing[0].got == test.message if status is CodeStatus.ERROR else True


class _Busy(ForkedRunner):
    """Loses a rank of the first runs of our own solution."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._left = times

    def run(self, job: Job) -> Report:
        if job.source == SOLUTION and self._left:
            self._left -= 1
            job = job.model_copy(update={"source": with_line("    import os; os._exit(0)\n")})
        return super().run(job)


@pytest.mark.parametrize(("times", "status"), [(1, CodeStatus.PASSED), (2, CodeStatus.SANDBOX_UNAVAILABLE)])
def test_a_rank_that_our_own_solution_loses_is_nobodys_fault(times: int, status: CodeStatus) -> None:
    verifier = Verifier(_Busy(times))
    assert verifier.verify(TASK, f"{SOLUTION}\n", only_examples=True).status is status
    verifier.close()


def test_a_line_on_a_rank_is_named(forked: Verifier) -> None:
    (test,) = forked.verify(TASK, with_line("    dist.nowhere(x)\n"), only_examples=True).tests
    assert test.line == SOLUTION.splitlines().index("    dist.all_reduce(x)") + 1


@pytest.mark.by_number("serving/sandbox")
def test_no_trick_gains_by_processes(verifier: Verifier) -> None:
    names = ("correct", "wrong", "fork_bomb", "leaves_a_daemon", "network", "kills_everybody", "writes_outside")
    task = CodingTask(
        starter="",
        solution="def twice_the_sum(x):\n    return 2 * x.sum()\n",
        tests="def example_all(t):\n    x = t.randn(5)\n    yield {}, lambda: t.ranks(2, lambda r: twice_the_sum(x))\n",
        processes=3,
    )
    sources = [(ATTACKS / f"{name}.py").read_text(encoding="utf-8") for name in names]
    found = dict(zip(names, verifier.verify_each(task, sources), strict=True))
    assert [name for name, result in found.items() if result.status is CodeStatus.PASSED] == ["correct"], found
    assert CodeStatus.SANDBOX_UNAVAILABLE not in {result.status for result in found.values()}
    assert not [p for p in psutil.process_iter(["cmdline"]) if "sandbox-daemon" in (p.info["cmdline"] or [])]
    assert not Path("/usr/sandbox-was-here").exists()


def test_the_loopback_is_its_own(verifier: Verifier) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        server.settimeout(0)
        abstract.bind(f"\0sandbox-test-{os.getpid()}")
        abstract.listen()
        abstract.settimeout(0)
        port = server.getsockname()[1]
        reach = (
            "    import socket\n"
            f"    try: socket.create_connection(('127.0.0.1', {port}), 1)\n"
            "    except ConnectionRefusedError:\n"
            f"        socket.socket(socket.AF_UNIX).connect(chr(0) + 'sandbox-test-{os.getpid()}')\n"
        )
        (test,) = verifier.verify(TASK, with_line(reach), only_examples=True).tests
        assert "ConnectionRefusedError" in test.message
        for listening in (server, abstract):
            with pytest.raises(BlockingIOError):
                listening.accept()


def test_landlock_says_that_it_cannot_hold_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bubblewrap, "unavailable", lambda _: "Bubblewrap may not be used.")
    if registry.available() is None:
        pytest.skip("this kernel has no Landlock")
    with WorkerPool(0) as workers:
        verifier = Verifier(workers)
        result = verifier.verify(TASK, SOLUTION)
        verifier.close()
    assert result.status is CodeStatus.SANDBOX_UNAVAILABLE
    why = "This question needs several processes, which only bubblewrap can hold. Bubblewrap may not be used."
    assert result.message.startswith(why)
