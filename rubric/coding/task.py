"""What a coding or debugging question is executed with, as frozen models. Pure.

A test is a generator function of the tests' source; its name begins with its kind:

- ``example_``: shown to the person, and all that "Run" runs;
- ``property_``: hidden; inputs drawn from a secret seed, size classes, awkward ones;
- ``gradient_``: hidden; compares gradients;
- ``resource_``: hidden; memory, growth over repetitions, number of operations;
- ``speed_``: yields sizes and seconds; advice, never part of a verdict.
"""

from __future__ import annotations

import ast
from enum import StrEnum
from typing import NamedTuple

from serving.frozen import FrozenModel
from serving.syntax import python_tree

CPU_DTYPES = ("float32", "float64", "bfloat16")
GPU_DTYPES = ("float32", "float16", "bfloat16")


_DRAWS = frozenset({"device", "dtype", "randn", "rand", "integers", "permutation"})


class CodeTestKind(StrEnum):
    """What a test looks at."""

    EXAMPLE = "example"
    PROPERTY = "property"
    GRADIENT = "gradient"
    RESOURCE = "resource"
    SPEED = "speed"


class StarterForm(StrEnum):
    """What a person starts a coding question from."""

    BLANK = "blank"
    """Signatures and docstrings only: the program is written from nothing."""
    REPAIR = "repair"
    """A program that runs and is wrong, or too simple."""


class Mutant(FrozenModel):
    """A wrong solution as people write it: our own with some lines changed.

    Attributes:
        name: what is wrong with it, a few words.
        diff: lines of the solution that begin with "-" (gone), "+" (new) or a blank (stay), as in a diff; parts that
            lie apart are parted by a line "…".

    """

    name: str
    diff: str


class CodingTask(FrozenModel):
    """A task with everything needed to verify a solution.

    Attributes:
        starter: what the person starts from; must fail the tests.
        blank: what they start from where they write it from nothing, signatures and docstrings only; must fail the
            tests. Empty where the starter is all there is.
        solution: our own; must pass the tests.
        tests: Python source of the tests, which use the names that the solution defines.
        checks: Python source of ``test_*`` functions that assert what is right about our own solution; never run on a
            submission.
        mutants: wrong solutions, which must fail the tests.
        processes: how many the tests start beside their own; the program can start none where it is 0.
        forbidden: what the question rules out: ``sorted`` (a builtin), ``heapq`` (a module with all that is in it),
            ``torch.nn.functional.cross_entropy`` (a function or class), ``.sort`` (any function or method so called).

    """

    starter: str
    blank: str = ""
    solution: str
    tests: str
    checks: str = ""
    mutants: tuple[Mutant, ...] = ()
    processes: int = 0
    forbidden: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What a solution must define: the names that our own defines, and the tests use and do not define."""
        tests = python_tree(self.tests)
        used = {node.id for node in ast.walk(tests) if isinstance(node, ast.Name)} - set(_defined(tests))
        return tuple(name for name in _defined(python_tree(self.solution)) if name in used)

    def form(self, wanted: StarterForm) -> StarterForm:
        """The form in which the question is put to somebody who wants that one."""
        return wanted if self.blank else StarterForm.REPAIR

    def starting_code(self, wanted: StarterForm) -> str:
        """What somebody starts from who wants that form."""
        return self.blank if self.form(wanted) is StarterForm.BLANK else self.starter


class CodeTestFunction(NamedTuple):
    """A test of a task.

    Attributes:
        name: of the function.
        kind: what it looks at.
        title: the first line of its docstring, or its name in words.
        by_dtype: whether its inputs are to be of several dtypes.
        by_device: whether it draws tensors, so that it says something about a GPU too.

    """

    name: str
    kind: CodeTestKind
    title: str
    by_dtype: bool
    by_device: bool


def read_tests(source: str) -> tuple[CodeTestFunction, ...]:
    """The tests that a source defines, in order.

    Raises:
        SyntaxError: it is no Python.

    """
    found = []
    for node in python_tree(source).body:
        kind = node.name.split("_")[0] if isinstance(node, ast.FunctionDef) else ""
        if isinstance(node, ast.FunctionDef) and kind in set(CodeTestKind):
            written = (ast.get_docstring(node) or "").split("\n")[0].rstrip(".")
            of = node.name if kind == CodeTestKind.GRADIENT else node.name.partition("_")[2]
            words = of.replace("_", " ")
            asked = _asked_of_trial(node)
            by_device = not asked.isdisjoint(_DRAWS)
            found.append(CodeTestFunction(node.name, CodeTestKind(kind), written or words, "dtype" in asked, by_device))
    return tuple(found)


def mutated(solution: str, mutant: Mutant) -> str:
    """The mutant's source.

    Raises:
        ValueError: lines that it leaves or changes are not to be found in the solution, or not only once.

    """
    lines = solution.splitlines()
    part: list[str] = []
    for line in [*mutant.diff.splitlines(), "…"]:
        if line.strip() != "…":
            part.append(line)
            continue
        lines = _replaced(lines, part, mutant.name)
        part = []
    return "\n".join(lines) + "\n"


def _replaced(lines: list[str], part: list[str], name: str) -> list[str]:
    old = [line[1:] for line in part if not line.startswith("+")]
    new = [line[1:] for line in part if not line.startswith("-")]
    places = [at for at in range(len(lines) - len(old) + 1) if lines[at : at + len(old)] == old]
    if len(places) != 1 or not old or old == new:
        raise ValueError(f"mutant “{name}”: its lines stand {len(places)} times in the solution, not once: {old[:2]}")
    return [*lines[: places[0]], *new, *lines[places[0] + len(old) :]]


def _asked_of_trial(test: ast.FunctionDef) -> frozenset[str]:
    """The attributes of its first argument that a test uses."""
    trial = test.args.args[0].arg if test.args.args else ""
    return frozenset(
        node.attr
        for node in ast.walk(test)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == trial
    )


def _defined(tree: ast.Module) -> list[str]:
    names: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return names
