"""A document's code blocks put together again: in the answer they stand in, and as data."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.code.reconstruction.indentation import compiles
from knowledge.code.reconstruction.language import language_of
from knowledge.code.reconstruction.repair import mended, text_of
from knowledge.code.reconstruction.statements import Numbered
from knowledge.documents.reader import Block, Document
from knowledge.documents.rows import Row
from knowledge.model import CodeBlock


def put_together(rows: Sequence[Row], document: Document) -> tuple[list[Row], list[CodeBlock]]:
    """Rows with the code among them mended, and that code as data."""
    kept, code = [], []
    for row in rows:
        if row.code is not None and row.code.text.strip():
            made = code_block(row.code, document)
            code.append(made)
            kept.append(row._replace(code=row.code.model_copy(update={"text": made.text, "language": made.language})))
        else:
            kept.append(row)
    return kept, code


def code_block(block: Block, document: Document) -> CodeBlock:
    """A block of code, mended where it is Python, with its place where the document has lines a person can find."""
    lines = _numbered(block, document.lines)
    language = language_of(block.text, block.language)
    lost = False
    if language in {"python", ""}:
        better, lost = mended(lines)
        if language or language_of(text_of(better)) == "python":
            lines, language = better, "python"
    text = text_of(lines)
    numbers = tuple(number for number, _ in lines) if document.is_text else ()
    first = numbers[0] if numbers else None
    plain = numbers == tuple(range(numbers[0], numbers[0] + len(numbers))) if numbers else True
    return CodeBlock(
        text=text,
        language=language,
        line=first,
        lines=() if plain else numbers,
        parses=compiles(text) if language == "python" else None,
        restored=lost,
    )


def _numbered(block: Block, source: Sequence[str]) -> list[Numbered]:
    """The block's lines with their places in the source, where a page break may stand between two of them."""
    result: list[Numbered] = []
    at = block.line - 1 + block.fenced
    for text in block.text.split("\n"):
        place = next((n for n in range(at, min(block.end, len(source))) if source[n].strip() == text.strip()), at)
        result.append((place + 1, text))
        at = place + 1
    return result
