"""HTML -> Markdown: the page's own text, without what stands around it on every page."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, Comment, Doctype, Tag
from markdownify import MarkdownConverter

from knowledge.formats.converted import Converted, UnusableError
from knowledge.formats.text import decode

_DEEPEST = 200
"""Elements within one another; pages people write have thirty, and what makes Markdown of them calls itself."""

_NO_TEXT = [
    "script", "style", "noscript", "template", "iframe", "object", "svg", "canvas", "form", "button", "input", "select",
    "textarea", "dialog", "nav", "aside", "footer", "img", "picture", "video", "audio", "head",
]  # fmt: skip
_ROLES = {"navigation", "complementary", "banner", "contentinfo", "search", "dialog", "menu", "menubar", "tablist"}
_AROUND = {
    "ad", "ads", "advert", "adverts", "advertisement", "sponsor", "sponsored", "promo", "newsletter", "subscribe",
    "related", "recommended", "share", "sharing", "social", "breadcrumb", "breadcrumbs", "sidebar", "cookie", "cookies",
    "comments", "toc", "menu", "popup", "modal", "banner", "pagination", "gutter", "lineno", "linenos", "linenodiv",
    "headerlink", "nav", "navbar", "navigation", "footer",
}  # fmt: skip
"""Words in the class or id of elements that stand around a page's text."""

_HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]
_LANGUAGE = re.compile(r"(?:lang(?:uage)?|highlight(?:-source)?|brush:?|sourceCode)[- ]?(?P<name>[A-Za-z+#]+)")


def convert(data: bytes) -> Converted:
    """A page.

    Raises:
        UnusableError: it is no text, or nested too deeply.

    """
    return Converted(text=to_markdown(_decoded(data), whole_page=True))


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
        _drop_furniture(soup)
    _unfold(soup)
    root = _root(soup) if whole_page else soup
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
            for name in _classes(tag):
                if match := _LANGUAGE.fullmatch(name):
                    return "" if match["name"].lower() in {"none", "text", "plaintext"} else match["name"].lower()
    return ""


def _classes(tag: Tag) -> list[str]:
    return [str(name) for name in tag.get_attribute_list("class") if name]


def _drop_furniture(soup: BeautifulSoup) -> None:
    """Removes what is no text of the page's own: scripts, navigation, adverts, what is hidden."""
    for element in soup.find_all(string=lambda text: isinstance(text, Comment | Doctype)):
        element.extract()
    for tag in soup.find_all(_NO_TEXT):
        # A page whose whole text stands in such an element has it for its text.
        if tag.name in {"form", "dialog", "aside", "footer"} and _is_most(tag, soup):
            continue
        tag.decompose()
    whole = len(soup.get_text())
    for tag in soup.find_all(_is_around):
        if not tag.decomposed and 3 * len(tag.get_text()) < whole:
            tag.decompose()
    for tag in soup.find_all("header"):
        if not tag.find(_HEADINGS):
            tag.decompose()
    for tag in soup.find_all(["ul", "ol"]):
        if not tag.decomposed and _only_links(tag):
            tag.decompose()


def _is_most(tag: Tag, soup: BeautifulSoup) -> bool:
    return 2 * len(tag.get_text()) > len(soup.get_text())


def _is_around(tag: Tag) -> bool:
    if tag.name in {"html", "body", "main", "article"}:
        return False
    style = str(tag.get("style") or "").replace(" ", "").lower()
    if tag.has_attr("hidden") or tag.get("aria-hidden") == "true" or "display:none" in style:
        # An answer that a click unfolds is hidden until then.
        return len(tag.get_text()) < 80 or bool(_ROLES & {str(tag.get("role"))})
    if tag.get("role") in _ROLES:
        return True
    names = [*_classes(tag), str(tag.get("id") or "")]
    return any(part in _AROUND for name in names for part in re.split(r"[-_\s]+", name.lower()))


def _only_links(tag: Tag) -> bool:
    """Whether a list leads to other places and says nothing itself."""
    items = tag.find_all("li")
    if len(items) < 3:
        return False
    linked = sum(len(link.get_text(strip=True)) for link in tag.find_all("a"))
    return linked > 0.8 * max(1, len(tag.get_text(strip=True)))


def _root(soup: BeautifulSoup) -> Tag:
    """The element that holds the page's own text: ``main`` or the only ``article``, where most of the text is there."""
    body = soup.body or soup
    for found in (soup.find_all("main"), soup.select("[role=main]"), soup.find_all("article")):
        if len(found) == 1 and 2 * len(found[0].get_text()) > len(body.get_text()):
            return found[0]
    return body


def _unfold(soup: BeautifulSoup) -> None:
    """Makes headings of the questions that are folded, defined or listed with their answers."""
    level = min(int(max((tag.name for tag in soup.find_all(_HEADINGS)), default="h2")[1]), 6)
    for tag in soup.find_all("summary"):
        if _asks(tag):
            tag.name = f"h{level}"
        else:
            tag.decompose()
    for tag in soup.find_all("dt"):
        if _asks(tag):
            tag.name = f"h{level}"
    for tag in soup.find_all(["ol", "ul"]):
        items = [item for item in tag.find_all("li", recursive=False) if isinstance(item, Tag)]
        if any(item.find(_HEADINGS, recursive=False) for item in items):
            for item in items:
                item.name = "div"
            tag.name = "div"
    for tag in soup.find_all("pre"):
        for line_break in tag.find_all("br"):
            line_break.replace_with("\n")
    for tag in soup.find_all(_HEADINGS):
        for inner in list(tag.find_all(["button", "strong", "b"])):
            inner.unwrap()


def _asks(tag: Tag) -> bool:
    return tag.get_text(strip=True).endswith("?")
