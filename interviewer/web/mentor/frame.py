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


@cache
def _asset(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")
