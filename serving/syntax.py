"""Python source -> syntax tree, from any thread."""

from __future__ import annotations

import ast
import threading

_TURN = threading.Lock()

DEEPEST = 150
"""Levels of a syntax tree; code that people write has thirty, and whatever walks or unparses a tree calls itself."""


def python_tree(source: str) -> ast.Module:
    """The syntax tree of a program.

    One at a time: Python 3.11 counts the depth of all trees that are being built in one place, and raises a
    ``SystemError`` where threads build several at once (https://github.com/python/cpython/issues/106905).

    Raises:
        SyntaxError: it is no Python, or nested more deeply than ``DEEPEST``.
        ValueError: it holds a null character.

    """
    try:
        with _TURN:
            tree = ast.parse(source)
    except (RecursionError, MemoryError):
        raise SyntaxError("nested too deeply") from None
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return tree
    raise SyntaxError("nested too deeply")
