"""The frame of a mentor's pages as HTML: the head, where one came from, and what they look like. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from interviewer.web.safe_html import text

_STATIC = Path(__file__).parent.parent / "static"


def document(
    title: str,
    body: str,
    *,
    back: str,
    name: str,
    due: bool = False,
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
) -> str:
    """A page.

    Args:
        title: what it is called.
        body: what stands on it, as HTML.
        back: the address of the page before.
        name: what that one is called.
        due: whether it changes by itself.
        styles: names of further style sheets.
        scripts: names of further scripts.

    """
    looks = "".join(map(_asset, ("group.css", *styles)))
    does = "".join(f"<script>{_asset(each)}</script>" for each in ("group.js", *scripts))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{text(title)}</title><style>{looks}</style></head>"
        f"<body{' data-due' if due else ''}>"
        f'<header><a href="{back}">{text(name)}</a></header>'
        f"<main>{body}</main>{does}</body></html>"
    )


def table(label: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table, whose rows are cards where it is narrow; nothing in them is cut off.

    Args:
        label: what it is called.
        names: of its columns.
        rows: the cells of each as HTML; the first names the row, and the last is as wide as what is left.

    """
    # Without the roles, browsers take what is laid out as cards for no table.
    head = "".join(f'<th scope="col" role="columnheader">{name}</th>' for name in names)
    body = "".join(f'<tr role="row">{_cells(names, row)}</tr>' for row in rows)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{text(label)}"><table role="table">'
        f'<thead role="rowgroup"><tr role="row">{head}</tr></thead><tbody role="rowgroup">{body}</tbody></table></div>'
    )


def _cells(names: Sequence[str], row: Sequence[str]) -> str:
    wide = f' colspan="{len(names) - len(row) + 1}"' if len(row) < len(names) else ""
    cells = "".join(
        f'<td role="cell" data-label="{name}"{wide if place == len(row) - 1 else ""}>{cell}</td>'
        for place, (name, cell) in enumerate(zip(names[1:], row[1:], strict=False), 1)
    )
    return f'<th scope="row" role="rowheader">{row[0]}</th>{cells}'


@cache
def _asset(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")
