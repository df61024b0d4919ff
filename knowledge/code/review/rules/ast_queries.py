"""Ways through a tree of Python that the rules share."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TypeVar

Loop = ast.For | ast.AsyncFor | ast.While
Function = ast.FunctionDef | ast.AsyncFunctionDef
Node = TypeVar("Node", bound=ast.AST)


def every(tree: ast.AST, kind: type[Node]) -> Iterator[Node]:
    """All nodes of a kind, in no particular order."""
    return (node for node in ast.walk(tree) if isinstance(node, kind))


def loops(tree: ast.AST) -> Iterator[Loop]:
    """All loops."""
    return (node for node in ast.walk(tree) if isinstance(node, Loop))


def functions(tree: ast.AST) -> Iterator[Function]:
    """All functions and methods."""
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """Everything in a block in the order of the source, but not what functions and classes defined in it hold."""
    pending: list[ast.AST] = list(reversed(getattr(node, "body", [])))
    while pending:
        part = pending.pop()
        yield part
        if not isinstance(part, Function | ast.ClassDef | ast.Lambda):
            pending += reversed(list(ast.iter_child_nodes(part)))


def within(scope: ast.AST, kind: type[Node]) -> Iterator[Node]:
    """All nodes of a kind in a block, in the order of the source, but not in functions and classes defined in it."""
    return (node for node in inside(scope) if isinstance(node, kind))


def scopes(tree: ast.AST) -> Iterator[ast.Module | Function]:
    """The module and every function, each without the functions inside it."""
    yield from [*every(tree, ast.Module), *functions(tree)]


def calls(tree: ast.AST, method: str) -> Iterator[tuple[str, ast.Call]]:
    """Calls of a method, with what it is called on."""
    for call in every(tree, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == method:
            yield ast.unparse(call.func.value), call


def assigned_from(scope: ast.AST, test: Callable[[ast.expr], bool]) -> set[str]:
    """Names to which a scope assigns what passes a test, and besides only changes of their own value."""
    passed: set[str] = set()
    other: set[str] = set()
    for node in within(scope, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                own = any(isinstance(part, ast.Name) and part.id == target.id for part in ast.walk(node.value))
                if test(node.value):
                    passed.add(target.id)
                elif not own:
                    other.add(target.id)
    return passed - other
