from __future__ import annotations

import ast

import pytest

from knowledge.code.reconstruction.indentation import compiles
from serving.syntax import DEEPEST, python_tree


@pytest.mark.parametrize("depth", [DEEPEST + 50, 2000, 200_000])
@pytest.mark.parametrize("piece", ["-", "not ", "~", "x+"])
def test_code_nested_too_deeply_is_no_code(piece: str, depth: int) -> None:
    source = f"y = {piece * depth}1"
    with pytest.raises(SyntaxError, match=r"too deeply|too complex|too many"):
        python_tree(source)
    assert not compiles(source)


def test_code_that_people_write_is_taken_and_can_be_walked_and_written_again() -> None:
    source = "y = " + " + ".join(["f(x)"] * (DEEPEST - 10))
    tree = python_tree(source)
    assert ast.unparse(tree) == source
    assert compiles(source)
