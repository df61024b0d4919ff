"""For print: what the parts of a report share, made of paragraphs and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interviewer.report.render.charts.base import KeyEntry
from interviewer.report.render.charts.canvas import ROLES
from interviewer.report.render.pdf.text import RULE, SOFT, inline, line, styles
from interviewer.report.schema.question import Quote
from interviewer.text import shortened, visible


def p(markup: str, style: str = "body") -> Any:
    """A paragraph of markup."""
    from reportlab.platypus import Paragraph  # noqa: PLC0415

    return Paragraph(markup, styles()[style])


def space(points: float) -> Any:
    """Room of that height."""
    from reportlab.platypus import Spacer  # noqa: PLC0415

    return Spacer(1, points)


def key(entry: KeyEntry) -> str:
    """Markup of what a color or a sign of a picture means."""
    sign = {"////": "▨", "....": "▒"}.get(entry.hatch, entry.sign)
    if entry.role == "paper":
        return f"{'□' if sign == '■' else sign} {entry.meaning}"
    return f'<font color="{ROLES[entry.role]}">{sign}</font> {entry.meaning}'


def heading(title: str, style: str, level: int) -> Iterator[Any]:
    """A heading and its bookmark, ``level`` deep in the outline."""
    from interviewer.report.render.pdf.page_frame import Bookmark  # noqa: PLC0415

    short = shortened(" ".join(visible(title).split()), 120)
    yield Bookmark(short, level)
    yield p(line(shortened(title, 240)), style)


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
