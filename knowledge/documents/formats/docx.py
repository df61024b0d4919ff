"""Word files -> Markdown, by way of the HTML that mammoth makes of their styles."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element, tostring

import mammoth  # type: ignore[import-untyped]
from defusedxml.common import DefusedXmlException  # type: ignore[import-untyped]
from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]
from mammoth.transforms import paragraph as each_paragraph  # type: ignore[import-untyped]

from knowledge.documents.formats.html import to_markdown
from knowledge.documents.formats.result import ConvertedDocument, UnusableError

_MOST_EXPANDED = 100 * 2**20
_MOST_ENTRIES = 5000
_BODY = "word/document.xml"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_MONO = re.compile(r"courier|mono|consol|menlo|monaco|inconsolata|fixed|source code|cascadia", re.IGNORECASE)
_CODE_STYLE = "Interview code"
_STYLES = "\n".join(
    [
        f"p[style-name='{_CODE_STYLE}'] => pre:separator('\\n')",
        f"r[style-name='{_CODE_STYLE}'] => code",
        *(
            f"p[style-name='{name}'] => pre:separator('\\n')"
            for name in ("Code", "Source Code", "HTML Preformatted", "Preformatted Text", "Macro Text", "macro")
        ),
        "p[style-name='Title'] => h1:fresh",
        "p[style-name='Subtitle'] => p:fresh",
    ]
)


def convert(data: bytes) -> ConvertedDocument:
    """A Word file of the XML kind.

    Raises:
        UnusableError: it is no such file, needs a password, or expands to too much.

    """
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise UnusableError("needs a password, or is of the old .doc kind", "Save it as .docx without a password.")
    parts = _parts(data)
    numbered = _with_numbers(parts)
    result = mammoth.convert_to_html(
        _packed(numbered),
        style_map=_STYLES,
        transform_document=_with_code,
        ignore_empty_paragraphs=False,
        convert_image=mammoth.images.img_element(lambda _image: {}),
    )
    return ConvertedDocument(text=to_markdown(result.value, whole_page=False))


def _parts(data: bytes) -> dict[str, bytes]:
    """The parts that hold text, expanded; pictures and the like are left out."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile as error:
        raise UnusableError(
            "is not a whole Word file", "It may have been cut short; fetch or save it again."
        ) from error
    with archive:
        entries = archive.infolist()
        # What the directory says is believed where it forbids, and checked again while expanding.
        if len(entries) > _MOST_ENTRIES or sum(entry.file_size for entry in entries) > 10 * _MOST_EXPANDED:
            raise _bomb()
        parts: dict[str, bytes] = {}
        left = _MOST_EXPANDED
        for entry in entries:
            if not entry.filename.endswith((".xml", ".rels")):
                continue
            if entry.file_size > left:
                raise _bomb()
            with archive.open(entry) as file:
                content = file.read(left + 1)
            left -= len(content)
            if left < 0:
                raise _bomb()
            parts[entry.filename] = content
    if _BODY not in parts:
        raise UnusableError("is not a Word file, whatever its name says")
    return parts


def _bomb() -> UnusableError:
    return UnusableError(
        f"expands to more than {_MOST_EXPANDED // 2**20} MiB, so it is not read", "It may be meant to do harm."
    )


def _packed(parts: dict[str, bytes]) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    file.seek(0)
    return file


def _with_numbers(parts: dict[str, bytes]) -> dict[str, bytes]:
    """The parts, with the number that Word shows written before each numbered paragraph that stands alone.

    Such paragraphs are the questions of a numbered list with their answers between; as lists of one item each would
    begin at 1 again.

    Raises:
        UnusableError: the XML is damaged, or has entities that expand.

    """
    try:
        trees = {name: fromstring(content, forbid_dtd=True) for name, content in parts.items()}
    except DefusedXmlException as error:
        raise UnusableError("holds XML that refers to other files or expands itself, so it is not read") from error
    body = trees[_BODY]
    formats = _ordered(trees.get("word/numbering.xml"))
    styles = _numbered_styles(trees.get("word/styles.xml"))
    paragraphs = list(body.iter(f"{_W}p"))
    lists = [_list_of(paragraph, styles) for paragraph in paragraphs]
    counts: Counter[str] = Counter()
    for position, (paragraph, number_id) in enumerate(zip(paragraphs, lists, strict=True)):
        if number_id is None or number_id not in formats:
            continue
        counts[number_id] += 1
        beside = {lists[i] for i in (position - 1, position + 1) if 0 <= i < len(lists)}
        if number_id not in beside:
            _write_number(paragraph, formats[number_id] + counts[number_id] - 1)
    return {**parts, _BODY: tostring(body, encoding="utf-8")}


def _ordered(numbering: Element | None) -> dict[str, int]:
    """The lists whose first level counts in figures, with the number each begins at."""
    if numbering is None:
        return {}
    abstract: dict[str, int] = {}
    for definition in numbering.iter(f"{_W}abstractNum"):
        level = next(iter(definition.iter(f"{_W}lvl")), None)
        if level is not None and _value(level.find(f"{_W}numFmt")) == "decimal":
            start = _value(level.find(f"{_W}start"))
            abstract[definition.get(f"{_W}abstractNumId", "")] = int(start) if start.isdecimal() else 1
    return {
        number.get(f"{_W}numId", ""): abstract[target]
        for number in numbering.iter(f"{_W}num")
        if (target := _value(number.find(f"{_W}abstractNumId"))) in abstract
    }


def _numbered_styles(styles: Element | None) -> dict[str, str]:
    """The list of each paragraph style that has one."""
    found = styles.iter(f"{_W}style") if styles is not None else ()
    pairs = ((style.get(f"{_W}styleId", ""), _value(style.find(f"{_W}pPr/{_W}numPr/{_W}numId"))) for style in found)
    return {name: number_id for name, number_id in pairs if number_id}


def _list_of(paragraph: Element, styles: dict[str, str]) -> str | None:
    """The list in whose first level a paragraph counts."""
    properties = paragraph.find(f"{_W}pPr")
    if properties is None:
        return None
    if _value(properties.find(f"{_W}numPr/{_W}ilvl")) not in {"", "0"}:
        return None
    own = _value(properties.find(f"{_W}numPr/{_W}numId"))
    return own or styles.get(_value(properties.find(f"{_W}pStyle"))) or None


def _value(element: Element | None) -> str:
    return "" if element is None else element.get(f"{_W}val", "")


def _write_number(paragraph: Element, number: int) -> None:
    """Writes a number as text, in the place of the list's own."""
    properties = paragraph.find(f"{_W}pPr")
    if properties is None:
        return
    for name in ("numPr", "pStyle"):
        for element in properties.findall(f"{_W}{name}"):
            properties.remove(element)
    run = Element(f"{_W}r")
    text = Element(f"{_W}t", {_SPACE: "preserve"})
    text.text = f"{number}. "
    run.append(text)
    paragraph.insert(1, run)


def _with_code(document: Any) -> Any:
    """The document with its code marked, and the empty paragraphs between lines of it."""
    marked = each_paragraph(_marked)(document)
    children = list(marked.children)
    for position in range(1, len(children) - 1):
        empty = _is_paragraph(children[position]) and not list(_runs(children[position]))
        if empty and _is_code(children[position - 1]) and any(map(_is_code, children[position + 1 : position + 3])):
            children[position] = children[position].copy(style_id=None, style_name=_CODE_STYLE)
    return marked.copy(children=children)


def _is_paragraph(element: Any) -> bool:
    return type(element).__name__ == "Paragraph"


def _is_code(element: Any) -> bool:
    return _is_paragraph(element) and element.style_name == _CODE_STYLE


def _marked(paragraph: Any) -> Any:
    """A paragraph all in type of one width as code, one with some of it with that marked."""
    runs = list(_runs(paragraph))
    mono = [run for run in runs if run.font and _MONO.search(run.font)]
    if mono and len(mono) == len(runs):
        return paragraph.copy(style_id=None, style_name=_CODE_STYLE, numbering=None)
    if not mono:
        return paragraph
    children = [child.copy(style_name=_CODE_STYLE) if child in mono else child for child in paragraph.children]
    return paragraph.copy(children=children)


def _runs(paragraph: Any) -> Iterator[Any]:
    for child in paragraph.children:
        if type(child).__name__ == "Run" and child.children:
            yield child
