"""Lines of text that was copied out of a page: which of them are code that lost its fence.

A line counts as code when Python itself can parse it as a statement that does something, whatever has become
of its indentation; prose almost never parses. Statements over several lines are put together first.
"""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.code.reconstruction.logical_lines import LineKind, LogicalLine, logical_lines
from knowledge.code.reconstruction.statements import Numbered

LOOSE_FENCE = "`" * 12
"""The fence put around loose code: longer than any that stands in a document or a docstring."""


def fence_loose_code(lines: Sequence[Numbered]) -> list[Numbered]:
    """The same lines with Markdown fences put around code that has none.

    An added fence carries the number of the code line beside it.
    """
    pieces = logical_lines([text for _, text in lines])
    result: list[Numbered] = []
    done = 0
    for start, end in _regions(pieces):
        result += lines[done:start]
        result.append((lines[start][0], LOOSE_FENCE))
        result += lines[start:end]
        result.append((lines[end - 1][0], LOOSE_FENCE))
        done = end
    return result + list(lines[done:])


def _regions(pieces: Sequence[LogicalLine]) -> list[tuple[int, int]]:
    """Runs of code as ranges of physical lines, end excluded."""
    regions = []
    position = 0
    while position < len(pieces):
        end = position
        while end < len(pieces) and pieces[end].sort is not LineKind.PROSE:
            end += 1
        if run := _trim(pieces[position:end]):
            before = pieces[position - 1] if position else None
            after = pieces[end] if end < len(pieces) else None
            if not _within_prose(run, before, after):
                regions.append((run[0].start, run[-1].end))
        position = max(end, position + 1)
    return regions


def _trim(run: Sequence[LogicalLine]) -> list[LogicalLine]:
    """A run without what only looks like code at its edges; empty when nothing in it is surely code."""
    kept = list(run)
    while kept and kept[0].sort is LineKind.BLANK:
        del kept[0]
    while kept and kept[-1].sort is LineKind.BLANK:
        del kept[-1]
    # One “# line” on its own between blank lines is a Markdown heading, several are comments.
    lone = (LineKind.BLANK, LineKind.COMMENT)
    while len(kept) > 1 and (kept[-2].sort, kept[-1].sort) == lone:
        del kept[-2:]
        while kept and kept[-1].sort is LineKind.BLANK:
            del kept[-1]
    while len(kept) > 1 and (kept[1].sort, kept[0].sort) == lone:
        del kept[:2]
        while kept and kept[0].sort is LineKind.BLANK:
            del kept[0]
    return kept if any(piece.sort is LineKind.STRONG for piece in kept) else []


def _within_prose(run: Sequence[LogicalLine], before: LogicalLine | None, after: LogicalLine | None) -> bool:
    """Whether a single line stands in the middle of a paragraph: ``loss.backward()`` in a wrapped sentence."""
    if len(run) > 1 or run[0].end - run[0].start > 1 or before is None:
        return False
    return before.sort is LineKind.PROSE and before.end == run[0].start and (after is None or after.start == run[0].end)
