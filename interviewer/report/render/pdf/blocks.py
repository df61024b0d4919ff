"""For print: what the parts of a report share, made of paragraphs and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interviewer.report.render.pdf.text import PANEL, RULE, SOFT, inline, line, styles
from interviewer.report.schema.question import Quote
from interviewer.text import shortened, visible

SIGNS = {"computed": "=", "judged": "◆", "yours": "“", "written": "§"}
"""What marks who says what (``words.MADE_BY``)."""

SWATCHES = {
    "bar": "#0a5f94",
    "bar-helped": "#5aaddb",
    "bar-hinted": "#e8a31c",
    "bar-none": "#ddd7ca",
    "paper": "#ffffff",
}
"""Colors by the roles of ``drawing.ROLES``."""


def p(markup: str, style: str = "body") -> Any:
    """A paragraph of markup."""
    from reportlab.platypus import Paragraph  # noqa: PLC0415

    return Paragraph(markup, styles()[style])


def space(points: float) -> Any:
    """Room of that height."""
    from reportlab.platypus import Spacer  # noqa: PLC0415

    return Spacer(1, points)


def by(*makers: str) -> str:
    """Markup that tells who says it."""
    signs = "  ".join(f"{SIGNS[maker]} {maker}" for maker in makers)
    return f'  <font face="sans" size="7" color="{SOFT}">{signs}</font>' if makers else ""


def heading(title: str, style: str, level: int, *makers: str) -> Iterator[Any]:
    """A heading and its bookmark, ``level`` deep in the outline."""
    from interviewer.report.render.pdf.page_frame import Bookmark  # noqa: PLC0415

    short = shortened(" ".join(visible(title).split()), 120)
    yield Bookmark(short, level)
    yield p(line(shortened(title, 240)) + by(*makers), style)


def rule() -> Any:
    """A line across the page, kept with what follows."""
    from reportlab.platypus import HRFlowable  # noqa: PLC0415

    line_across = HRFlowable(width="100%", thickness=0.7, color=RULE, spaceBefore=10, spaceAfter=6)
    line_across.keepWithNext = 1
    return line_across


def labeled(label: str, markup: str) -> Any:
    """Markup behind a small label."""
    return p(f'<font face="sans-bold" size="7.8" color="{SOFT}">{inline(label)}</font>  {markup}')


def quoted(quotes: Sequence[Quote], most: int = 400) -> str:
    """Markup of at most three quotations."""
    said = " … ".join(f"“{line(shortened(quote.text, most))}”" for quote in quotes[:3])
    more = f" (and {len(quotes) - 3} more, marked in the answer)" if len(quotes) > 3 else ""
    return f"<i>{said}</i>{more}"


def panel(rows: Sequence[Any], color: str) -> Any:
    """Short paragraphs on a panel with a bar to its left."""
    from reportlab.platypus import Table  # noqa: PLC0415

    looks = [
        ("BACKGROUND", (0, 0), (-1, -1), PANEL),
        ("LINEBEFORE", (0, 0), (0, -1), 2.5, color),
        ("LEFTPADDING", (0, 0), (-1, -1), 12),
        ("RIGHTPADDING", (0, 0), (-1, -1), 10),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
        ("TOPPADDING", (0, 0), (-1, 0), 7),
        ("BOTTOMPADDING", (0, -1), (-1, -1), 7),
    ]
    return Table([[row] for row in rows], style=looks, colWidths=["100%"], spaceBefore=8, spaceAfter=8)
