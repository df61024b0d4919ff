from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.documents import reader
from knowledge.documents.reader import Block, BlockKind, Document, parse, read
from serving.errors import BadInputError


def kinds(document: Document) -> list[tuple[BlockKind, int, int]]:
    return [(block.kind, block.line, block.end) for block in document.blocks]


def code(text: str) -> list[Block]:
    return [block for block in parse(text, "x.md").blocks if block.kind is BlockKind.CODE]


def test_blocks_know_their_lines() -> None:
    text = "# Title\n\nOne\ntwo.\n\n- a\n- b\n\n"
    text += "```python\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n\n---\n"
    document = parse(text, "x.md")
    assert kinds(document) == [
        (BlockKind.HEADING, 1, 1),
        (BlockKind.PARAGRAPH, 3, 4),
        (BlockKind.LIST, 6, 7),
        (BlockKind.CODE, 9, 11),
        (BlockKind.TABLE, 13, 15),
        (BlockKind.QUOTE, 17, 17),
        (BlockKind.RULE, 19, 19),
    ]
    assert document.blocks[0].text == "Title"
    assert (document.blocks[3].text, document.blocks[3].language) == ("x = 1", "python")


def test_front_matter_is_read_and_keeps_line_numbers() -> None:
    document = parse("---\ntopic: autograd\n---\n\n# Title\n", "x.md")
    assert document.meta == {"topic": "autograd"}
    assert kinds(document) == [(BlockKind.HEADING, 5, 5)]


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    document = parse("---\nJust text: [with odd yaml\n---\nMore\n", "x.md")
    assert document.meta == {}
    assert "More" in document.raw(1, 4)


def test_code_in_a_list_is_a_block_besides_the_list() -> None:
    document = parse("- do this:\n\n  ```bash\n  ls\n  ```\n", "x.md")
    assert [(b.kind, b.text) for b in document.blocks][1] == (BlockKind.CODE, "ls")


def test_a_fence_cut_by_a_page_break_is_one_block_again() -> None:
    (block,) = code("```\ndef f(x):\n    y = g(x)\n```\n\n```\n    return y\n```\n")
    assert block.text == "def f(x):\n    y = g(x)\n    return y"
    assert (block.line, block.end, block.language) == (1, 8, "python")


def test_code_and_its_output_stay_apart() -> None:
    assert [b.language for b in code("```python\nprint(1)\n```\n\n```text\n1\n```\n")] == ["python", "text"]


def test_fences_with_text_between_stay_apart() -> None:
    assert len(code("```\nprint(1)\n```\n\nthen\n\n```\nprint(2)\n```\n")) == 2


def test_code_without_a_fence_and_without_indentation_is_found() -> None:
    text = (
        "It is short.\nimport torch\n# a comment\nclass Net(torch.nn.Module):\ndef forward(self, x,\nscale=2.0):\n"
        '"""Doubles\nthe input: really"""\nif scale:\nreturn x * scale\nelse:\nreturn x\nAnd that is all.\n'
    )
    (block,) = code(text)
    assert (block.line, block.end, block.language, block.fenced) == (2, 12, "python", False)
    assert block.text.startswith("import torch\n# a comment\n")


@pytest.mark.parametrize(
    "text",
    [
        "# A title\n\n# Another\n\nText for both.\n",
        "Note: use it (or not)\nMemory: only a little\nTraining & Optimization\n",
        "First call zero_grad and then call\nloss.backward()\nbefore the step.\n",
        "- met: you say\n  loss.backward()\n  and then step\n",
        "with a little patience it works\nfor example here\nfrom time to time\nreturn home\n",
    ],
)
def test_prose_is_not_taken_for_code(text: str) -> None:
    assert code(text) == []


def test_a_heading_behind_loose_code_stays_a_heading() -> None:
    document = parse("import torch\nx = torch.ones(2)\n\n# Next part\n\nText.\n", "x.txt")
    assert [block.kind for block in document.blocks] == [BlockKind.CODE, BlockKind.HEADING, BlockKind.PARAGRAPH]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_common_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "x.txt"
    text = "Was heißt “Überanpassung” – und für wen wäre das schön? Größere Modelle überraschen häufig. " * 5
    path.write_bytes(text.encode(encoding))
    assert "Was heißt “Überanpassung” – und" in read(path).lines[0]


def test_windows_line_ends_do_not_matter() -> None:
    assert parse("# A\r\n\r\ntext\r\n", "x").lines[0] == "# A"


def test_an_empty_file_has_no_blocks(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_bytes(b"")
    assert read(tmp_path / "x.md").blocks == ()


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" * 9, b"abc\x00def", bytes(range(256)) * 20])
def test_binary_is_refused_by_name(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "picture.txt"
    path.write_bytes(data)
    with pytest.raises(BadInputError, match=r"picture\.txt"):
        read(path)


def test_a_missing_file_a_folder_and_a_huge_file_are_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadInputError, match=r"gone\.md does not exist"):
        read(tmp_path / "gone.md")
    with pytest.raises(BadInputError, match="is a folder"):
        read(tmp_path)
    monkeypatch.setattr(reader, "MAX_BYTES", 10)
    (tmp_path / "big.md").write_text("x" * 11, encoding="utf-8")
    with pytest.raises(BadInputError, match=r"big\.md is too large"):
        read(tmp_path / "big.md")


def test_a_docstring_with_quotes_and_hashes_belongs_to_its_function() -> None:
    text = 'def f(x):\n"""It\'s odd: a # mark,\nan open (bracket, and the end."""\nreturn g(x)\nProse again.\n'
    (block,) = code(text)
    assert (block.line, block.end) == (1, 4)


def test_brackets_that_never_close_are_read_in_time() -> None:
    assert code("call(\n" * 5000) == []


@pytest.mark.parametrize("value", ["2001-99-99", "[" * 5000, "!!timestamp x", "&a [*a", "!!int x", "{[1]: 2}"])
def test_front_matter_that_is_none_is_text(value: str) -> None:
    assert parse(f"---\nday: {value}\n---\n# A\n", "a.md").meta == {}
    assert "day" in parse("---\nday: 2001-09-09\n---\n# A\n", "a.md").meta


def test_a_lone_carriage_return_ends_a_line() -> None:
    old, new = parse("# A\r\rOne.\rTwo.\r", "a.md"), parse("# A\n\nOne.\nTwo.\n", "a.md")
    assert old == new
    assert parse("# A\r\n\r\nOne.\r\nTwo.\r\n", "a.md") == new


@pytest.mark.parametrize("join", ["[*{before}, *{before}]", "{{<<: [*{before}, *{before}]}}"])
def test_front_matter_that_grows_by_aliases_is_text(join: str) -> None:
    """Sixty lines would have been 2^60 values; a title of an entry was made text whole."""
    bomb = ["a0: &a0 {x: y}", *(f"a{n}: &a{n} {join.format(before=f'a{n - 1}')}" for n in range(1, 60)), "topic: *a59"]
    text = "\n".join(["---", *bomb, "---", "# A", ""])
    assert parse(text, "a.md").meta == {}
    assert parse(text.replace("*", "x").replace("&", "y"), "a.md").blocks != ()
