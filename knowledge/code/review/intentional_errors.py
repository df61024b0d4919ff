"""Whether code shows a mistake on purpose: says so in a comment or a name, asserts what comes of it, or expects it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

_BAD = re.compile(
    r"\b(?:bad|wrong|bug(?:gy)?|broken|incorrect|problem|mistake|forgot(?:ten)?|missing|twice|unstable|overflow(?:s|ed)?|"
    r"underflow(?:s|ed)?|don'?t do|anti-?pattern)\b",
    re.IGNORECASE,
)
_EXPECTS = re.compile(r"catch_warnings|\braises\(|\bsuppress\(|assertRaises")


def on_purpose(tree: ast.Module, lines: Sequence[str], line: int) -> bool:
    """Whether a line shows a mistake on purpose.

    Args:
        tree: the code.
        lines: its lines.
        line: counted from 1.

    """
    first = line
    body = tree.body
    for position, node in enumerate(body):
        if not node.lineno <= line <= (node.end_lineno or node.lineno):
            continue
        first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", []))])
        following = body[position + 1] if position + 1 < len(body) else None
        if isinstance(node, ast.Assert | ast.Try) or (isinstance(following, ast.Assert) and _is_simple(node)):
            return True
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and _BAD.search(_words(node.name)):
            return True
    return expected(tree, line) or _BAD.search(" ".join(_comments(lines, first, line))) is not None


def expected(tree: ast.Module, line: int) -> bool:
    """Whether a line stands in a ``with`` block that catches warnings or errors."""
    return any(
        isinstance(node, ast.With)
        and node.lineno <= line <= (node.end_lineno or node.lineno)
        and any(_EXPECTS.search(ast.unparse(item.context_expr)) for item in node.items)
        for node in ast.walk(tree)
    )


def _is_simple(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr | ast.Assign | ast.AugAssign)


def _comments(lines: Sequence[str], first: int, line: int) -> list[str]:
    """Comments at a line, on the line above it, and above the top-level statement it stands in."""
    above = first - 1
    while above > 0 and lines[above - 1].strip().startswith("#"):
        above -= 1
    near = [*lines[above : first - 1], *lines[max(0, line - 2) : line]]
    return [text.partition("#")[2] for text in near]


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name)
