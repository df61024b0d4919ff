"""Logical lines of a text, and how surely each is Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from enum import IntEnum

from knowledge.code.reconstruction.statements import Scanner, parsed

LONGEST_STATEMENT = 80
"""Lines a statement may run over."""

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_MAYBE_CODE = re.compile(
    r"@\w|(import|from|def|class|return|with|for|if|elif|while|except|raise|assert|del|async|yield|global)\b"
    r"|(else|try|finally)\s*:|(continue|break|pass|return)\b"
    r"|[\w.\[\]\"', :*()]*[^=!<>]=[^=]|[A-Za-z_][\w.]*\(|[\"']{3}"
)
_BLOCK = re.compile(r"(def|class|with|for|if|while|async)\b")
_CLAUSE = re.compile(r"(else|elif|except|finally|try)\b")
_DOCSTRING = re.compile(r"[rbuf]?(\"{3}|'{3})")


class LineKind(IntEnum):
    """How surely a logical line is code."""

    PROSE = 0
    BLANK = 1
    COMMENT = 2
    WEAK = 3
    """Code only beside other code: ``pass``, a docstring, ``x = y``."""
    STRONG = 4


class LogicalLine:
    """A logical line: its sort and the physical lines it takes, end excluded."""

    def __init__(self, sort: LineKind, start: int, end: int) -> None:
        self.sort = sort
        self.start = start
        self.end = end


def logical_lines(lines: Sequence[str]) -> list[LogicalLine]:
    """Returns the logical lines of a text; fenced blocks count as prose."""
    pieces: list[LogicalLine] = []
    position = 0
    while position < len(lines):
        if match := _FENCE.match(lines[position]):
            end = _fence_end(lines, position, match[1])
            pieces.append(LogicalLine(LineKind.PROSE, position, end))
        else:
            sort, end = _logical_line(lines, position)
            pieces.append(LogicalLine(sort, position, end))
        position = pieces[-1].end
    return pieces


def _fence_end(lines: Sequence[str], start: int, mark: str) -> int:
    for position in range(start + 1, len(lines)):
        text = lines[position].strip()
        if len(text) >= len(mark) and set(text) == {mark[0]}:
            return position + 1
    return len(lines)


def _logical_line(lines: Sequence[str], start: int) -> tuple[LineKind, int]:
    text = lines[start].strip()
    if not text:
        return LineKind.BLANK, start + 1
    if text.startswith("#"):
        return (LineKind.PROSE if text.startswith("##") else LineKind.COMMENT), start + 1
    if not _MAYBE_CODE.match(text):
        return LineKind.PROSE, start + 1
    scanner = Scanner()
    for end in range(start + 1, min(len(lines), start + LONGEST_STATEMENT) + 1):
        scanner.feed(lines[end - 1])
        if not scanner.open:
            statement = "\n".join([text, *lines[start + 1 : end]])
            sort = _sort(statement)
            return sort, (end if sort is not LineKind.PROSE else start + 1)
    return LineKind.PROSE, start + 1


def _sort(statement: str) -> LineKind:
    source = statement
    if _CLAUSE.match(source):
        source = _as_clause(source)
    elif source.startswith("@"):
        source += "\ndef decorated(): pass"
    elif _BLOCK.match(source) and parsed(source) is None:
        source += "\n pass"
    tree = parsed(source)
    return _of_node(tree.body[0], statement) if tree and tree.body else LineKind.PROSE


def _as_clause(source: str) -> str:
    """A clause such as ``else:`` made a whole statement."""
    body = "" if parsed(f"if 1:\n pass\n{source}") or parsed(f"try:\n pass\n{source}") else "\n pass"
    if source.startswith("try"):
        return f"{source}{body}\nfinally:\n pass"
    if source.startswith(("except", "finally")):
        return f"try:\n pass\n{source}{body}"
    return f"if 1:\n pass\n{source}{body}"


def _of_node(node: ast.stmt, statement: str) -> LineKind:
    if isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Call | ast.Await | ast.Yield):
            return LineKind.STRONG
        return LineKind.WEAK if _DOCSTRING.match(statement) else LineKind.PROSE
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return LineKind.PROSE
    if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return):
        return LineKind.STRONG if any(isinstance(part, ast.Call) for part in ast.walk(node)) else LineKind.WEAK
    if isinstance(node, ast.Pass | ast.Continue | ast.Break | ast.Global | ast.Raise | ast.Delete):
        return LineKind.WEAK
    return LineKind.STRONG
