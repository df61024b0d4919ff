"""Programs that go around what they are measured with, or use what their question rules out; one file each.

Each runs against the tests of a question of the bank, in forks of one process: what is tried here does no harm, and it
is the same code that a sandbox runs. ``right_*`` are controls: right answers written unlike ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.report.phrases.code import code_verdict
from interviewer.report.schema.code import CodeFinding
from interviewer.scoring.code_credit import code_credit
from knowledge.bank.parser import load_bank
from knowledge.bank.validation.forked_runner import ForkedRunner
from rubric.coding.restrictions import remarks
from rubric.coding.result import CodeResult, CodeStatus
from rubric.coding.task import CodingTask
from rubric.coding.verifier import Verifier
from serving.sandbox.memory import most_held

FOLDER = Path(__file__).parent / "attacks" / "instruments"
SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py"))}
TASKS = {question.id: question.task for question in load_bank() if question.task}
FROM_OUTSIDE = "memory_that_is_mapped"
SAMPLE = (
    *("resets_the_peak", "right_cycle_by_brent", "stops_tracemalloc", "ready_made_clipping"),
    *("right_smoothing_by_nll", "searches_ready_made", "the_librarys_cross_entropy", "waits_that_are_not_seen"),
)
"""Those of quick questions, one of each kind; the rest takes minutes."""


def head(name: str, key: str) -> str:
    line = next(line for line in SOURCES[name].splitlines() if line.startswith(f"# {key}: "))
    return line.removeprefix(f"# {key}: ").rstrip(".")


def task_of(name: str) -> CodingTask:
    task = TASKS[head(name, "Question")]
    assert task is not None
    return task


@pytest.fixture(scope="module")
def forks() -> Iterator[Verifier]:
    made = Verifier(ForkedRunner())
    yield made
    made.close()


def check(name: str, result: CodeResult) -> None:
    """The status that the file names; in an exam nothing but a right answer passes, and what was found is said."""
    assert result.status == head(name, "Ends as"), result
    right = name.startswith("right_")
    assert (result.strict.status is CodeStatus.PASSED) == right
    if not right:
        assert result.strict.message or any(test.message for test in result.tests)
    assert not (right and result.remarks)


@pytest.mark.parametrize("name", SAMPLE)
def test_no_trick_passes(name: str, forks: Verifier) -> None:
    check(name, forks.verify(task_of(name), SOURCES[name]))


@pytest.mark.full
@pytest.mark.parametrize("question", sorted({head(name, "Question") for name in SOURCES}))
def test_no_trick_passes_at_any_question(question: str, forks: Verifier) -> None:
    names = [name for name in SOURCES if head(name, "Question") == question and name != FROM_OUTSIDE]
    task = TASKS[question]
    assert task is not None
    ours, *results = forks.verify_each(task, [task.solution, *(SOURCES[name] for name in names)])
    assert ours.strict.status is CodeStatus.PASSED
    for name, result in zip(names, results, strict=True):
        check(name, result)


@pytest.mark.parametrize("name", ["a_patched_peak", "sorts_with_python", "right_pairs_with_numpy"])
def test_the_sandbox_tells_the_same(name: str, verifier: Verifier) -> None:
    check(name, verifier.verify(task_of(name), SOURCES[name]))


def test_memory_that_no_instrument_inside_sees_is_seen_from_outside(verifier: Verifier) -> None:
    result = verifier.verify(task_of(FROM_OUTSIDE), SOURCES[FROM_OUTSIDE])
    assert result.status is CodeStatus.PASSED
    (remark,) = result.remarks
    assert remark.what.startswith("its process held ")
    assert result.strict.status is CodeStatus.FORBIDDEN


def test_the_most_that_a_tree_of_processes_held(tmp_path: Path) -> None:
    for process, children, kilobytes in ((1, "2 3", 10), (2, "", 500), (3, "4", 20), (4, "", 30)):
        task = tmp_path / str(process) / "task" / str(process)
        task.mkdir(parents=True)
        (task / "children").write_text(children)
        (tmp_path / str(process) / "status").write_text(f"Name:\tx\nVmHWM:\t  {kilobytes} kB\n")
    assert most_held(1, tmp_path) == 500 * 1024
    assert most_held(3, tmp_path) == 30 * 1024
    assert most_held(9, tmp_path) is None


@pytest.mark.parametrize("question", sorted(TASKS))
def test_no_remark_on_what_the_bank_itself_writes(question: str) -> None:
    task = TASKS[question]
    assert task is not None
    assert remarks(task.solution, task.forbidden) == ()
    assert remarks(task.starter, task.forbidden) == ()


@pytest.mark.parametrize("name", [name for name in SOURCES if name.startswith("right_")])
def test_no_remark_on_right_answers(name: str) -> None:
    assert remarks(SOURCES[name], task_of(name).forbidden) == ()


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("from heapq import heappush as put\nput([], 1)", "`heapq`"),
        ("import heapq as h\nf = h.heappop", "`heapq`"),
        ("__import__('he' + 'apq')", "`heapq`"),
        ("import importlib\nimportlib.import_module('heapq')", "`heapq`"),
        ("import sys\nsys.modules['heapq']", "`heapq"),
        ("order = sorted\norder([1])", "`sorted`"),
        ("print(__builtins__.sorted([1]))", "`sorted`"),
        ("import builtins\nvars(builtins)['sorted']([1])", "`sorted`"),
        ("f = getattr(__builtins__, ''.join(['sor', 'ted']))", "`sorted`"),
        ("list.sort([2, 1])", "`sort`"),
        ("from operator import methodcaller\nmethodcaller('sort')([1])", "`sort`"),
        ("getattr([1], 'sort')()", "`sort`"),
        ("import numpy\nnumpy.sort([1])", "`sort`"),
        ("import torch.nn.functional as F\nF.cross_entropy(1, 2)", "cross_entropy`"),
        ("import torch\ntorch.nn.functional.cross_entropy", "cross_entropy`"),
        ("import torch\ntorch.weird.cross_entropy", "cross_entropy`"),
        ("import torch\ntorch.randn = None", "changes `torch.randn`"),
        ("import torch\nsetattr(torch.Tensor, 'numel', None)", "changes `torch.Tensor.numel`"),
        ("import weakref\nvars(weakref)['ref'] = 1", "changes `weakref"),
        ("def f(x):\n    type(x).count = 0", "changes `type(x).count`"),
        ("def f(x):\n    x.__class__.count = 0", "changes `x.__class__.count`"),
        ("def f(g):\n    g.__code__ = f.__code__", "changes `g.__code__`"),
        ("import torch\ngetattr(torch, input())", "looks up a name in `torch`"),
        ("import sys\nsys._getframe(1).f_locals", "`sys._getframe`"),
        ("try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    e.__traceback__.tb_frame", "`tb_frame`"),
        ("eval('1')", "`eval`"),
    ],
)
def test_what_a_text_reaches_for_is_found_through_other_names(source: str, what: str) -> None:
    forbidden = ("heapq", "sorted", ".sort", "torch.nn.functional.cross_entropy")
    found = remarks(source, forbidden)
    assert any(what in remark.what for remark in found), found


@pytest.mark.parametrize(
    "source",
    [
        "def sorted(x):\n    return x\nsorted([1])",
        "class A:\n    def sort(self):\n        return self\nA().sort()",
        "import torch\ntorch.backends.cudnn.benchmark = True",
        "class A:\n    count = 0\n    def f(self):\n        type(self).count += 1",
        "import torch\nlayer = torch.nn.Linear(1, 1)\nlayer.bias = None\nsetattr(layer, 'weight', None)",
        "def f(x, name):\n    return getattr(x, name)",
        "import re\nre.compile('x').match('x')",
        "import torch\nf = torch.compile(lambda x: x)",
        "model.eval()",
        "import gc, weakref\ngc.collect()\nweakref.ref(gc)",
        "not python at all (",
    ],
)
def test_what_anybody_may_write_is_not_remarked_on(source: str) -> None:
    assert remarks(source, ("heapq", "sorted", ".sort")) == ()


def test_a_text_too_deep_to_be_read_says_so_or_is_no_python() -> None:
    assert len(remarks("x = " + "-" * 5000 + "1")) <= 1


def test_the_report_says_what_was_found(forks: Verifier) -> None:
    result = forks.verify(task_of("searches_ready_made"), SOURCES["searches_ready_made"]).strict
    found = CodeFinding(attempts=(), result=result, submitted=True, credit=code_credit(result), solution="")
    assert "which the question rules out" in code_verdict(found)
    assert "does not count as passed" in code_verdict(found)
    tampered = forks.verify(task_of("stops_tracemalloc"), SOURCES["stops_tracemalloc"]).strict
    found = CodeFinding(attempts=(), result=tampered, submitted=True, credit=code_credit(tampered), solution="")
    assert found.credit == 0.0
    assert "tracemalloc.stop" in code_verdict(found)


def test_there_are_enough_tricks() -> None:
    assert sum(not name.startswith("right_") for name in SOURCES) >= 25
