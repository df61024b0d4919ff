"""Proofs of criteria: whether they are fit to be shown, and whether they show what they say they show."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from knowledge.bank.validation.sample_runner import SampleRunner
from serving.syntax import python_tree

TIMEOUT_S = 30.0
"""How long a proof may run here: it should take 2 s at most, and a busy machine is slow."""

LINES = range(3, 13)
"""How many lines of code a proof has, those that are blank or comments not counted."""

WIDTH = 100
"""The longest line, so that it can be read on paper."""

_PRINTS = re.compile(r"# prints: (.*?)\s*$", re.MULTILINE)


def announced(proof: str) -> tuple[str, ...]:
    """The lines that a proof says it prints: the comments ``# prints: …``, in order."""
    return tuple(_PRINTS.findall(proof))


def problems_when_read(proof: str) -> Iterator[str]:
    """What is wrong with the text of a proof, one line each."""
    lines = [line for line in proof.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if len(lines) not in LINES:
        yield f"the proof has {len(lines)} lines of code, not {LINES.start} to {LINES.stop - 1}"
    if any(len(line) > WIDTH for line in proof.splitlines()):
        yield f"the proof has a line of more than {WIDTH} characters"
    if not announced(proof):
        yield "the proof does not say what it prints (“# prints: …”)"
    try:
        nodes = list(ast.walk(python_tree(proof)))
    except SyntaxError as error:
        yield f"the proof is not valid Python: {error}"
        return
    if not any(isinstance(node, ast.Assert) for node in nodes):
        yield "the proof asserts nothing, so it cannot fail"


def problems_when_run(proof: str, samples: SampleRunner) -> Iterator[str]:
    """What goes wrong when a proof runs, one line each."""
    ran = samples.run(proof, TIMEOUT_S)
    if ran.error:
        yield f"the proof fails: {ran.error}"
    elif ran.printed != announced(proof):
        yield f"the proof says that it prints {list(announced(proof))}, and prints {list(ran.printed)}"
