"""What a web page says itself: its tree without what stands around its text, its questions made headings."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, Comment, Doctype, Tag

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


def drop_furniture(soup: BeautifulSoup) -> None:
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
    names = [*classes_of(tag), str(tag.get("id") or "")]
    return any(part in _AROUND for name in names for part in re.split(r"[-_\s]+", name.lower()))


def _only_links(tag: Tag) -> bool:
    """Whether a list leads to other places and says nothing itself."""
    items = tag.find_all("li")
    if len(items) < 3:
        return False
    linked = sum(len(link.get_text(strip=True)) for link in tag.find_all("a"))
    return linked > 0.8 * max(1, len(tag.get_text(strip=True)))


def root_of(soup: BeautifulSoup) -> Tag:
    """The element that holds the page's own text: ``main`` or the only ``article``, where most of the text is there."""
    body = soup.body or soup
    for found in (soup.find_all("main"), soup.select("[role=main]"), soup.find_all("article")):
        if len(found) == 1 and 2 * len(found[0].get_text()) > len(body.get_text()):
            return found[0]
    return body


def unfold(soup: BeautifulSoup) -> None:
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
    _unlist(soup)
    _free_code(soup)
    for tag in soup.find_all(_HEADINGS):
        for inner in list(tag.find_all(["button", "strong", "b"])):
            inner.unwrap()


def _unlist(soup: BeautifulSoup) -> None:
    """Takes questions that are items of a list, with their answers, out of it."""
    for tag in soup.find_all(["ol", "ul"]):
        items = [item for item in tag.find_all("li", recursive=False) if isinstance(item, Tag)]
        if any(item.find(_HEADINGS, recursive=False) or _is_answered(item) for item in items):
            for number, item in enumerate(items, 1):
                first = item.find("p", recursive=False)
                if tag.name == "ol" and _is_answered(item) and first is not None:
                    first.insert(0, f"{number}. ")
                item.name = "div"
            tag.name = "div"


def _free_code(soup: BeautifulSoup) -> None:
    """Takes code out of the tables that pages set it in."""
    # A table around code holds line numbers beside it and says nothing itself.
    for tag in soup.find_all("table"):
        code = [pre for pre in tag.find_all("pre") if not re.fullmatch(r"[\d\s]+", pre.get_text())]
        if code:
            tag.replace_with(*(pre.extract() for pre in code))
    for tag in soup.find_all("pre"):
        for line_break in tag.find_all("br"):
            line_break.replace_with("\n")


def _is_answered(item: Tag) -> bool:
    """Whether an item of a list is a question with its answer below it."""
    blocks = [child for child in item.children if isinstance(child, Tag)]
    return len(blocks) > 1 and blocks[0].name == "p" and _asks(blocks[0])


def _asks(tag: Tag) -> bool:
    return tag.get_text(strip=True).endswith("?")


def classes_of(tag: Tag) -> list[str]:
    """The classes of an element."""
    return [str(name) for name in tag.get_attribute_list("class") if name]
