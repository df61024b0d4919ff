"""Text to values, from any thread and from untrusted hands: Python source to a syntax tree, YAML without aliases."""

from __future__ import annotations

import ast
import threading
from typing import Any

import yaml

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


class _Plain(yaml.SafeLoader):
    """Reads YAML without aliases: a few lines of them amount to a value of any size."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)


def yaml_of(text: str) -> Any:
    """The value of YAML text.

    Raises:
        ValueError: it is no YAML, or has aliases.

    """
    try:
        return yaml.load(text, Loader=_Plain)  # noqa: S506 - a safe one
    except (yaml.YAMLError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError) as error:
        # PyYAML makes dates and numbers with functions that raise errors of their own.
        raise ValueError("no YAML") from error
