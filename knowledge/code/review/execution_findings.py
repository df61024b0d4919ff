"""What executing a block says about it: pure, from the report of the sandbox to findings.

A failure counts against a reference only when the code itself is at fault: not when a GPU, a package, a file, the
network or a name is missing that the document never meant to give, not when the code shows an error on purpose, and
not when something that failed for such a reason came before and is used.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from knowledge.code.review.torch_api import Finding
from serving.sandbox.batch_runner import Failure, Notice, Printed, Trace
from serving.syntax import python_tree

_ABSENT = frozenset(
    {
        *("NameError", "UnboundLocalError", "OSError", "EOFError", "MemoryError", "SystemExit", "KeyboardInterrupt"),
        *(
            "TimeoutError",
            "URLError",
            "OutOfMemoryError",
            "BackendCompilerFailed",
            "DistStoreError",
            "DistNetworkError",
        ),
    }
)
"""Exceptions that tell about the place where code runs, or about a name that the document leaves out."""

_MACHINE = re.compile(
    r"\bcuda\b|nvidia|\bgpu\b|nccl|\bxpu\b|\bhip\b|process group|MASTER_ADDR|environment variable|"
    r"can't start new thread|InvalidCxxCompiler|compiler|No such file|sandbox|shared memory|DataLoader worker|hub\b",
    re.IGNORECASE,
)
_ON_PURPOSE = re.compile(
    r"\b(?:error|errors|fails?|failing|raises?|crash(?:es)?|wrong|bad|broken|bug|problem|incorrect|don'?t|never|not "
    r"registered|avoid|invalid|mistake|breaks?)\b",
    re.IGNORECASE,
)
_VARIABLES = frozenset({"LOCAL_RANK", "RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "CUDA_VISIBLE_DEVICES"})
_NUMBERS = re.compile(
    r"\[(\s*+-?\d++(?:\.\d*+)?+(?:[eE][-+]?\d++)?+(?:\s*+,\s*+-?\d++(?:\.\d*+)?+(?:[eE][-+]?\d++)?+)*+\s*+,?+\s*+)\]"
)


def failures(text: str, trace: Trace, *, whole: bool) -> Iterator[Finding]:
    """The first failure of a block that is its own fault.

    Args:
        text: the block.
        trace: what happened in it.
        whole: whether the block has all that it needs; of others only failures count that nothing it lacks explains.

    """
    tree = python_tree(text)
    tainted: set[str] = set()
    for failure in trace.failures:
        names = _names(tree, failure)
        if _excused(text, failure) or names & tainted or not (whole or _definite(failure)):
            tainted |= names
            continue
        yield Finding(failure.line, f"When executed, this ends in {failure.types[0]}: {_short(failure.message)}")
        return


def notices(trace: Trace) -> Iterator[Finding]:
    """Warnings of deprecation that the block's own lines gave."""
    for notice in trace.notices:
        if _is_deprecation(notice):
            yield Finding(notice.line, f"When executed, this warns: {_short(notice.message)}")


def outputs(text: str, trace: Trace) -> Iterator[Finding]:
    """Comments that state what a line prints, where it prints something else."""
    lines = text.split("\n")
    failed = {line for failure in trace.failures for line in range(failure.first, failure.last + 1)}
    for printed in trace.printed:
        if printed.first == printed.last and printed.first not in failed:
            yield from _contradicted(lines[printed.first - 1], printed)


def _contradicted(line: str, printed: Printed) -> Iterator[Finding]:
    code, _, comment = line.partition("#")
    stated = _NUMBERS.findall(comment)
    real = _NUMBERS.findall(printed.text)
    # Only a random result is printed without being the same twice; what is random has no numbers in its comment.
    if not code.strip().startswith("print") or not stated or len(real) != 1:
        return
    claimed, got = _values(stated[-1]), _values(real[0])
    if len(claimed) == len(got) and any(abs(a - b) > 0.05 + 0.01 * abs(b) for a, b in zip(claimed, got, strict=True)):
        yield Finding(
            printed.first, f"The comment says [{stated[-1].strip()}]; when executed, it prints [{real[0].strip()}]."
        )


def _values(text: str) -> list[float]:
    return [float(part) for part in text.split(",") if part.strip()]


def _is_deprecation(notice: Notice) -> bool:
    category = notice.category in {"FutureWarning", "DeprecationWarning"}
    return (category or notice.category == "UserWarning") and "deprecated" in notice.message.lower()


def _definite(failure: Failure) -> bool:
    """Whether the failure is about what torch offers, whatever the values were."""
    if "AttributeError" in failure.types:
        return re.match(r"module 'torch[\w.]*' has no attribute", failure.message) is not None
    return "ImportError" in failure.types


def _excused(text: str, failure: Failure) -> bool:
    types = set(failure.types)
    if types & _ABSENT or _MACHINE.search(failure.message):
        return True
    if "ImportError" in types:
        return failure.name.split(".")[0] != "torch"
    if "KeyError" in types and failure.message.strip("'\"") in _VARIABLES:
        return True
    if "RecursionError" in types:
        return False
    return _shown_on_purpose(text.split("\n"), failure)


def _shown_on_purpose(lines: Sequence[str], failure: Failure) -> bool:
    """Whether a comment in the statement, on its line or above its paragraph calls it an error."""
    first = failure.first - 1
    while first > 0 and lines[first - 1].strip().startswith("#"):
        first -= 1
    nearby = [*lines[first : failure.last], lines[failure.line - 1] if failure.line <= len(lines) else ""]
    return any(_ON_PURPOSE.search(line.partition("#")[2]) for line in nearby)


def _names(tree: ast.Module, failure: Failure) -> set[str]:
    """All names in a statement, which may have been bound or changed by it had it not failed."""
    for node in tree.body:
        if node.lineno <= failure.last and (node.end_lineno or node.lineno) >= failure.first:
            names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            names |= {part.asname or part.name.split(".")[0] for part in ast.walk(node) if isinstance(part, ast.alias)}
            return names | {part.name for part in ast.walk(node) if isinstance(part, ast.FunctionDef | ast.ClassDef)}
    return set()


def _short(message: str) -> str:
    first = " ".join(message.split())
    return first if len(first) <= 200 else f"{first[:199]}…"
