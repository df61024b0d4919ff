"""How the Markdown of questions and documents is parsed for a report: no raw HTML, no pictures."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt


@cache
def parser() -> MarkdownIt:
    """The parser, made once; raw HTML comes out of it as text."""
    return MarkdownIt("js-default", {"html": False}).disable("image")
