"""Markdown of a document as paragraphs, lists and code for print. No pictures; raw HTML is shown as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from markdown_it.token import Token

from interviewer.report.document_parser import parser
from interviewer.report.render.marked_reference import LACKING_NAME, MADE_NAME
from interviewer.report.render.pdf.text import Run, code, inline, paragraphs, styles
from interviewer.text import visible

_LONGEST = 50_000
"""Longer documents are set as plain text: no honest reference is that long."""

MADE_STYLE = ('<font backColor="#d8eedd">', "</font>")
LACKING_STYLE = ("<u>", "</u>")
"""What stands around the sentences of a reference that make points."""

_AROUND = {
    "strong_open": "<b>",
    "strong_close": "</b>",
    "em_open": "<i>",
    "em_close": "</i>",
    "softbreak": " ",
    "hardbreak": "<br/>",
    f"{MADE_NAME}_open": MADE_STYLE[0],
    f"{MADE_NAME}_close": MADE_STYLE[1],
    f"{LACKING_NAME}_open": LACKING_STYLE[0],
    f"{LACKING_NAME}_close": LACKING_STYLE[1],
}


def document(text: str) -> Iterator[Any]:
    """A document's Markdown, in the order in which it stands there."""
    if len(text) > _LONGEST:
        yield from paragraphs([Run(text)], styles()["body"])
    else:
        yield from parsed(parser().parse(visible(text)))


def parsed(tokens: Sequence[Token]) -> Iterator[Any]:
    """The same of a document that is parsed already."""
    lists: list[int | None] = []
    bullet = ""
    cells: list[str] = []
    for at, token in enumerate(tokens):
        match token.type:
            case "bullet_list_open":
                lists.append(None)
            case "ordered_list_open":
                lists.append(1)
            case "bullet_list_close" | "ordered_list_close":
                lists.pop()
            case "list_item_open":
                bullet = "•" if lists[-1] is None else f"{lists[-1]}."
                lists[-1] = lists[-1] + 1 if lists[-1] is not None else None
            case "fence" | "code_block":
                yield from code(token.content.rstrip("\n"))
            case "inline" if tokens[at - 1].type in {"th_open", "td_open"}:
                cells.append(token.content)
            case "tr_close":
                yield from paragraphs([Run("   |   ".join(cells))], styles()["body"])
                cells = []
            case "inline":
                yield from _block(token, heading=tokens[at - 1].type == "heading_open", bullet=bullet, depth=len(lists))
                bullet = ""
            case "html_block":
                yield from paragraphs([Run(token.content)], styles()["body"])
            case _:
                pass


def _block(token: Token, *, heading: bool, bullet: str, depth: int) -> Iterator[Any]:
    from reportlab.platypus import Paragraph  # noqa: PLC0415 (half a second that only print has to wait for)

    style = styles()["sub" if heading else "list" if depth else "body"]
    if len(token.content) > 5_000:
        yield from paragraphs([Run(token.content)], style)
        return
    markup = _markup(token.children or ())
    if markup.strip():
        yield Paragraph(markup, style, bulletText=bullet or None)


def _markup(children: Sequence[Token]) -> str:
    """Inline tokens as markup; what was opened and not closed cannot come up, since the parser pairs them."""
    parts = []
    for child in children:
        if child.type == "code_inline":
            parts.append(f'<font face="mono">{inline(child.content, "mono")}</font>')
        elif child.type in _AROUND:
            parts.append(_AROUND[child.type])
        else:
            parts.append(inline(child.content))
    return "".join(parts)
