"""PDF -> Markdown, by what a page looks like: larger type is a heading, type of one width is code, and so on.

pdfplumber gives the characters with their fonts and places; ``glyphs`` makes lines of them and ``typeset`` says
what the lines are.
"""

from __future__ import annotations

import io
import logging

import pdfplumber
from pdfminer.pdfdocument import PDFPasswordIncorrect
from pdfplumber.pdf import PDF
from pdfplumber.utils.exceptions import PdfminerException

from knowledge.documents.formats.encoding import too_long
from knowledge.documents.formats.pdf_glyphs import Line, columns, lines_of, without_furniture
from knowledge.documents.formats.pdf_layout import markdown
from knowledge.documents.formats.result import MAX_TEXT, ConvertedDocument, UnusableError

_PICTURES_HINT = "Run text recognition (OCR) on it first, or copy the questions into a text file."


def convert(data: bytes) -> ConvertedDocument:
    """A PDF with text in it.

    Raises:
        UnusableError: it needs a password, holds no text, or is no PDF.

    """
    # What the library thinks of a document's fonts is of no use to the person.
    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    if b"%PDF-" not in data[:1024]:
        raise UnusableError("is not a PDF, whatever its name says")
    try:
        with pdfplumber.open(io.BytesIO(data)) as pdf:
            pages, pictures = _read(pdf)
    except PdfminerException as error:
        if isinstance(error.args[0] if error.args else None, PDFPasswordIncorrect):
            raise UnusableError("needs a password", "Save a copy without one and give that.") from error
        raise
    _check_text(pages, pictures)
    return markdown(without_furniture(pages))


def _read(pdf: PDF) -> tuple[list[list[Line]], int]:
    """The lines of each page in reading order, and how many pictures there are."""
    pages: list[list[Line]] = []
    pictures = characters = 0
    if not pdf.pages:
        raise UnusableError("has no pages, so it is damaged or cut short")
    for number, page in enumerate(pdf.pages, 1):
        chars = [char for char in page.dedupe_chars().chars if char.get("upright", True)]
        characters += len(chars)
        if characters > MAX_TEXT:
            raise too_long(characters)
        pictures += len(page.images)
        height, width = float(page.height), float(page.width)
        pages.append([line for part in columns(chars, width) for line in lines_of(part, number, height)])
        page.close()
    return pages, pictures


def _check_text(pages: list[list[Line]], pictures: int) -> None:
    text = "".join(line.text for lines in pages for line in lines)
    letters = sum(character.isalnum() for character in text)
    if letters < 20 and pictures:
        raise UnusableError("holds pictures of pages and no text", _PICTURES_HINT)
    if not letters:
        raise UnusableError("holds no text", _PICTURES_HINT)
    if 5 * text.count("(cid:") > max(1, len(text)) / 8:
        raise UnusableError("has fonts that do not say which letters they show", _PICTURES_HINT)
