"""Indentation put back: by hand-made cases, by the standard library, and with what a page break left."""

from __future__ import annotations

import ast
import json
import json.decoder
import textwrap
from pathlib import Path

import pytest

from knowledge.bank.parser import BANK, load_file
from knowledge.code.reconstruction.indentation import column_of, compiles, restored, weights
from knowledge.code.reconstruction.repair import mended, text_of
from knowledge.code.reconstruction.statements import statements
from knowledge.documents.reader import read
from knowledge.extraction.extractor import questions
from knowledge.training.fit_indentation import sample, share_right
from tests.locations import SHARED


def flat(text: str) -> str:
    return "\n".join(line.strip() for line in text.split("\n"))


def same(first: str, second: str) -> bool:
    return ast.dump(ast.parse(first)) == ast.dump(ast.parse(second))


CASES = {
    "training loop behind a class": """
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.body = nn.Sequential(
                    nn.Linear(width, width),
                    nn.ReLU(),
                )
            def forward(self, x):
                return self.body(x)
        net = Net(4)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for x, y in batches:
            optimizer.zero_grad()
            loss = (net(x) - y).square().mean()
            loss.backward()
            optimizer.step()
        print("done")
    """,
    "clauses": """
        def level(score):
            if score > 0.9:
                return "high"
            elif score > 0.5:
                return "middle"
            else:
                return "low"
        try:
            print(level(read()))
        except ValueError as error:
            print(error)
        finally:
            close()
    """,
    "decorator with an inner function": """
        import time
        def timed(function):
            def wrapper(*args):
                start = time.perf_counter()
                result = function(*args)
                print(time.perf_counter() - start)
                return result
            return wrapper
    """,
    "loops in loops": """
        def count(rows):
            total = 0
            for row in rows:
                for cell in row:
                    if cell is None:
                        continue
                    total += cell
            return total
    """,
    "while that must move": """
        def search(items, goal):
            low, high = 0, len(items) - 1
            while low <= high:
                middle = (low + high) // 2
                if items[middle] == goal:
                    return middle
                if items[middle] < goal:
                    low = middle + 1
                else:
                    high = middle - 1
            return -1
    """,
}


@pytest.mark.parametrize("name", CASES)
def test_lost_indentation_comes_back(name: str) -> None:
    code = textwrap.dedent(CASES[name]).strip()
    back = restored(flat(code))
    assert back is not None
    assert same(back, code)


def test_every_way_taken_is_python_and_keeps_all_lines() -> None:
    source = Path(json.decoder.__file__).read_text()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            piece = flat(ast.unparse(node))
            back = restored(piece)
            assert back is not None
            assert [line.strip() for line in back.split("\n")] == piece.split("\n")


def test_the_bank_s_own_code_mostly_comes_back_exactly() -> None:
    texts = [block.text for file in sorted(BANK.glob("*.md")) for q in load_file(file) for block in q.code]
    made = [found for text in texts if compiles(text) and (found := sample(text, spaced=False)) is not None][::4][:25]
    right, of = share_right(made, weights())["all"]
    assert of >= 20
    assert right / of >= 0.6


def test_what_a_page_break_left_moves_together() -> None:
    before = "class A:\n    def go(self):\n        while self.items:"
    after = "item = self.items.pop()\nself.seen.add(item)"
    back = restored(f"{before}\n{after}\nreturn self.seen", frozenset({3}))
    assert back is not None
    assert same(back, f"{before}\n{textwrap.indent(after, ' ' * 12)}\n        return self.seen")


def test_sound_code_is_never_changed() -> None:
    for module in (json.decoder, textwrap):
        lines = list(enumerate(Path(module.__file__).read_text().rstrip("\n").split("\n"), 1))
        better, lost = mended(lines)
        assert not lost
        assert text_of(better) == "\n".join(line.rstrip() for _, line in lines)


def test_what_is_no_python_is_left_alone() -> None:
    text = "for each batch do\nupdate the weights\nend"
    assert restored(text) is None
    assert mended([(1, line) for line in text.split("\n")])[1] is False


def test_a_method_torn_off_its_class_goes_back_into_it() -> None:
    lines = [
        "class Tree:",
        "    def __init__(self):",
        "        self.root = None",
        "def add(self, key):",
        "    self.root = key",
    ]
    torn, lost = mended(list(zip([10, 11, 12, 20, 21], lines, strict=True)))
    assert lost
    tree = ast.parse(text_of(torn))
    assert [type(node).__name__ for node in tree.body] == ["ClassDef"]
    apart, lost = mended(list(enumerate(lines, 10)))
    assert not lost, "without a gap in the source a function may have a parameter called self"
    assert text_of(apart) == "\n".join(lines)


MENDED = {
    "quotes": ("print(“a”, ‘b’)", "print(\"a\", 'b')"),
    "spaces": ("if True:\n\u00a0\u00a0\u00a0\u00a0x = 1", "if True:\n    x = 1"),
    "prompts": (
        ">>> x = 1\n>>> for i in range(2):\n...     print(i)\n0\n1",
        "x = 1\nfor i in range(2):\n    print(i)\n# 0\n# 1",
    ),
    "line numbers": (
        "1 import torch\n2 for i in range(3):\n3     print(i)",
        "import torch\nfor i in range(3):\n    print(i)",
    ),
    "wrapped comment": (
        "x = 1  # this comment is so long that the page broke\nit in the middle\ny = 2",
        "x = 1  # this comment is so long that the page broke it in the middle\ny = 2",
    ),
    "wrapped line": (
        "total = first_value +\nsecond_value\nprint(total)",
        "total = first_value + second_value\nprint(total)",
    ),
    "comments for a body": (
        "def f(x):\n    # split\n    # concatenate",
        "def f(x):\n    # split\n    # concatenate\n    ...",
    ),
}


@pytest.mark.parametrize("name", MENDED)
def test_what_pages_do_to_code_is_undone(name: str) -> None:
    before, after = MENDED[name]
    better, _ = mended(list(enumerate(before.split("\n"), 1)))
    assert text_of(better) == after


PAGE = SHARED / "documents" / "001_940388535d30f056.txt"


@pytest.mark.shared
@pytest.mark.skipif(not PAGE.is_file(), reason="the shared documents are not here")
def test_a_page_without_any_indentation(capsys: pytest.CaptureFixture[str]) -> None:
    truth: dict[str, str] = json.loads(Path(__file__).with_name("shared_indentation.json").read_text())
    blocks = {str(block.line): block for q in questions(read(PAGE)) for block in q.code if block.restored}
    assert blocks.keys() == truth.keys()
    exact = placed = of = 0
    for line, depths in truth.items():
        lines = blocks[line].text.split("\n")
        got = "".join(str(column_of(lines[found.start]) // 4) for found in statements(lines) or ())
        exact += got == depths
        placed += sum(a == b for a, b in zip(got, depths, strict=True))
        of += len(depths)
    with capsys.disabled():
        print(f"\n{exact} of {len(truth)} blocks exactly, {placed} of {of} statements in place", end="")
    assert exact >= 12
    assert placed / of >= 0.92


def test_an_endless_number_is_no_line_number() -> None:
    lines = list(enumerate(["1 def f(", "2" + "0" * 20_000 + " x", "3 )"], 1))
    assert mended(lines) == (lines, False)
