"""Text for print: fonts, styles, and untrusted text as paragraphs and code that fit on pages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from functools import cache
from html import escape
from typing import Any, NamedTuple

from interviewer.report.phrases import common
from interviewer.report.render.fonts import FACES, path_of, printable
from interviewer.text import visible
from rubric.model import Verdict

INK, SOFT, LINK, RULE, PANEL = "#211f1b", "#5d584e", "#1d5573", "#ddd7c9", "#f5f2ea"
VERDICT_INK = {
    Verdict.MET: "#1c6440",
    Verdict.PARTIAL: "#7d5200",
    Verdict.CONTRADICTED: "#9b2626",
    Verdict.MISSING: SOFT,
    Verdict.UNSCORED: SOFT,
}
MARKED = {Verdict.MET: "#d8eedd", Verdict.PARTIAL: "#fae6bd", Verdict.CONTRADICTED: "#f8d9d4"}
"""The ground of evidence by its verdict."""

_LONGEST_PARAGRAPH = 1_500
"""Characters; longer ones are set in pieces, since setting time grows faster than a paragraph's length."""

_CODE_COLUMNS = 92
_CODE_LINES = 50
"""Lines of code set as one block; a block must be short enough to be broken over pages quickly."""


class Run(NamedTuple):
    """Text with the markup that stands around all of it; ``text`` is untrusted, the rest is ours."""

    text: str
    before: str = ""
    after: str = ""
    face: str = "sans"


def inline(text: str, face: str = "sans") -> str:
    """Untrusted text as the markup of a paragraph that shows exactly this text, as far as the face can."""
    return escape(printable(visible(text), face), quote=False).replace("\n", "<br/>").replace("\t", "    ")


def line(text: str) -> str:
    """Untrusted text as the markup of one line."""
    return inline(" ".join(visible(text).split()))


def prose(text: str) -> str:
    """A sentence of the bank or of a document: as text, but for its inline code."""
    return "".join(
        f'<font face="mono">{inline(part, "mono")}</font>' if code else inline(part)
        for part, code in common.code_spans(text)
    )


def paragraphs(runs: Iterable[Run], style: Any, **options: Any) -> Iterator[Any]:
    """Runs of text as paragraphs: one for each line of them, long ones in pieces."""
    from reportlab.platypus import Paragraph  # noqa: PLC0415 (half a second that only print has to wait for)

    markup: list[str] = []
    length = 0
    for run in runs:
        for at, part in enumerate(visible(run.text).split("\n")):
            if at and markup:
                yield Paragraph("".join(markup), style, **options)
                markup, length = [], 0
            for piece in _cut(part):
                if length + len(piece) > _LONGEST_PARAGRAPH and markup:
                    yield Paragraph("".join(markup), style, **options)
                    markup, length = [], 0
                markup.append(f"{run.before}{inline(piece, run.face)}{run.after}" if piece else "")
                length += len(piece)
        if not run.text and run.after:
            markup.append(run.after)
    if "".join(markup).strip():
        yield Paragraph("".join(markup), style, **options)


def code(text: str) -> Iterator[Any]:
    """Untrusted text of any length in fixed pitch; lines that are too long go on in the next one."""
    from reportlab.platypus import XPreformatted  # noqa: PLC0415

    shown = printable(visible(text).expandtabs(4), "mono")
    lines = [piece for each in shown.split("\n") for piece in _wrapped(each)]
    for start in range(0, len(lines), _CODE_LINES):
        yield XPreformatted(escape("\n".join(lines[start : start + _CODE_LINES]), quote=False) or " ", styles()["code"])


def _wrapped(text: str) -> list[str]:
    if len(text) <= _CODE_COLUMNS:
        return [text]
    first, *rest = textwrap.wrap(
        text, _CODE_COLUMNS, subsequent_indent="  ↪ ", drop_whitespace=False, break_on_hyphens=False
    ) or [""]
    return [first, *rest]


def _cut(text: str) -> Iterator[str]:
    """The text in pieces that are short enough, cut at spaces where there are some."""
    while len(text) > _LONGEST_PARAGRAPH:
        at = text.rfind(" ", _LONGEST_PARAGRAPH // 2, _LONGEST_PARAGRAPH) + 1 or _LONGEST_PARAGRAPH
        yield text[:at]
        text = text[at:]
    yield text


@cache
def styles() -> dict[str, Any]:
    """The paragraph styles by name; the fonts are registered with the first call."""
    from reportlab.lib.colors import HexColor  # noqa: PLC0415
    from reportlab.lib.styles import ParagraphStyle  # noqa: PLC0415
    from reportlab.pdfbase import pdfmetrics  # noqa: PLC0415
    from reportlab.pdfbase.ttfonts import TTFont  # noqa: PLC0415

    for face in FACES:
        pdfmetrics.registerFont(TTFont(face, str(path_of(face))))
    pdfmetrics.registerFontFamily("sans", normal="sans", bold="sans-bold", italic="sans-italic", boldItalic="sans-bold")
    pdfmetrics.registerFontFamily("mono", normal="mono", bold="mono", italic="mono", boldItalic="mono")
    ink, soft = HexColor(INK), HexColor(SOFT)
    body = ParagraphStyle(
        "body", fontName="sans", fontSize=9.2, leading=13.4, textColor=ink, spaceAfter=4, splitLongWords=1
    )

    def like(name: str, **changes: Any) -> Any:
        return ParagraphStyle(name, parent=body, **changes)

    def heading(name: str, size: float, before: float, after: float) -> Any:
        room = {"leading": 1.32 * size, "spaceBefore": before, "spaceAfter": after}
        return like(name, fontName="sans-bold", fontSize=size, keepWithNext=1, **room)

    return {
        "body": body,
        "title": heading("title", 18, 14, 2),
        "result": like("result", fontName="sans-bold", fontSize=13, leading=17.5, spaceBefore=6, spaceAfter=6),
        "section": heading("section", 13, 14, 5),
        "item": heading("item", 11, 4, 2),
        "sub": heading("sub", 9.6, 9, 3),
        "label": ParagraphStyle("label", parent=heading("bold", 7.8, 4, 1), textColor=soft),
        "meta": like("meta", fontSize=8, leading=11.2, textColor=soft, spaceAfter=3),
        "small": like("small", fontSize=8.6, leading=11.8, spaceAfter=2),
        "said": like("said", leftIndent=10, textColor=soft),
        "answer": like("answer", leftIndent=10),
        "quote": like("quote", fontName="sans-italic", leftIndent=10),
        "list": like("list", leftIndent=14, bulletIndent=3, spaceAfter=2),
        "note": like("note", fontSize=8, leading=11.2, textColor=soft, leftIndent=14, spaceAfter=3),
        "code": ParagraphStyle(
            "code", fontName="mono", fontSize=7.4, leading=10.2, textColor=ink, backColor=HexColor(PANEL), leftIndent=6,
            rightIndent=6, borderPadding=(3, 4, 3, 4), spaceBefore=5, spaceAfter=7,
        ),
    }  # fmt: skip
