"""A document as rows: its lines, each with what it is, for readers that go by layout."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple

from knowledge.documents.reader import Block, BlockKind, Document


class Sort(Enum):
    """What a line is."""

    BLANK = auto()
    TEXT = auto()
    HEADING = auto()
    ITEM = auto()
    TABLE = auto()
    CODE = auto()
    RULE = auto()


class Row(NamedTuple):
    """A line.

    Attributes:
        line: its number, counted from 1.
        sort: what it is.
        text: without surrounding space; of a heading without its marks.
        level: of a heading, 1 to 6.
        indent: columns of space before it.
        code: the block, for the first line of code.

    """

    line: int
    sort: Sort
    text: str
    level: int = 0
    indent: int = 0
    code: Block | None = None


_ITEM = re.compile(r"(?:[-*+•◦▪‣·]|\d{1,3}[.)])\s+\S")
_RULE = re.compile(r"(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}")


def rows_of(document: Document) -> list[Row]:
    """All lines of a document, front matter left out."""
    code: dict[int, Block | None] = {}
    headings: dict[int, Block] = {}
    for block in document.blocks:
        if block.kind is BlockKind.CODE:
            code.update(dict.fromkeys(range(block.line, block.end + 1)))
            code[block.line] = block
        elif block.kind is BlockKind.HEADING:
            headings.update(dict.fromkeys(range(block.line, block.end + 1), block))
    start = document.blocks[0].line if document.blocks else 1
    rows = []
    for number, text in enumerate(document.lines[start - 1 :], start):
        if number in code:
            rows.append(Row(number, Sort.CODE, text, code=code[number]))
        elif (heading := headings.get(number)) is not None:
            first = number == heading.line
            kept = Row(number, Sort.HEADING, heading.text, heading.level) if first else Row(number, Sort.BLANK, "")
            rows.append(kept)
        else:
            rows.append(_row(number, text))
    return rows


def _row(number: int, raw: str) -> Row:
    text = raw.strip()
    indent = len(raw) - len(raw.lstrip())
    if not text:
        return Row(number, Sort.BLANK, "")
    if _RULE.fullmatch(text):
        return Row(number, Sort.RULE, text)
    if text.startswith("|"):
        return Row(number, Sort.TABLE, text)
    return Row(number, Sort.ITEM if _ITEM.match(text) else Sort.TEXT, text, indent=indent)


def render(rows: Sequence[Row], document: Document) -> str:
    """Rows as Markdown: code in fences, whether it had one or a page break cut it in two or neither."""
    lines: list[str] = []
    for row in rows:
        if row.code is not None:
            fence = "```" if "```" not in row.code.text else "``````"
            lines += [f"{fence}{row.code.language}", *row.code.text.split("\n"), fence]
        elif row.sort is not Sort.CODE:
            lines.append(document.lines[row.line - 1])
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n").rstrip()
