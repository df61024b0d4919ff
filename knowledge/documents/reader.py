"""Files of any format -> blocks with their place in the source.

Other formats than text become Markdown first, each in its own way (``knowledge.documents.formats``). Block structure is
CommonMark's with tables, read by markdown-it-py. Text that was copied out of a page or a PDF has code without fences
and headings without marks; ``knowledge.documents.loose_code`` deals with the code before CommonMark sees it,
``knowledge.extraction.extractor`` with the rest.
"""

from __future__ import annotations

import os
import re
import stat
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from knowledge.code.reconstruction.language import is_python
from knowledge.documents.formats.encoding import decode as decode_bytes
from knowledge.documents.formats.encoding import too_long
from knowledge.documents.formats.registry import MAX_BYTES, format_of, known
from knowledge.documents.formats.result import ConvertedDocument, Place, QuestionPair, UnusableError
from knowledge.documents.formats.sandboxed import Limits, convert
from knowledge.documents.loose_code import LOOSE_FENCE, fence_loose_code
from knowledge.model import Source
from serving.errors import BadInputError
from serving.frozen import FrozenModel
from serving.syntax import yaml_of

__all__ = [
    "Block",
    "BlockKind",
    "Document",
    "decode",
    "document_from",
    "document_of",
    "load",
    "parse",
    "read",
]


class BlockKind(StrEnum):
    """What a block is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    CODE = "code"
    TABLE = "table"
    QUOTE = "quote"
    RULE = "rule"
    HTML = "html"


class Block(FrozenModel):
    """A piece of a document.

    Attributes:
        kind: what it is.
        text: its source text; of a heading without its marks, of code without its fence.
        line: its first line in the source, counted from 1; of code the fence, where it has one.
        end: its last line, counted from 1.
        level: 1 to 6 for a heading, 0 for everything else.
        language: the first word behind a fence, lower case, or ``python`` where it can be nothing else.
        fenced: whether code stands in a fence of its own.

    """

    kind: BlockKind
    text: str
    line: int
    end: int
    level: int = 0
    language: str = ""
    fenced: bool = False


class Document(FrozenModel):
    """A document as read.

    Attributes:
        path: what its questions name as their source.
        meta: the YAML front matter, empty where there is none.
        lines: the source lines without line ends; of other formats than text those of the Markdown made of them.
        blocks: top-level blocks in order, and the code blocks within them right behind them.
        places: of other formats than text, the line at which something stands and where that is in the file,
            ascending; empty for text, whose lines are those of the file.
        pairs: questions with their answers out of a table or list, which need no finding.
        is_text: whether the lines are those of the file.
        left_out: what was left out since it is too long, a phrase each.

    """

    path: str
    meta: dict[str, Any]
    lines: tuple[str, ...]
    blocks: tuple[Block, ...]
    places: tuple[tuple[int, Place], ...] = ()
    pairs: tuple[QuestionPair, ...] = ()
    is_text: bool = True
    left_out: tuple[str, ...] = ()

    def raw(self, first: int, last: int) -> str:
        """The source text of lines ``first`` to ``last``, both included, without blank lines around it."""
        return "\n".join(self.lines[first - 1 : last]).strip("\n").rstrip()

    def line(self, number: int) -> int | None:
        """The number of a line in the person's file; ``None`` where that has no lines."""
        return number if self.is_text else None

    def source(self, line: int, section: tuple[str, ...]) -> Source:
        """Where in the person's file a line stands, below the headings given."""
        at = bisect_right(self.places, line, key=lambda entry: entry[0]) - 1
        place = self.places[at][1] if at >= 0 else Place()
        return Source(path=self.path, line=self.line(line), section=section, **place.model_dump())


def read(path: Path, name: str | None = None, limits: Limits = Limits()) -> Document:  # noqa: B008 - frozen
    """The document in a file.

    Args:
        path: the file.
        name: what the document is called in its questions' sources; the path as given by default.
        limits: what reading a format other than text may take.

    Raises:
        BadInputError: the file is missing, unreadable, too large, or cannot be used.

    """
    return document_of(load(path), path, name, limits)


def load(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        BadInputError: it is missing, unreadable, too large, or no file with an end.

    """
    if path.is_dir():
        raise BadInputError(f"{path} is a folder, not a file.")
    try:
        # Opened first and asked then, so that what is read is what was asked; a pipe that nobody writes to must not
        # hold the opening up.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            state = os.fstat(file.fileno())
            if not stat.S_ISREG(state.st_mode):
                raise BadInputError(f"{path} is not a regular file.", hint="Save it as a file first.")
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise BadInputError(f"{path} does not exist.") from None
    except (OSError, ValueError) as error:
        raise BadInputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    if len(data) > MAX_BYTES:
        size = max(state.st_size, len(data)) / 2**20
        raise BadInputError(
            f"{path} is too large: {size:.0f} MiB, the most is {MAX_BYTES // 2**20} MiB.",
            hint="Split it into smaller files.",
        )
    return data


def document_of(
    data: bytes,
    path: Path,
    name: str | None = None,
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> Document:
    """The document in the bytes of a file, by the ending of its path; one without an ending is text.

    Raises:
        BadInputError: it cannot be used.

    """
    shown = name or str(path)
    suffix = path.suffix.lower()
    found = format_of(suffix)
    if suffix and found is None:
        raise BadInputError(f"{path} cannot be read: {suffix} files are not known.", hint=known())
    try:
        if found is None or not found.converter:
            text = decode_bytes(data)
            _check_length(len(text), limits)
            return parse(text, shown)
        converted = convert(data, found.converter, limits)
        _check_length(len(converted.text), limits)
    except UnusableError as error:
        raise BadInputError(f"{path} {error.refused.why}.", hint=error.refused.hint) from error
    return document_from(converted, shown)


def _check_length(characters: int, limits: Limits) -> None:
    if characters > limits.text:
        raise too_long(characters, limits.text)


def document_from(converted: ConvertedDocument, path: str) -> Document:
    """The document that a format's reader made Markdown or pairs of."""
    document = parse(converted.text, path)
    taken = {"places": converted.places, "pairs": converted.pairs, "left_out": converted.left_out}
    return document.model_copy(update={**taken, "is_text": False})


def decode(path: Path) -> str:
    """The text in a file of any common encoding.

    Raises:
        BadInputError: the file is missing, unreadable, too large, or is no text.

    """
    try:
        return decode_bytes(load(path))
    except UnusableError as error:
        raise BadInputError(f"{path} {error.refused.why}.", hint=error.refused.hint) from error


def parse(text: str, path: str) -> Document:
    """The document in a text.

    Raises:
        BadInputError: the text holds NUL characters, so it is a binary file that happens to decode.

    """
    if "\x00" in text:
        raise BadInputError(f"{path} is not a text file.", hint=known())
    # A lone carriage return ends a line too; markdown-it counts it as one.
    ended = _CARRIAGE_RETURNS.sub("\n", text).replace("\f", "\n")
    lines = tuple(ended.split("\n"))
    meta, start = _front_matter(lines)
    body = [(number, line) for number, line in enumerate(lines, 1) if number > start]
    return Document(path=path, meta=meta, lines=lines, blocks=tuple(_joined(_blocks(fence_loose_code(body)), lines)))


def _front_matter(lines: Sequence[str]) -> tuple[dict[str, Any], int]:
    """The YAML mapping between two ``---`` lines at the top, and how many lines it takes."""
    if lines[0].strip() != "---":
        return {}, 0
    closing = next((n for n, line in enumerate(lines[1:], 1) if line.strip() == "---"), 0)
    try:
        meta = yaml_of("\n".join(lines[1:closing]))
    except ValueError:
        return {}, 0
    return (meta, closing + 1) if isinstance(meta, dict) else ({}, 0)


_CARRIAGE_RETURNS = re.compile(r"\r+\n|\r")
_MARKDOWN = MarkdownIt("commonmark").enable("table").disable("code")
_KINDS = {
    "paragraph_open": BlockKind.PARAGRAPH,
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "table_open": BlockKind.TABLE,
    "blockquote_open": BlockKind.QUOTE,
    "hr": BlockKind.RULE,
    "html_block": BlockKind.HTML,
}


def _blocks(numbered: Sequence[tuple[int, str]]) -> Iterator[Block]:
    """Blocks of lines that carry their numbers in the source."""
    numbers = [number for number, _ in numbered]
    lines = [line for _, line in numbered]
    tokens = _MARKDOWN.parse("\n".join(lines))
    for position, token in enumerate(tokens):
        if token.map is None or (token.level and token.type != "fence"):
            continue
        first, after = token.map
        while after > first + 1 and not lines[after - 1].strip():
            after -= 1
        line, end = numbers[first], numbers[after - 1]
        if token.type == "heading_open":
            text = tokens[position + 1].content
            yield Block(kind=BlockKind.HEADING, text=text, line=line, end=end, level=int(token.tag[1]))
        elif token.type == "fence":
            yield _code(token, line, end)
        elif token.type in _KINDS:
            text = "\n".join(lines[first:after])
            yield Block(kind=_KINDS[token.type], text=text, line=line, end=end)


def _code(token: Token, line: int, end: int) -> Block:
    text = token.content.rstrip("\n")
    words = token.info.split()
    language = words[0].lower() if words else ""
    fenced = token.markup != LOOSE_FENCE
    return Block(kind=BlockKind.CODE, text=text, line=line, end=end, language=language, fenced=fenced)


def _joined(blocks: Iterable[Block], lines: Sequence[str]) -> Iterator[Block]:
    """The blocks with code that a page break cut in two put together again."""
    held: Block | None = None
    for block in blocks:
        if held is None:
            held = block
        elif _cut(held, block, lines):
            text = f"{held.text}\n{block.text}"
            held = held.model_copy(update={"text": text, "end": block.end})
        else:
            yield _recognized(held)
            held = block
    if held is not None:
        yield _recognized(held)


def _recognized(block: Block) -> Block:
    """The block, with its language where it is code that does not name one and can only be Python."""
    if block.kind is BlockKind.CODE and not block.language and is_python(block.text):
        return block.model_copy(update={"language": "python"})
    return block


def _cut(first: Block, second: Block, lines: Sequence[str]) -> bool:
    """Whether two blocks are code of one language with nothing but blank lines between them."""
    both_code = first.kind is second.kind is BlockKind.CODE
    return (
        both_code
        and first.language == second.language
        and not any(line.strip() for line in lines[first.end : second.line - 1])
    )
