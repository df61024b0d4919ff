"""Blank starters: whether one holds signatures and docstrings only, and those of our own solution. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rubric.coding.task import CodingTask
from serving.syntax import python_tree

FEWEST = 60
"""Tasks of the bank that can be written from nothing."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def from_nothing(task: CodingTask) -> bool:
    """Whether a task can be written from nothing: it has a blank starter, or its only starter is one."""
    return bool(task.blank) or not list(_problems(task, task.starter))


def problems_of_blank(task: CodingTask) -> Iterator[str]:
    """What is wrong with the text of a task's blank starter, one line each; nothing where it has none."""
    if task.blank:
        yield from _problems(task, task.blank)


def _problems(task: CodingTask, blank: str) -> Iterator[str]:
    try:
        blanks, solution = python_tree(blank), python_tree(task.solution)
    except SyntaxError as error:
        yield f"the blank starter is not valid Python: {error}"
        return
    given = {ast.dump(node) for node in solution.body}
    ours = {node.name: node for node in solution.body if isinstance(node, ast.ClassDef | _Function)}
    asked_for = set(task.names)
    for node in blanks.body:
        if isinstance(node, ast.ClassDef | _Function) and node.name in asked_for:
            asked_for.remove(node.name)
            yield from _of_definition(node, ours[node.name])
        elif not isinstance(node, ast.Import | ast.ImportFrom) and ast.dump(node) not in given:
            yield f"the blank starter holds more than signatures: {ast.unparse(node).splitlines()[0]}"
    for name in sorted(asked_for):
        yield f"the blank starter has no {name}"


def _of_definition(blank: ast.ClassDef | _Function, ours: ast.stmt) -> Iterator[str]:
    if ast.get_docstring(blank) is None:
        yield f"{blank.name} of the blank starter has no docstring"
    if type(blank) is not type(ours):
        yield f"{blank.name} of the blank starter is not what it is in the solution"
    elif isinstance(blank, ast.ClassDef) and isinstance(ours, ast.ClassDef):
        yield from _of_class(blank, ours)
    elif isinstance(blank, _Function) and isinstance(ours, _Function):
        yield from _of_function(blank, ours, blank.name)


def _of_class(blank: ast.ClassDef, ours: ast.ClassDef) -> Iterator[str]:
    if [ast.dump(base) for base in blank.bases] != [ast.dump(base) for base in ours.bases]:
        yield f"{blank.name} has other bases in the solution than in the blank starter"
    methods = {node.name: node for node in ours.body if isinstance(node, _Function)}
    for node in blank.body:
        if isinstance(node, _Function):
            name = f"{blank.name}.{node.name}"
            if node.name in methods:
                yield from _of_function(node, methods[node.name], name)
            else:
                yield f"{name} of the blank starter is not in the solution"
        elif not _says_nothing(node):
            yield f"{blank.name} of the blank starter holds more than signatures: {ast.unparse(node).splitlines()[0]}"


def _of_function(blank: _Function, ours: _Function, name: str) -> Iterator[str]:
    if any(not _says_nothing(node) for node in blank.body):
        yield f"{name} of the blank starter has a body"
    if _signature(blank) != _signature(ours):
        yield f"{name} has another signature in the solution than in the blank starter"


def _signature(function: _Function) -> tuple[object, ...]:
    """The names of the parameters, and how many of them may be left out; which values those have is no matter."""
    args = function.args
    names = [[each.arg for each in group] for group in (args.posonlyargs, args.args, args.kwonlyargs)]
    extra = [each.arg if each else "" for each in (args.vararg, args.kwarg)]
    left_out = (len(args.defaults), sum(default is not None for default in args.kw_defaults))
    return names, extra, left_out, isinstance(function, ast.AsyncFunctionDef)


def _says_nothing(node: ast.stmt) -> bool:
    """Whether it is a docstring or an ellipsis."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is not None
