"""Python source -> syntax tree, from any thread."""

from __future__ import annotations

import ast
import threading

_TURN = threading.Lock()


def python_tree(source: str) -> ast.Module:
    """The syntax tree of a program.

    One at a time: Python 3.11 counts the depth of all trees that are being built in one place, and raises a
    ``SystemError`` where threads build several at once (https://github.com/python/cpython/issues/106905).

    Raises:
        SyntaxError: it is no Python.
        ValueError: it holds a null character.

    """
    with _TURN:
        return ast.parse(source)
