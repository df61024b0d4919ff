"""Where a statement may stand: the blocks open above it, and what speaks for and against each of them.

Every reason for or against a place is a named count. ``indent`` weighs them; ``fit`` finds the weights.
"""

from __future__ import annotations

import builtins
import re
from typing import NamedTuple

from knowledge.code.reconstruction.statements import ENDING, Statement

Reasons = dict[str, float]

_TITLE = re.compile(
    r"#+\s*(?:\d+[.)]|(?:usage|example|option|method|test|solution|full|launch|now|then|train)\b)", re.I
)
_TRAINS = re.compile(r"\.(?:zero_grad|backward|step|update|clip_grad_norm_|clip_grad_value_|unscale_)\(")

_BUILTIN = frozenset(dir(builtins))
_LOOPS = frozenset({"for", "while"})
_CLAUSES = {
    "else": frozenset({"if", "elif", "for", "while", "except"}),
    "elif": frozenset({"if", "elif"}),
    "except": frozenset({"try", "except"}),
    "finally": frozenset({"try", "except", "tryelse"}),
    "case": frozenset({"match", "case"}),
}


class Open(NamedTuple):
    """A block that is open.

    Attributes:
        number: of the statement that opened it.
        kind: that statement's.
        statement: it.
        bound: names bound within it so far.
        size: statements within it so far, at any depth.
        moves: whether anything in it may end a loop: a jump, or a change of what the loop tests.
        others: names bound in the branches before it of the same ``if``.
        methods: whether a function was defined directly in it.

    """

    number: int
    kind: str
    statement: Statement | None
    bound: frozenset[str]
    size: int
    moves: bool
    others: frozenset[str] = frozenset()
    methods: bool = False


class State(NamedTuple):
    """Blocks open after a statement, outermost (the module) first, and names whose block was closed.

    Attributes:
        blocks: the open blocks.
        lost: names bound only in functions that are closed.
        targets: loop variables of loops that are closed.
        maybe: names bound only in a branch or a loop that is closed.

    """

    blocks: tuple[Open, ...]
    lost: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()
    maybe: frozenset[str] = frozenset()

    @property
    def depth(self) -> int:
        """The depth at which the next statement stands in the innermost block."""
        return len(self.blocks) - 1

    @property
    def stack(self) -> tuple[int, ...]:
        """What tells states apart whose futures differ."""
        return tuple(block.number for block in self.blocks)


class Context(NamedTuple):
    """What stands around a statement in the source.

    Attributes:
        before: the statement before it.
        blank: whether a blank line stands between the two.
        comment: the comment that does; empty where there is none.
        spaced: whether the source has blank lines at all, so that their absence tells something.

    """

    before: Statement | None
    blank: bool
    comment: str
    spaced: bool


class _Move(NamedTuple):
    """A statement put at a depth.

    Attributes:
        statement: it.
        closed: the blocks that this closes, outermost first.
        depth: where it stands.
        context: what stands around it in the source.
        clause: whether it goes on with the outermost of the closed blocks, as ``else`` does.

    """

    statement: Statement
    closed: tuple[Open, ...]
    depth: int
    context: Context
    clause: bool


START = State((Open(-1, "module", None, frozenset(), 0, True),))


def depths(state: State, statement: Statement, before: Statement | None) -> range | tuple[int, ...]:
    """The depths at which a statement may stand at all."""
    deepest = state.depth
    if statement.kind in _CLAUSES:
        takes = _CLAUSES[statement.kind]
        fitting = (depth for depth in range(deepest) if state.blocks[depth + 1].kind in takes)
        return tuple(depth for depth in fitting if not (before is not None and before.opens))
    if before is None or before.opens or before.kind == "decorator":
        return (deepest,)
    # What stands behind a return in the same block is never reached.
    return range(deepest + (before.kind not in ENDING))


def place(state: State, index: int, statement: Statement, depth: int, context: Context) -> tuple[State, Reasons] | None:
    """The state with a statement placed at a depth, and what speaks for and against; ``None`` where it cannot be."""
    closed = state.blocks[depth + 1 :]
    kept = state.blocks[: depth + 1]
    clause = statement.kind in _CLAUSES
    ending = closed[1:] if clause else closed
    if any(block.kind == "try" for block in ending) or not _allowed(statement, kept):
        return None
    reasons: Reasons = {}
    after = _closed(state, kept, closed, reasons, clause=clause)
    move = _Move(statement, closed, depth, context, clause)
    _about_layout(move, state, reasons)
    _about_kind(statement, kept, context, reasons)
    _about_names(move, after, reasons)
    return _entered(after, index, move), reasons


def _allowed(statement: Statement, kept: tuple[Open, ...]) -> bool:
    kinds = [block.kind for block in kept]
    if statement.yields and "def" not in kinds:
        return False
    if kinds[-1] == "match":
        return False
    names = kept[-1].statement.stores if kinds[-1] == "class" and kept[-1].statement else frozenset()
    if statement.kind not in {"def", "class"} and statement.loads & names:
        return False
    if statement.kind in {"break", "continue"}:
        innermost = kinds[::-1]
        loop = next((n for n, kind in enumerate(innermost) if kind in _LOOPS), None)
        function = next((n for n, kind in enumerate(innermost) if kind == "def"), len(innermost))
        return loop is not None and loop < function
    if statement.yields:
        innermost_scope = next(kind for kind in reversed(kinds) if kind in {"def", "class"})
        return innermost_scope == "def"
    return True


def _visible(blocks: tuple[Open, ...]) -> frozenset[str]:
    return frozenset().union(*(block.bound for block in blocks))


def _closed(state: State, kept: tuple[Open, ...], closed: tuple[Open, ...], reasons: Reasons, *, clause: bool) -> State:
    """The state with blocks closed: where the names go that were bound in them."""
    lost, targets, maybe = state.lost, state.targets, state.maybe
    parent = kept[-1]
    for position, block in enumerate(closed):
        outer = parent.bound
        header = block.statement
        if block.kind == "def":
            lost |= block.bound
            targets -= block.bound
            maybe -= block.bound
        elif block.kind == "class":
            pass
        else:
            if block.kind == "for" and header is not None:
                targets |= header.inner - outer
            if block.kind in {"else", "with", "finally", "try"}:
                maybe -= block.bound
            else:
                maybe |= block.bound - outer
            parent = parent._replace(bound=parent.bound | block.bound)
        if block.kind == "while" and not block.moves and not (clause and position == 0):
            reasons["while never ends"] = 1
    return State((*kept[:-1], parent), lost, targets, maybe)


def _size(count: int) -> str:
    return "1" if count <= 1 else "few" if count <= 4 else "many"


def _about_layout(move: _Move, state: State, reasons: Reasons) -> None:
    """How far the statement goes back, and what the lines around it say about that."""
    before, closed = move.context.before, move.closed
    if before is None or before.opens:
        return
    if move.clause:
        skipped = sum(block.kind in _CLAUSES[move.statement.kind] for block in closed[1:])
        if skipped:
            reasons[f"{move.statement.kind} skips"] = skipped
        reasons[f"{move.statement.kind} of {closed[0].kind}"] = 1
    elif not closed:
        _about_staying(state.blocks[move.depth], move, reasons)
    else:
        _about_closing(state.blocks[move.depth], before, move, reasons)


def _about_staying(inner: Open, move: _Move, reasons: Reasons) -> None:
    reasons[f"stay {inner.kind} {_size(inner.size)}"] = 1
    if move.depth and move.context.blank:
        reasons[f"blank stay {inner.kind}"] = 1
    if move.depth and move.context.comment:
        reasons[f"comment stay {inner.kind}"] = 1
        if _TITLE.match(move.context.comment):
            reasons[f"title stay {inner.kind}"] = 1


def _about_closing(inner: Open, before: Statement, move: _Move, reasons: Reasons) -> None:
    context, closed = move.context, move.closed
    ended = before.kind in ENDING
    for block in closed:
        name = f"close {block.kind} {_size(block.size)}"
        reasons[name] = reasons.get(name, 0) + 1
    reasons[f"close {min(4, len(closed))}{' ended' if ended else ''}"] = 1
    if move.depth and inner.kind not in {"def", "class"} and not ended:
        reasons["close into block"] = 1
    if not ended and any(block.kind == "def" for block in closed):
        reasons["close def unended"] = 1
        if before.kind in {"import", "string"}:
            reasons["close def at once"] = 1
    if context.spaced and not context.blank and any(block.kind in {"def", "class"} for block in closed):
        reasons["close scope without blank"] = 1
    if context.blank:
        reasons["blank close some" if move.depth else "blank close all"] = 1
    if context.comment and not move.depth:
        reasons["comment close all"] = 1
        if _TITLE.match(context.comment):
            reasons["title close all"] = 1


def _about_kind(statement: Statement, kept: tuple[Open, ...], context: Context, reasons: Reasons) -> None:
    inner = kept[-1]
    kind = statement.kind
    forced = context.before is not None and context.before.opens
    decorators = context.before is not None and context.before.kind == "decorator"
    where = inner.kind if inner.kind in {"module", "class", "def"} else "block"
    if kind == "def":
        if statement.first in {"self", "cls"}:
            reasons["method in class" if where == "class" else "method outside"] = 1
        elif where == "class":
            static = decorators and context.before is not None and "method" in context.before.text
            reasons["static method" if static else "function in class"] = 1
        else:
            reasons[f"function in {where}{' at once' if forced else ''}"] = 1
    elif kind == "decorator":
        method = "method" in statement.text or "property" in statement.text or ".setter" in statement.text
        reasons[f"decorator {'of method ' if method else ''}in {where}"] = 1
    elif kind == "class":
        reasons[f"class in {where}"] = 1
    elif where == "class":
        calls = kind == "simple" and not statement.stores
        sort = "call" if calls else kind if kind in {"simple", "string", "pass"} else "other"
        reasons[f"in class {sort}{' behind methods' if inner.methods else ''}"] = 1
    elif kind == "import" and not forced:
        reasons[f"import in {where}"] = 1
    elif kind in ENDING and not forced:
        reasons[f"{kind} in {inner.kind}"] = 1
    elif kind == "string" and not forced:
        reasons["string"] = 1
    elif kind == "if" and "__main__" in statement.text:
        reasons[f"main in {where}"] = 1


def _about_names(move: _Move, after: State, reasons: Reasons) -> None:
    """Whether the names a statement uses are known where it stands, and belong there."""
    statement = move.statement
    unseen = statement.loads - _visible(after.blocks)
    _count(reasons, "lost name", unseen & after.lost - _BUILTIN)
    _count(reasons, "loop variable outside", statement.loads & after.targets - _bound_by_loops(after.blocks))
    _count(reasons, "name of a branch", statement.loads & after.maybe)
    if move.clause or (move.context.before is not None and move.context.before.opens):
        return
    function = next((n for n in range(len(after.blocks) - 1, 0, -1) if after.blocks[n].kind == "def"), 0)
    loop = next((n for n in range(len(after.blocks) - 1, function, -1) if after.blocks[n].kind in _LOOPS), 0)
    _about_scopes(statement, after.blocks, function, loop, reasons)
    _about_training(move, function, loop, reasons)
    _about_neighbors(move, reasons)
    _about_blocks(move, after.blocks[-1], reasons)
    if statement.changes:
        reasons["adds in loop" if loop else "adds outside"] = 1
        if not loop and any(block.kind in _LOOPS for block in move.closed):
            reasons["adds right after loop"] = 1


def _about_scopes(statement: Statement, blocks: tuple[Open, ...], function: int, loop: int, reasons: Reasons) -> None:
    """Whether it uses what its function and its loop bind, given as indices of blocks, 0 where there is none."""
    uses = statement.loads | statement.stores
    if function:
        own = frozenset().union(*(block.bound for block in blocks[function:]))
        reasons["uses function's" if uses & own else "none of function's"] = 1
        named = blocks[function].statement
        if named is not None and statement.loads & named.stores - statement.called:
            reasons["function names itself"] = 1
    if loop:
        inside = frozenset().union(*(block.bound for block in blocks[loop:]))
        reasons["uses loop's" if uses & inside else "none of loop's"] = 1
        header = blocks[loop].statement
        if header is not None and header.kind == "while" and (statement.stores | {statement.changes}) & header.loads:
            reasons["moves while"] = 1


def _about_training(move: _Move, function: int, loop: int, reasons: Reasons) -> None:
    """Steps of training stand in loops and beside each other."""
    if not _TRAINS.search(move.statement.text):
        return
    reasons["trains in loop" if loop else "trains in function" if function else "trains outside"] = 1
    if move.context.before is not None and _TRAINS.search(move.context.before.text):
        reasons["trains on" if not move.closed else "trains on elsewhere"] = 1


def _about_neighbors(move: _Move, reasons: Reasons) -> None:
    before = move.context.before
    if before is None or before.kind != "simple":
        return
    if move.statement.loads & before.stores:
        reasons["takes from before" if not move.closed else "takes from before outside"] = 1
    if _head(move.statement) == _head(before):
        reasons["like before" if not move.closed else "like before outside"] = 1


def _about_blocks(move: _Move, inner: Open, reasons: Reasons) -> None:
    """Names bound in the block it stands in and in those it leaves."""
    statement, closed = move.statement, move.closed
    uses = statement.loads | statement.stores
    fresh = statement.stores - statement.loads
    if inner.kind in {"if", "elif", "else", "with", "try", "except"}:
        reasons[f"{'uses' if uses & inner.bound else 'none of'} {inner.kind}'s"] = 1
    if fresh & inner.others and not closed:
        reasons["binds as other branch"] = 1
    if any(fresh & block.others for block in closed):
        reasons["overwrites branch"] = 1
    for block in closed:
        if block.kind not in {"def", "class"} and statement.loads & block.bound:
            reasons[f"takes out of {block.kind}"] = 1
        header = block.statement
        if header is not None and header.kind == "while" and statement.stores & header.loads:
            reasons["moves while outside"] = 1
    if fresh and not statement.stores & statement.loads:
        if closed and statement.stores & closed[-1].bound:
            reasons["binds again outside"] = 1
        if not closed and statement.stores & inner.bound:
            reasons["binds again inside"] = 1


def _head(statement: Statement) -> str:
    """What a statement begins with: the name up to its first dot, bracket or space."""
    return re.split(r"[.(\[ =]", statement.text, maxsplit=1)[0]


def _bound_by_loops(blocks: tuple[Open, ...]) -> frozenset[str]:
    """Loop variables that are still bound, by a loop that is open or by an assignment since."""
    headers = (block.statement for block in blocks if block.kind == "for")
    return frozenset().union(*(header.inner for header in headers if header is not None))


def _count(reasons: Reasons, name: str, names: frozenset[str]) -> None:
    if names:
        reasons[name] = min(2, len(names))


def _entered(state: State, index: int, move: _Move) -> State:
    """The state behind a statement, its block opened where it has one."""
    statement, closed = move.statement, move.closed
    headers = (block.statement for block in state.blocks if block.kind == "while")
    tests = {name for header in headers if header is not None for name in header.loads}
    moves = statement.jumps or statement.changes in tests or bool(statement.stores & tests) or not tests
    if not moves and statement.loads & tests and statement.called:
        moves = True
    names = statement.stores
    blocks = tuple(
        block._replace(
            bound=block.bound | names if position == len(state.blocks) - 1 else block.bound,
            size=block.size + 1,
            moves=block.moves or moves,
            methods=block.methods or (position == len(state.blocks) - 1 and statement.kind == "def"),
        )
        for position, block in enumerate(state.blocks)
    )
    if statement.opens:
        kind = statement.kind
        if kind == "else" and closed[0].kind == "except":
            kind = "tryelse"
        others = closed[0].bound | closed[0].others if move.clause and kind in {"else", "elif"} else frozenset()
        blocks = (*blocks, Open(index, kind, statement, statement.inner, 0, moves=False, others=others))
    stores = statement.stores
    lost = state.lost - stores if len(blocks) == 1 else state.lost
    return State(blocks, lost, state.targets - stores - statement.inner, state.maybe - stores)
