"""Lines of Python whose indentation may be lost -> logical statements and the names each of them uses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from serving.syntax import python_tree

Numbered = tuple[int, str]
"""A line with its number in the source, counted from 1."""


MOST_LINES = 200
"""Lines a statement may run over; a bracket that stays open longer is no statement."""

ENDING = frozenset({"return", "raise", "break", "continue"})
"""Statements after which nothing in the same block is reached."""

# Backslashed characters, quotes, whole strings, comments and brackets: what decides whether a bracket counts.
_TOKENS = re.compile(r"\\.|\"{3}|'{3}|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|#.*|[()\[\]{}]")
_CLAUSE = re.compile(r"(else|elif|except|finally|case)\b")
_MUTATORS = frozenset({"append", "add", "extend", "update", "insert", "appendleft", "push", "put", "write"})
_NODES: dict[type[ast.stmt], str] = {
    ast.FunctionDef: "def",
    ast.AsyncFunctionDef: "def",
    ast.ClassDef: "class",
    ast.If: "if",
    ast.For: "for",
    ast.AsyncFor: "for",
    ast.While: "while",
    ast.With: "with",
    ast.AsyncWith: "with",
    ast.Try: "try",
    ast.TryStar: "try",
    ast.Match: "match",
    ast.Return: "return",
    ast.Raise: "raise",
    ast.Break: "break",
    ast.Continue: "continue",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.AugAssign: "accumulate",
    ast.Pass: "pass",
    ast.Global: "global",
    ast.Nonlocal: "global",
}


class Statement(NamedTuple):
    """A logical line: a simple statement, or the header of a compound one.

    Attributes:
        start: index of its first physical line.
        end: index behind its last.
        text: its lines, the first without the space before it.
        kind: ``def``, ``if``, ``else``, ``return``, ``decorator``, ``simple`` …
        opens: whether a block must follow, which is so for a header without a body on its own line.
        loads: names it reads.
        stores: names it binds.
        inner: names bound for its block only: parameters of a function, targets of a loop.
        changes: name of the object it adds to: ``x`` in ``x += 1`` and ``x.append(1)``.
        first: a function's first parameter.
        jumps: whether it holds a ``return``, ``break``, ``continue`` or ``raise`` of its own.
        yields: whether it can only stand in a function.
        called: names it calls.

    """

    start: int
    end: int
    text: str
    kind: str
    opens: bool
    loads: frozenset[str] = frozenset()
    stores: frozenset[str] = frozenset()
    inner: frozenset[str] = frozenset()
    changes: str = ""
    first: str = ""
    jumps: bool = False
    yields: bool = False
    called: frozenset[str] = frozenset()


class Scanner:
    """Tells line by line whether a bracket, a triple quote or a backslash is still open."""

    def __init__(self) -> None:
        self._depth = 0
        self._quote = ""
        self._backslash = False

    @property
    def open(self) -> bool:
        """Whether the statement goes on in the next line."""
        return self._depth > 0 or bool(self._quote) or self._backslash

    @property
    def in_string(self) -> bool:
        """Whether the next line begins within a triple-quoted string."""
        return bool(self._quote)

    def feed(self, line: str) -> None:
        """Reads one more line."""
        self._backslash = False
        if self._quote:
            _, closing, line = line.partition(self._quote)
            if not closing:
                return
            self._quote = ""
        comment = False
        for match in _TOKENS.finditer(line):
            piece = match[0]
            if piece in {'"""', "'''"}:
                self._quote = piece
                self.feed(line[match.end() :])
                return
            comment = piece.startswith("#")
            self._depth += (piece in "([{") - (piece in ")]}")
        self._backslash = line.endswith("\\") and not comment


def statements(lines: Sequence[str]) -> list[Statement] | None:
    """The logical statements of code, blank lines and comments left out; ``None`` where one is no Python."""
    found = []
    position = 0
    while position < len(lines):
        text = lines[position].strip()
        if not text or text.startswith("#"):
            position += 1
            continue
        end = _end(lines, position)
        statement = None if end is None else _statement(lines, position, end)
        if statement is None or end is None:
            return None
        found.append(statement)
        position = end
    return found


def _end(lines: Sequence[str], start: int) -> int | None:
    scanner = Scanner()
    for end in range(start, min(len(lines), start + MOST_LINES)):
        scanner.feed(lines[end])
        if not scanner.open:
            return end + 1
    return None


def _statement(lines: Sequence[str], start: int, end: int) -> Statement | None:
    text = "\n".join([lines[start].strip(), *lines[start + 1 : end]])
    for node, opens, kind in _readings(text):
        return _described(node, start, end, text, kind, opens=opens)
    return None


def _readings(text: str) -> Iterator[tuple[ast.stmt, bool, str]]:
    """The statement as a tree, whether a block must follow, and its kind; nothing where it is no Python."""
    if text.startswith("@"):
        tree = parsed(f"{text}\ndef decorated(): pass")
        if tree is not None and len(tree.body) == 1:
            yield tree.body[0], False, "decorator"
        return
    clause = _CLAUSE.match(text)
    if clause and (tree_kind := _clause(text, clause[1])) is not None:
        yield tree_kind
        return
    tree = parsed(text)
    if tree is not None and tree.body:
        node = tree.body[0]
        yield node, False, _NODES.get(type(node), "simple")
        return
    headers = ["\n pass"]
    if text.startswith("try"):
        headers = ["\n pass\nfinally:\n pass"]
    elif text.startswith("match"):
        headers = ["\n case _: pass"]
    for body in headers:
        tree = parsed(text + body)
        if tree is not None and len(tree.body) == 1:
            yield tree.body[0], True, _NODES[type(tree.body[0])]


def _clause(text: str, word: str) -> tuple[ast.stmt, bool, str] | None:
    before = {"except": "try:\n pass", "finally": "try:\n pass", "case": "match 0:"}.get(word, "if 1:\n pass")
    indented = text if word != "case" else f" {text}"
    for body, opens in (("", False), ("\n  pass", True)):
        tree = parsed(f"{before}\n{indented}{body}")
        if tree is not None and len(tree.body) == 1:
            return tree.body[0], opens, word
    return None


def parsed(source: str) -> ast.Module | None:
    """The tree of Python source; ``None`` where it is none."""
    try:
        return python_tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _described(node: ast.stmt, start: int, end: int, text: str, kind: str, *, opens: bool) -> Statement:
    names = _Names()
    names.visit(node)
    loads, stores, inner, first = names.loads, names.stores, set[str](), ""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        arguments = [*node.args.posonlyargs, *node.args.args]
        first = arguments[0].arg if arguments else ""
        extra = [node.args.vararg, node.args.kwarg]
        inner = {item.arg for item in [*arguments, *node.args.kwonlyargs, *extra] if item is not None}
        if kind == "decorator":
            inner, stores = set(), set()
    elif isinstance(node, ast.For | ast.AsyncFor) and opens:
        inner = {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
    changes = ""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        changes = node.target.id
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        function = node.value.func
        if isinstance(function, ast.Attribute) and function.attr in _MUTATORS and isinstance(function.value, ast.Name):
            changes = function.value.id
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        kind = "string"
    jumps = any(isinstance(part, ast.Return | ast.Break | ast.Continue | ast.Raise) for part in ast.walk(node))
    yields = not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and any(
        isinstance(part, ast.Yield | ast.YieldFrom | ast.Await | ast.Return | ast.AsyncFor | ast.AsyncWith)
        for part in ast.walk(node)
    )
    return Statement(
        start=start,
        end=end,
        text=text,
        kind=kind,
        opens=opens,
        loads=frozenset(loads),
        stores=frozenset(stores),
        inner=frozenset(inner),
        changes=changes,
        first=first,
        jumps=jumps,
        yields=yields,
        called=frozenset(names.called),
    )


class _Names(ast.NodeVisitor):
    """Names a statement reads and binds; those of comprehensions and lambdas are its own affair."""

    def __init__(self) -> None:
        self.loads: set[str] = set()
        self.stores: set[str] = set()
        self.called: set[str] = set()

    def visit_Name(self, node: ast.Name) -> None:
        (self.loads if isinstance(node.ctx, ast.Load) else self.stores).add(node.id)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name):
            self.called.add(node.func.id)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.generic_visit(node)
        if isinstance(node.target, ast.Name):
            self.loads.add(node.target.id)

    def visit_Import(self, node: ast.Import) -> None:
        self.stores |= {(item.asname or item.name).split(".")[0] for item in node.names}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.stores |= {item.asname or item.name for item in node.names}

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.stores.add(node.name)
        self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.stores.add(node.name)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node, node.name)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function(node, node.name)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> None:
        """A header's decorators, defaults and annotations; of a body on its own line, what it takes from outside."""
        self.stores.add(name)
        for part in [*node.decorator_list, node.args, *([node.returns] if node.returns else [])]:
            self.visit(part)
        own = {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
        body = _Names()
        for part in node.body:
            body.visit(part)
        self.loads |= body.loads - own - body.stores

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._inside(node, {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)})

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehension(node, node.generators)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._comprehension(node, node.generators)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node, node.generators)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node, node.generators)

    def _comprehension(self, node: ast.expr, generators: Sequence[ast.comprehension]) -> None:
        targets = [part for item in generators for part in ast.walk(item.target)]
        self._inside(node, {part.id for part in targets if isinstance(part, ast.Name)})

    def _inside(self, node: ast.expr, own: set[str]) -> None:
        inner = _Names()
        for part in ast.iter_child_nodes(node):
            inner.visit(part)
        self.loads |= inner.loads - own
        self.called |= inner.called - own
        self.stores |= inner.stores - own
