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
    """Everything in a block but what functions and classes defined in it do."""
    pending: list[ast.AST] = list(getattr(node, "body", []))
    while pending:
        part = pending.pop()
        yield part
        if not isinstance(part, Function | ast.ClassDef | ast.Lambda):
            pending += ast.iter_child_nodes(part)


def scopes(tree: ast.AST) -> Iterator[ast.Module | Function]:
    """The module and every function, each without the functions inside it."""
    yield from [*every(tree, ast.Module), *functions(tree)]


def calls(tree: ast.AST, method: str) -> Iterator[tuple[str, ast.Call]]:
    """Calls of a method, with what it is called on."""
    for call in every(tree, ast.Call):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == method:
            yield ast.unparse(call.func.value), call


def method_calls(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What methods are called on what, as ``("self.optimizer", "step")``."""
    for call in every(tree, ast.Call):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            yield ast.unparse(call.func.value), call.func.attr


def assigned_from(scope: ast.AST, test: Callable[[ast.expr], bool]) -> set[str]:
    """Names that are assigned once in a scope, from what passes a test."""
    found: dict[str, list[bool]] = {}
    for node in inside(scope):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(test(node.value))
    return {name for name, values in found.items() if values[0] and sum(values) == 1}
