"""HTML -> Markdown; ``webpage`` says what of a page is its own text."""

from __future__ import annotations

import re

# BeautifulSoup is given its parser by name only; imported here, its absence is told as such and not as a damaged page.
import lxml.etree  # type: ignore[import-untyped]  # noqa: F401
from bs4 import BeautifulSoup, Tag
from markdownify import MarkdownConverter

from knowledge.documents.formats.encoding import decode
from knowledge.documents.formats.html_boilerplate import classes_of, drop_furniture, root_of, unfold
from knowledge.documents.formats.result import ConvertedDocument, UnusableError

_DEEPEST = 200
"""Elements within one another; pages people write have thirty, and what makes Markdown of them calls itself."""

_LANGUAGE = re.compile(r"(?:lang(?:uage)?|highlight(?:-source)?|brush:?|sourceCode)[- ]?(?P<name>[A-Za-z+#]+)")


def convert(data: bytes) -> ConvertedDocument:
    """A page.

    Raises:
        UnusableError: it is no text, or nested too deeply.

    """
    return ConvertedDocument(text=to_markdown(_decoded(data), whole_page=True))


def _decoded(data: bytes) -> str:
    declared = re.search(
        rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w-]+)|encoding=[\"']([\w-]+)", data[:4096], re.IGNORECASE
    )
    if declared:
        try:
            return decode(data.decode((declared[1] or declared[2]).decode()).encode())
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(data)


def to_markdown(html: str, *, whole_page: bool) -> str:
    """HTML as Markdown.

    Args:
        html: a page, or a piece of one.
        whole_page: look for the page's own text in it.

    Raises:
        UnusableError: it is nested too deeply.

    """
    soup = BeautifulSoup(html, "lxml")
    if _depth(soup) > _DEEPEST:
        raise UnusableError(f"is nested too deeply: more than {_DEEPEST} elements within one another")
    if whole_page:
        drop_furniture(soup)
    unfold(soup)
    root = root_of(soup) if whole_page else soup
    text = _Converter(
        heading_style="ATX",
        bullets="-",
        escape_asterisks=False,
        escape_underscores=False,
        escape_misc=False,
        strip=["a", "img"],
        code_language_callback=_language,
    ).convert_soup(root)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t\u00a0]+\n", "\n", text)).strip("\n") + "\n"


def _depth(soup: BeautifulSoup) -> int:
    """The most elements within one another."""
    deepest = 0
    level: list[Tag] = [soup]
    while level:
        level = [child for tag in level for child in tag.children if isinstance(child, Tag)]
        deepest += bool(level)
    return deepest


class _Converter(MarkdownConverter):
    """Markdown as this product's documents are written."""

    def convert_dt(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A term: a paragraph of its own."""
        return f"\n\n{text.strip()}\n\n"

    def convert_dd(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """What is said about a term, not indented."""
        return f"\n\n{text.strip()}\n\n"


def _language(element: Tag) -> str:
    """The language of a ``pre``, from its own class or that of what stands around it or in it."""
    inner = element.find("code")
    for tag in (inner, element, element.parent, element.parent.parent if element.parent else None):
        if isinstance(tag, Tag):
            for name in classes_of(tag):
                if match := _LANGUAGE.fullmatch(name):
                    return "" if match["name"].lower() in {"none", "text", "plaintext"} else match["name"].lower()
    return ""
