"""Mistakes in data structures and arithmetic: one small rule for each."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

from knowledge.code.review.rules.ast_queries import assigned_from, calls, every, inside, loops, scopes, within
from knowledge.code.review.torch_api import Finding

_BUILTIN = frozenset(dir(builtins))


def head_of_list(tree: ast.AST) -> Iterator[Finding]:
    """A list used as a queue in a loop: ``pop(0)`` moves every other element."""
    for loop in loops(tree):
        grown = {name for method in ("append", "extend") for name, _ in calls(loop, method)}
        for call in every(loop, ast.Call):
            function = call.func
            if (
                isinstance(function, ast.Attribute)
                and function.attr == "pop"
                and [ast.dump(item) for item in call.args] == [ast.dump(ast.Constant(0))]
                and isinstance(function.value, ast.Name)
                and function.value.id in grown
            ):
                yield Finding(
                    call.lineno,
                    f"`{function.value.id}.pop(0)` takes time in the length of the list, so the loop is quadratic: "
                    "a queue is a `collections.deque` with `popleft()`.",
                )


def two_pointers_never_meet(tree: ast.AST) -> Iterator[Finding]:
    """Two pointers at different speeds that are never compared inside their loop: on a cycle it never ends."""
    for loop in every(tree, ast.While):
        steps = {name: count for node in loop.body for name, count in _advances(node)}
        if len(steps) < 2 or len(set(steps.values())) < 2:
            continue
        tested = {part.id for part in ast.walk(loop.test) if isinstance(part, ast.Name)}
        leaves = any(isinstance(part, ast.Break | ast.Return | ast.Raise | ast.Yield) for part in inside(loop))
        if tested <= set(steps) and not leaves and tested:
            yield Finding(
                loop.lineno,
                f"{_and(sorted(steps))} are never compared inside the loop, so on a list with a cycle it runs for "
                "ever: the comparison behind it belongs into its body.",
            )


def _advances(node: ast.stmt) -> Iterator[tuple[str, int]]:
    """``slow = slow.next`` as ``("slow", 1)``."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        count, value = 0, node.value
        while isinstance(value, ast.Attribute) and value.attr == "next":
            count, value = count + 1, value.value
        if count and isinstance(value, ast.Name) and value.id == node.targets[0].id:
            yield value.id, count


def never_advances(tree: ast.AST) -> Iterator[Finding]:
    """``while node:`` whose body neither moves ``node`` nor leaves."""
    for loop in every(tree, ast.While):
        test = loop.test.left if isinstance(loop.test, ast.Compare) and _is_none(loop.test) else loop.test
        if not isinstance(test, ast.Name):
            continue
        parts = list(inside(loop))
        leaves = any(isinstance(part, ast.Break | ast.Return | ast.Raise | ast.Yield | ast.Await) for part in parts)
        if not leaves and _only_read(parts, test.id):
            yield Finding(loop.lineno, f"Nothing in this loop moves `{test.id}`, so it never ends.")


def _only_read(parts: Sequence[ast.AST], name: str) -> bool:
    """Whether a name is read by its attributes and neither bound, handed on nor asked to do anything."""
    owners = {id(part.value) for part in parts if isinstance(part, ast.Attribute)}
    asked = {
        id(part.func.value) for part in parts if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)
    }
    named = [part for part in parts if isinstance(part, ast.Name) and part.id == name]
    others = {part.func.id for part in parts if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)}
    read = all(isinstance(part.ctx, ast.Load) and id(part) in owners and id(part) not in asked for part in named)
    return bool(named) and read and others <= _BUILTIN


def _is_none(test: ast.Compare) -> bool:
    return isinstance(test.ops[0], ast.IsNot) and ast.dump(test.comparators[0]) == ast.dump(ast.Constant(None))


def power_by_xor(tree: ast.AST) -> Iterator[Finding]:
    """``a * b^2`` meant as a square: ``^`` binds weaker than the product and is no power."""
    for node in every(tree, ast.BinOp):
        small = isinstance(node.right, ast.Constant) and node.right.value in {2, 3}
        if isinstance(node.op, ast.BitXor) and small and isinstance(node.left, ast.BinOp):
            inner = [part for part in ast.walk(node.left) if isinstance(part, ast.BinOp)]
            if any(isinstance(part.op, ast.Mult | ast.Div) for part in inner):
                yield Finding(node.lineno, "`^` is exclusive or in Python; a power is written `**`.")


def power_before_modulus(tree: ast.AST) -> Iterator[Finding]:
    """Integer powers of a tensor reduced only afterwards: they have overflowed 64 bits by then."""
    for scope in scopes(tree):
        powers = assigned_from(scope, _is_integer_power)
        for node in within(scope, ast.BinOp):
            if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Name) and node.left.id in powers:
                yield Finding(
                    node.lineno,
                    "The powers are taken before the modulus and overflow 64-bit integers, for base 256 from the "
                    "eighth on: reduce after every multiplication.",
                )


def _is_integer_power(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "torch.pow" and "torch.arange(" in ast.unparse(node)


def _and(names: Sequence[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)
