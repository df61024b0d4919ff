"""Indentation put back where a page lost it.

A search over the depth of every statement: the blocks that may be open after a statement are its states, the
reasons for and against a place (``placing``) are weighed and summed, and of all ways to the same open blocks the
best is kept, as Viterbi did for hidden Markov models; ``WIDEST`` bounds the states kept. What indentation is left
counts: statements that stood at one depth want to move together.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from knowledge.code.reconstruction.block_placement import START, Context, Reasons, State, depths, place
from knowledge.code.reconstruction.statements import Scanner, Statement, statements
from serving.syntax import python_tree

WEIGHTS = Path(__file__).with_name("indentation.json")
"""The weights, by reason; positive speaks for a place. ``python -m knowledge.training.fit_indentation`` made them."""

WIDEST = 120
"""States kept after each statement."""

MOST_STATEMENTS = 600
STEP = 4
"""Columns a depth takes."""

MOVED = -3.5
"""Weight of a statement that moves by another amount than the one before it, for each depth of difference."""


class Shown(NamedTuple):
    """What a statement still shows of its depth.

    Attributes:
        piece: number of its piece of the page; pieces move independently of each other.
        depth: its depth within the piece.

    """

    piece: int
    depth: int


class Way(NamedTuple):
    """A way to place all statements so far."""

    score: float
    state: State
    depth: int
    before: Way | None
    reasons: Reasons


@cache
def weights() -> Mapping[str, float]:
    """The committed weights."""
    data: dict[str, float] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return data


def restored(text: str, seams: frozenset[int] = frozenset()) -> str | None:
    """Code with its indentation put back; ``None`` where no way of doing so gives valid Python.

    Args:
        text: the code, its lines flush left or with what was left of their indentation.
        seams: indices of lines that stand right behind a page break, where indentation may jump.

    """
    lines = text.expandtabs(STEP).split("\n")
    found = statements(lines)
    if not found or len(found) > MOST_STATEMENTS:
        return None
    way = best(found, contexts(lines, found), _left(lines, found, seams), weights())
    if way is None:
        return None
    result = _written(lines, found, [step.depth for step in way])
    return result if compiles(result) else None


def compiles(source: str) -> bool:
    """Whether Python takes the source as a whole module, ``return`` outside functions and the like included.

    Source that is nested too deeply to be looked at is not taken.
    """
    try:
        python_tree(source)
        compile(source, "<document>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def contexts(lines: Sequence[str], found: Sequence[Statement]) -> list[Context]:
    """What stands before each statement."""
    result = []
    after = 0
    spaced = any(not line.strip() for line in lines[found[0].start : found[-1].end])
    for position, statement in enumerate(found):
        between = lines[after : statement.start]
        blank = any(not line.strip() for line in between)
        comment = next((line.strip() for line in between if line.strip()), "")
        result.append(Context(found[position - 1] if position else None, blank, comment, spaced))
        after = statement.end
    return result


def best(
    found: Sequence[Statement], around: Sequence[Context], left: Sequence[Shown | None], weight: Mapping[str, float]
) -> list[Way] | None:
    """The best way to place the statements, one step a statement; ``None`` where there is none.

    Args:
        found: the statements.
        around: what stands before each.
        left: what each still shows of its depth; ``None`` where that is nothing.
        weight: of each reason.

    """
    ways = {START.stack: Way(0.0, START, 0, None, {})}
    for index, (statement, context) in enumerate(zip(found, around, strict=True)):
        following: dict[tuple[int, ...], Way] = {}
        for way in ways.values():
            for depth in depths(way.state, statement, context.before):
                placed = place(way.state, index, statement, depth, context)
                if placed is None:
                    continue
                state, reasons = placed
                moved = _moved(left, index, depth, way.depth)
                score = way.score + moved + sum(weight.get(name, 0.0) * count for name, count in reasons.items())
                held = following.get(state.stack)
                if held is None or score > held.score:
                    following[state.stack] = Way(score, state, depth, way, reasons)
        if not following:
            return None
        if len(following) > WIDEST:
            keep = sorted(following.items(), key=lambda item: -item[1].score)[:WIDEST]
            following = dict(keep)
        ways = following
    final = [way for way in ways.values() if not any(block.kind == "try" for block in way.state.blocks)]
    if found[-1].opens or found[-1].kind == "decorator" or not final:
        return None
    return _steps(max(final, key=lambda way: way.score))


def _moved(left: Sequence[Shown | None], index: int, depth: int, before: int) -> float:
    now, then = left[index], left[index - 1] if index else None
    if now is None or then is None or now.piece != then.piece:
        return 0.0
    return MOVED * abs((depth - now.depth) - (before - then.depth))


def _steps(way: Way) -> list[Way]:
    steps = []
    at: Way | None = way
    while at is not None and at.before is not None:
        steps.append(at)
        at = at.before
    return steps[::-1]


def _left(lines: Sequence[str], found: Sequence[Statement], seams: frozenset[int]) -> list[Shown | None]:
    """What each statement still shows of its depth."""
    pieces: list[list[Statement]] = [[]]
    for statement in found:
        if pieces[-1] and any(pieces[-1][-1].start < seam <= statement.start for seam in seams):
            pieces.append([])
        pieces[-1].append(statement)
    return [shown for number, piece in enumerate(pieces) for shown in _shown(lines, piece, number)]


def _shown(lines: Sequence[str], piece: Sequence[Statement], number: int) -> list[Shown | None]:
    columns = [column_of(lines[statement.start]) for statement in piece]
    if len(set(columns)) == 1 and any(statement.opens for statement in piece[:-1]):
        return [None] * len(piece)
    step = math.gcd(*(abs(second - first) for first, second in pairwise(columns))) or STEP
    return [Shown(number, (column - min(columns)) // step) for column in columns]


def column_of(line: str) -> int:
    """Columns of space before a line."""
    return len(line) - len(line.lstrip())


def _written(lines: Sequence[str], found: Sequence[Statement], at: Sequence[int]) -> str:
    """The lines at the depths found; a comment goes with the statement behind it, the last with that before."""
    result: list[str] = []
    done = 0
    for statement, depth in zip(found, at, strict=True):
        result += [_comment(line, depth) for line in lines[done : statement.start]]
        result += _placed(lines[statement.start : statement.end], depth, docstring=statement.kind == "string")
        done = statement.end
    result += [_comment(line, at[-1]) for line in lines[done:]]
    return "\n".join(result)


def _comment(line: str, depth: int) -> str:
    return " " * STEP * depth + line.strip() if line.strip() else ""


def _placed(lines: Sequence[str], depth: int, *, docstring: bool) -> list[str]:
    """A statement's lines moved to a depth; lines that go on keep their places beside each other."""
    margin = " " * STEP * depth
    own = column_of(lines[0])
    rest = [line for line in lines[1:] if line.strip()]
    lost = all(column_of(line) <= own for line in rest)
    scanner = Scanner()
    scanner.feed(lines[0])
    result = [margin + lines[0].strip()]
    for line in lines[1:]:
        inside = scanner.in_string
        scanner.feed(line)
        if inside and not docstring:
            result.append(line)
        elif not line.strip():
            result.append("")
        elif not lost:
            result.append(" " * max(0, len(margin) + column_of(line) - own) + line.strip())
        else:
            closes = line.strip()[0] in ")]}"
            result.append(margin + ("" if closes or docstring else " " * STEP) + line.strip())
    return result
