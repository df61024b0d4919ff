"""The characters of PDF pages -> lines in reading order, each with how it looks."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

from knowledge.documents.formats.encoding import clean

Char = Mapping[str, Any]
"""A character as pdfplumber gives it: text, fontname, size, x0, x1, top, bottom; distances in points."""

_MONO_NAME = re.compile(
    r"courier|mono|consol|menlo|monaco|inconsolata|typewriter|cmtt|fixed|hack|firacode|source ?code", re.I
)
_BOLD_NAME = re.compile(r"bold|black|heavy|semibold|demi|cmbx", re.I)
_MARGIN = 0.1
"""Share of a page's height at its top and bottom in which what every page repeats may stand."""


class Run(NamedTuple):
    """Neighboring characters of a line in one manner of type."""

    text: str
    bold: bool
    mono: bool


class Line(NamedTuple):
    """A line of a page.

    Attributes:
        text: with single spaces between words.
        runs: the same text by manner of type; their texts joined are ``text``.
        page: page counted from 1.
        x0, x1, top, bottom: where it stands, in points.
        size: of most of its type, in points.
        width: of a character where all type has one width, else 0; in points.
        columns: the characters of type of one width with the x of each, for code.
        edge: share of the page's height between the line and the nearer of its top and bottom edge.

    """

    text: str
    runs: tuple[Run, ...]
    page: int
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    width: float
    columns: tuple[tuple[float, str], ...]
    edge: float

    @property
    def bold(self) -> bool:
        """Whether all of it is bold."""
        return all(run.bold for run in self.runs if run.text.strip())

    @property
    def is_code(self) -> bool:
        """Whether all of it is type of one width."""
        return self.width > 0 and all(run.mono for run in self.runs if run.text.strip())


def columns(chars: Sequence[Char], width: float) -> list[list[Char]]:
    """The characters of a page by column of text: two where an empty stripe in the middle parts full lines."""
    rows = _rows(chars)
    if len(rows) < 12:
        return [list(chars)]
    for middle in (width * share / 100 for share in (50, 48, 52, 46, 54, 44, 56)):
        sides = [_sides(row, middle) for row in rows]
        crossed = sum(side is None for side in sides)
        both = [side for side in sides if side is not None and side[0] and side[1]]
        if len(both) < 0.6 * len(rows) or crossed > 0.15 * len(rows):
            continue
        # Columns of running text are full; the columns of a table are not.
        left = median(max(c["x1"] for c in side[0]) - min(c["x0"] for c in side[0]) for side in both)
        right = median(max(c["x1"] for c in side[1]) - min(c["x0"] for c in side[1]) for side in both)
        if min(left, right) > 0.3 * width:
            return _parted(rows, sides)
    return [list(chars)]


def _parted(rows: Sequence[list[Char]], sides: Sequence[tuple[list[Char], list[Char]] | None]) -> list[list[Char]]:
    """Stretches of two columns one after the other, with the lines that cross the middle between them."""
    parts: list[list[Char]] = []
    left: list[Char] = []
    right: list[Char] = []
    for row, side in zip(rows, sides, strict=True):
        if side is None:
            parts += [left, right, row]
            left, right = [], []
        else:
            left += side[0]
            right += side[1]
    return [part for part in (*parts, left, right) if part]


def _sides(row: Sequence[Char], middle: float) -> tuple[list[Char], list[Char]] | None:
    """A row's characters left and right of a stripe of ten points; ``None`` where it crosses the stripe."""
    if any(c["x0"] < middle + 5 and c["x1"] > middle - 5 for c in row if c["text"].strip()):
        return None
    return [c for c in row if c["x1"] <= middle], [c for c in row if c["x1"] > middle]


def lines_of(chars: Sequence[Char], page: int, height: float) -> list[Line]:
    """Characters of a page, or of one column of it, as lines from top to bottom."""
    mono = _mono_fonts(chars)
    return [line for row in _rows(chars) if (line := _line(row, mono, page, height)) is not None]


def _rows(chars: Iterable[Char]) -> list[list[Char]]:
    """Characters by line, each from left to right: those whose middles are less than half a type size apart."""
    rows: list[list[Char]] = []
    last = -1e9
    for char in sorted(chars, key=lambda c: (c["top"] + c["bottom"]) / 2):
        middle = (char["top"] + char["bottom"]) / 2
        if not rows or middle - last > 0.4 * char["size"]:
            rows.append([])
            last = middle
        rows[-1].append(char)
    return [sorted(row, key=lambda c: c["x0"]) for row in rows if any(c["text"].strip() for c in row)]


def _mono_fonts(chars: Iterable[Char]) -> frozenset[str]:
    """Fonts of one width: by name, or because a dozen different characters have it."""
    widths: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for char in chars:
        if char["text"].strip():
            widths[char["fontname"]][char["text"]] = (char["x1"] - char["x0"]) / max(char["size"], 0.1)
    return frozenset(
        font
        for font, of in widths.items()
        if _MONO_NAME.search(font) or (len(of) >= 12 and max(of.values()) - min(of.values()) < 0.005)
    )


def _line(row: Sequence[Char], mono: frozenset[str], page: int, height: float) -> Line | None:
    shown = [char for char in row if char["text"].strip()]
    size = Counter(round(char["size"] * 2) / 2 for char in shown).most_common(1)[0][0]
    pieces: list[tuple[str, bool, bool]] = []
    for before, char in zip([None, *shown], shown, strict=False):
        kind = (_BOLD_NAME.search(char["fontname"]) is not None, char["fontname"] in mono)
        gap = char["x0"] - before["x1"] if before is not None else 0.0
        shape = clean(char["text"])
        spaced = before is not None and (gap > 0.15 * char["size"] or _space_between(row, before, char))
        pieces.append((f" {shape}" if spaced else shape, *kind))
    runs = _runs(pieces)
    width = median(c["x1"] - c["x0"] for c in shown) if all(c["fontname"] in mono for c in shown) else 0.0
    top, bottom = min(c["top"] for c in shown), max(c["bottom"] for c in shown)
    return Line(
        text="".join(run.text for run in runs),
        runs=runs,
        page=page,
        x0=shown[0]["x0"],
        x1=shown[-1]["x1"],
        top=top,
        bottom=bottom,
        size=size,
        width=width,
        columns=tuple((c["x0"], clean(c["text"])) for c in shown) if width else (),
        edge=min(top, height - bottom) / max(height, 1.0),
    )


def _space_between(row: Sequence[Char], before: Char, char: Char) -> bool:
    return any(not c["text"].strip() and before["x0"] < c["x0"] <= char["x0"] + 0.01 for c in row)


def _runs(pieces: Sequence[tuple[str, bool, bool]]) -> tuple[Run, ...]:
    runs: list[Run] = []
    for text, bold, mono in pieces:
        if runs and (runs[-1].bold, runs[-1].mono) == (bold, mono):
            runs[-1] = runs[-1]._replace(text=runs[-1].text + text)
        else:
            runs.append(Run(text, bold, mono))
    return tuple(runs)


def without_furniture(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages without what stands at the top or bottom of most of them, digits apart, and without page numbers."""
    repeated = Counter(key for lines in pages for key in {_furniture(line) for line in lines if line.edge < _MARGIN})
    least = max(3, len(pages) // 3)
    return [
        [
            line
            for line in lines
            if line.edge >= _MARGIN or not (repeated[_furniture(line)] >= least or _is_number(line))
        ]
        for lines in pages
    ]


def _furniture(line: Line) -> tuple[str, int]:
    return re.sub(r"\d+", "#", line.text), round(line.top / 4)


def _is_number(line: Line) -> bool:
    return (
        re.fullmatch(
            r"(?:[-–—]\s*)?(?:page\s+)?\d{1,4}(?:\s*(?:/|of)\s*\d{1,4})?(?:\s*[-–—])?", line.text.strip(), re.I
        )
        is not None
    )


def gaps(lines: Sequence[Line]) -> list[float]:
    """The distances between the tops of lines below one another on one page, in points."""
    return [b.top - a.top for a, b in pairwise(lines) if a.page == b.page and b.top > a.top]
