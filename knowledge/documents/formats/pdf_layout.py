"""Lines of PDF pages -> Markdown: headings, paragraphs put together again, lists, code with its indentation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from statistics import median

from knowledge.documents.formats.pdf_glyphs import Line, gaps
from knowledge.documents.formats.result import ConvertedDocument, Place

_BULLET = re.compile(r"(?:[•◦▪‣●○■□–·∙➢➤✓*-]|\(cid:\d+\))\s+|[•●▪◦‣]")
_STARTS = re.compile(r"\d{1,3}[.)]\s|(?:Q|A|Ques|Question|Answer|Ans)(?:\.?\s*+\d*+\s*+[.:)]|\.)", re.IGNORECASE)
_HEADING_RATIO = 1.12
"""How much larger than the text the type of a heading is."""


class _Writer:
    """Collects lines of Markdown with the pages they stand on."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.pages: list[tuple[int, int]] = []

    def add(self, text: str, page: int) -> None:
        """One more line."""
        self.lines.append(text)
        if not self.pages or self.pages[-1][1] != page:
            self.pages.append((len(self.lines), page))

    def gap(self) -> None:
        """A blank line, never two."""
        if self.lines and self.lines[-1]:
            self.lines.append("")


def markdown(pages: Sequence[Sequence[Line]]) -> ConvertedDocument:
    """The pages as one document."""
    lines = [line for page in pages for line in page]
    style = _Style(lines)
    writer = _Writer()
    position = 0
    while position < len(lines):
        end = style.end_of_block(lines, position)
        block = lines[position:end]
        if block[0].is_code:
            _write_code(writer, block)
        else:
            _write_text(writer, block, style, lines[position - 1] if position else None)
        position = end
    places = tuple((line, Place(page=page)) for line, page in writer.pages)
    return ConvertedDocument(text="\n".join(writer.lines), places=places)


class _Style:
    """What is usual in a document: the size of its text, the sizes of its headings, its margins."""

    def __init__(self, lines: Sequence[Line]) -> None:
        sizes: Counter[float] = Counter()
        for line in lines:
            if not line.is_code:
                sizes[line.size] += len(line.text)
        self.body = sizes.most_common(1)[0][0] if sizes else 10.0
        larger = sorted((size for size in sizes if size >= _HEADING_RATIO * self.body), reverse=True)
        self.levels = {size: min(level, 6) for level, size in enumerate(larger, 1)}
        text = [line for line in lines if line.size == self.body and not line.is_code]
        starts = Counter(round(line.x0) for line in text)
        self.left = float(min((x for x, count in starts.items() if 20 * count >= len(text)), default=0))
        right: dict[int, float] = {}
        for line in text:
            right[line.page] = max(right.get(line.page, 0.0), line.x1)
        self.right = median(right.values()) if right else 0.0

    def level(self, line: Line) -> int:
        """The level of a heading; 0 for text."""
        return 0 if line.is_code else self.levels.get(line.size, 0)

    def end_of_block(self, lines: Sequence[Line], start: int) -> int:
        """The index behind the block that begins with a line: code, a heading, or a paragraph."""
        end = start + 1
        while end < len(lines) and self._goes_on(lines[end - 1], lines[end], lines[start]):
            end += 1
        return end

    def _goes_on(self, line: Line, following: Line, first: Line) -> bool:
        """Whether the next line belongs to the same block."""
        if line.is_code or following.is_code:
            return line.is_code and following.is_code and abs(line.size - following.size) <= 1
        level = self.level(line)
        if level != self.level(following) or _BULLET.match(following.text) or _STARTS.match(following.text):
            return False
        most = (1.4 if level else 1.75) * max(line.size, following.size)
        near = following.page == line.page and 0 < following.top - line.top < most
        if not near and (following.page == line.page or _ends_sentence(line)):
            return False
        if level:
            return True
        if line.bold != following.bold and not _STARTS.match(first.text):
            return False
        # A line was full when the next one's first word would not have fitted behind it.
        word = following.text.split(" ", 1)[0]
        needed = (len(word) + 1) * 0.55 * line.size + 0.04 * self.right
        return self.right - line.x1 < needed or following.text[:1].islower()


def _ends_sentence(line: Line) -> bool:
    return line.text.rstrip().endswith((".", "?", "!", ":"))


def _write_code(writer: _Writer, block: Sequence[Line]) -> None:
    left = min(line.x0 for line in block)
    usual = min((gap for gap in gaps(block) if gap > 0.9 * block[0].size), default=1.2 * block[0].size)
    fence = "`" * (max((len(run) for line in block for run in re.findall(r"`{3,}", line.text)), default=2) + 1)
    writer.gap()
    writer.add(fence, block[0].page)
    for before, line in zip([None, *block], block, strict=False):
        if before is not None and before.page == line.page and line.top - before.top > 1.6 * usual:
            writer.add("", line.page)
        text = ""
        for x, character in line.columns:
            text = text.ljust(round((x - left) / line.width)) + character
        writer.add(text, line.page)
    writer.add(fence, block[-1].page)
    writer.gap()


def _write_text(writer: _Writer, block: Sequence[Line], style: _Style, before: Line | None) -> None:
    level = style.level(block[0])
    text = _joined([_inline(line, plain=bool(level)) for line in block])
    bullet = _BULLET.match(_plain(text))
    if level:
        writer.gap()
        writer.add(f"{'#' * level} {text}", block[0].page)
        writer.gap()
        return
    depth = max(0, round((block[0].x0 - style.left) / (1.8 * style.body)))
    near = before is not None and before.page == block[0].page and block[0].top - before.top < 1.75 * style.body
    if bullet:
        if not near and not (writer.lines and writer.lines[-1].lstrip().startswith("- ")):
            writer.gap()
        writer.add(f"{'  ' * min(depth, 4)}- {_plain(text)[bullet.end() :].lstrip()}", block[0].page)
        return
    if not near:
        writer.gap()
    indent = "  " * min(depth, 4) if re.match(r"\d{1,3}[.)]\s", text) else ""
    # A line that begins with a hash is a heading in Markdown only.
    text = f"\\{text}" if re.match(r"#{1,6}\s", text) else text
    writer.add(f"{indent}{text}", block[0].page)


def _plain(text: str) -> str:
    return re.sub(r"^\*\*([•●▪◦‣])\*\*", r"\1", text)


def _inline(line: Line, *, plain: bool) -> str:
    """A line with its bold type and its code marked."""
    if plain:
        return line.text.strip()
    parts: list[str] = []
    for run in line.runs:
        text = run.text.strip()
        if not text or not (run.bold or run.mono) or not any(c.isalnum() for c in text):
            parts.append(run.text)
            continue
        lead = run.text[: len(run.text) - len(run.text.lstrip())]
        mark = "`" if run.mono and "`" not in text else "**" if run.bold and not run.mono else ""
        parts.append(f"{lead}{mark}{text}{mark}")
    return "".join(parts).strip()


def _joined(lines: Sequence[str]) -> str:
    """Lines as one; bold type that goes on is marked once."""
    text = lines[0]
    for line in lines[1:]:
        if text.endswith("\u00ad"):
            text = text[:-1] + line
        elif re.search(r"\w-$", text) and line[:1].islower():
            text += line
        elif text.endswith("**") and line.startswith("**"):
            text = f"{text[:-2]} {line[2:]}"
        else:
            text = f"{text} {line}"
    return text
