"""Lines of text that was copied out of a page: which of them are code that lost its fence.

A line counts as code when Python itself can parse it as a statement that does something, whatever has become
of its indentation; prose almost never parses. Statements over several lines are put together first.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from enum import IntEnum

from knowledge.code.statements import Scanner, parsed

Numbered = tuple[int, str]
"""A line with its number in the source, counted from 1."""

LONGEST_STATEMENT = 80
"""Lines a statement may run over."""

LOOSE_FENCE = "`" * 12
"""The fence put around loose code: longer than any that stands in a document or a docstring."""

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_MAYBE_CODE = re.compile(
    r"@\w|(import|from|def|class|return|with|for|if|elif|while|except|raise|assert|del|async|yield|global)\b"
    r"|(else|try|finally)\s*:|(continue|break|pass|return)\b"
    r"|[\w.\[\]\"', :*()]*[^=!<>]=[^=]|[A-Za-z_][\w.]*\(|[\"']{3}"
)
_BLOCK = re.compile(r"(def|class|with|for|if|while|async)\b")
_CLAUSE = re.compile(r"(else|elif|except|finally|try)\b")
_DOCSTRING = re.compile(r"[rbuf]?(\"{3}|'{3})")


class _Sort(IntEnum):
    """How surely a logical line is code."""

    PROSE = 0
    BLANK = 1
    COMMENT = 2
    WEAK = 3
    """Code only beside other code: ``pass``, a docstring, ``x = y``."""
    STRONG = 4


class _Piece:
    """A logical line: its sort and the physical lines it takes, end excluded."""

    def __init__(self, sort: _Sort, start: int, end: int) -> None:
        self.sort = sort
        self.start = start
        self.end = end


def fence_loose_code(lines: Sequence[Numbered]) -> list[Numbered]:
    """The same lines with Markdown fences put around code that has none.

    An added fence carries the number of the code line beside it.
    """
    pieces = _pieces([text for _, text in lines])
    result: list[Numbered] = []
    done = 0
    for start, end in _regions(pieces):
        result += lines[done:start]
        result.append((lines[start][0], LOOSE_FENCE))
        result += lines[start:end]
        result.append((lines[end - 1][0], LOOSE_FENCE))
        done = end
    return result + list(lines[done:])


def is_python(text: str) -> bool:
    """Whether every statement of a text is Python, and at least one could not be anything else."""
    sorts = {piece.sort for piece in _pieces(text.split("\n"))}
    return _Sort.PROSE not in sorts and _Sort.STRONG in sorts


def _pieces(lines: Sequence[str]) -> list[_Piece]:
    pieces: list[_Piece] = []
    position = 0
    while position < len(lines):
        if match := _FENCE.match(lines[position]):
            end = _fence_end(lines, position, match[1])
            pieces.append(_Piece(_Sort.PROSE, position, end))
        else:
            sort, end = _logical_line(lines, position)
            pieces.append(_Piece(sort, position, end))
        position = pieces[-1].end
    return pieces


def _fence_end(lines: Sequence[str], start: int, mark: str) -> int:
    for position in range(start + 1, len(lines)):
        text = lines[position].strip()
        if len(text) >= len(mark) and set(text) == {mark[0]}:
            return position + 1
    return len(lines)


def _logical_line(lines: Sequence[str], start: int) -> tuple[_Sort, int]:
    text = lines[start].strip()
    if not text:
        return _Sort.BLANK, start + 1
    if text.startswith("#"):
        return (_Sort.PROSE if text.startswith("##") else _Sort.COMMENT), start + 1
    if not _MAYBE_CODE.match(text):
        return _Sort.PROSE, start + 1
    scanner = Scanner()
    for end in range(start + 1, min(len(lines), start + LONGEST_STATEMENT) + 1):
        scanner.feed(lines[end - 1])
        if not scanner.open:
            statement = "\n".join([text, *lines[start + 1 : end]])
            sort = _sort(statement)
            return sort, (end if sort is not _Sort.PROSE else start + 1)
    return _Sort.PROSE, start + 1


def _sort(statement: str) -> _Sort:
    source = statement
    if _CLAUSE.match(source):
        source = _as_clause(source)
    elif source.startswith("@"):
        source += "\ndef decorated(): pass"
    elif _BLOCK.match(source) and parsed(source) is None:
        source += "\n pass"
    tree = parsed(source)
    return _of_node(tree.body[0], statement) if tree and tree.body else _Sort.PROSE


def _as_clause(source: str) -> str:
    """A clause such as ``else:`` made a whole statement."""
    body = "" if parsed(f"if 1:\n pass\n{source}") or parsed(f"try:\n pass\n{source}") else "\n pass"
    if source.startswith("try"):
        return f"{source}{body}\nfinally:\n pass"
    if source.startswith(("except", "finally")):
        return f"try:\n pass\n{source}{body}"
    return f"if 1:\n pass\n{source}{body}"


def _of_node(node: ast.stmt, statement: str) -> _Sort:
    if isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Call | ast.Await | ast.Yield):
            return _Sort.STRONG
        return _Sort.WEAK if _DOCSTRING.match(statement) else _Sort.PROSE
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return _Sort.PROSE
    if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return):
        return _Sort.STRONG if any(isinstance(part, ast.Call) for part in ast.walk(node)) else _Sort.WEAK
    if isinstance(node, ast.Pass | ast.Continue | ast.Break | ast.Global | ast.Raise | ast.Delete):
        return _Sort.WEAK
    return _Sort.STRONG


def _regions(pieces: Sequence[_Piece]) -> list[tuple[int, int]]:
    """Runs of code as ranges of physical lines, end excluded."""
    regions = []
    position = 0
    while position < len(pieces):
        end = position
        while end < len(pieces) and pieces[end].sort is not _Sort.PROSE:
            end += 1
        if run := _trim(pieces[position:end]):
            before = pieces[position - 1] if position else None
            after = pieces[end] if end < len(pieces) else None
            if not _within_prose(run, before, after):
                regions.append((run[0].start, run[-1].end))
        position = max(end, position + 1)
    return regions


def _trim(run: Sequence[_Piece]) -> list[_Piece]:
    """A run without what only looks like code at its edges; empty when nothing in it is surely code."""
    kept = list(run)
    while kept and kept[0].sort is _Sort.BLANK:
        del kept[0]
    while kept and kept[-1].sort is _Sort.BLANK:
        del kept[-1]
    # One “# line” on its own between blank lines is a Markdown heading, several are comments.
    lone = (_Sort.BLANK, _Sort.COMMENT)
    while len(kept) > 1 and (kept[-2].sort, kept[-1].sort) == lone:
        del kept[-2:]
        while kept and kept[-1].sort is _Sort.BLANK:
            del kept[-1]
    while len(kept) > 1 and (kept[1].sort, kept[0].sort) == lone:
        del kept[:2]
        while kept and kept[0].sort is _Sort.BLANK:
            del kept[0]
    return kept if any(piece.sort is _Sort.STRONG for piece in kept) else []


def _within_prose(run: Sequence[_Piece], before: _Piece | None, after: _Piece | None) -> bool:
    """Whether a single line stands in the middle of a paragraph: ``loss.backward()`` in a wrapped sentence."""
    if len(run) > 1 or run[0].end - run[0].start > 1 or before is None:
        return False
    return before.sort is _Sort.PROSE and before.end == run[0].start and (after is None or after.start == run[0].end)
