"""The document formats there are.

To add one: a module with a function from bytes to ``ConvertedDocument``, and an entry in ``FORMATS``. What may be
given, the help sentences, the process that reads files and the manifest follow from the entries.
"""

from __future__ import annotations

from serving.frozen import FrozenModel


class DocumentFormat(FrozenModel):
    """A format of documents.

    Attributes:
        name: the format's.
        suffixes: endings of its files, lower case, with the dot.
        converter: ``module:function``, imported in that process only; empty for text, which needs no converter.
        label: what a person calls it.
        libraries: distributions whose versions decide what is read.

    """

    name: str
    suffixes: tuple[str, ...]
    converter: str
    label: str
    libraries: tuple[str, ...] = ()


_HERE = "knowledge.documents.formats"

FORMATS: tuple[DocumentFormat, ...] = (
    DocumentFormat(
        name="pdf",
        suffixes=(".pdf",),
        converter=f"{_HERE}.pdf:convert",
        label="PDF",
        libraries=("pdfplumber", "pdfminer.six"),
    ),
    DocumentFormat(
        name="html",
        suffixes=(".html", ".htm", ".xhtml"),
        converter=f"{_HERE}.html:convert",
        label="HTML",
        libraries=("beautifulsoup4", "lxml", "markdownify"),
    ),
    DocumentFormat(
        name="docx", suffixes=(".docx",), converter=f"{_HERE}.docx:convert", label="Word", libraries=("mammoth",)
    ),
    DocumentFormat(
        name="notebook",
        suffixes=(".ipynb",),
        converter=f"{_HERE}.notebook:convert",
        label="notebooks",
        libraries=("nbformat",),
    ),
    DocumentFormat(
        name="text",
        suffixes=(".md", ".markdown", ".txt"),
        converter="",
        label="Markdown and text",
        libraries=("markdown-it-py",),
    ),
    DocumentFormat(
        name="csv",
        suffixes=(".csv", ".tsv"),
        converter=f"{_HERE}.question_tables:of_csv",
        label="tables of questions",
    ),
    DocumentFormat(
        name="json",
        suffixes=(".json",),
        converter=f"{_HERE}.question_tables:of_json",
        label="tables of questions",
    ),
    DocumentFormat(
        name="jsonl",
        suffixes=(".jsonl", ".ndjson"),
        converter=f"{_HERE}.question_tables:of_jsonl",
        label="tables of questions",
    ),
)
"""All formats, in the order in which a person is told of them."""

MAX_BYTES = 100 * 2**20
"""Bytes of a file of any format; pictures in a PDF or a Word file may take much of it."""


def suffixes() -> frozenset[str]:
    """Returns the endings of all files that can be read."""
    return frozenset(suffix for each in FORMATS for suffix in each.suffixes)


def format_of(suffix: str) -> DocumentFormat | None:
    """Returns the format of files with that ending; ``None`` for an unknown one."""
    return next((each for each in FORMATS if suffix in each.suffixes), None)


def known() -> str:
    """Returns what can be read, in a sentence for the person."""
    *labels, last = dict.fromkeys(each.label for each in FORMATS)
    return f"Documents are {', '.join(labels)} and {last}: {', '.join(sorted(suffixes()))}."


def libraries() -> tuple[str, ...]:
    """Returns the distributions whose versions decide what is read."""
    return tuple(library for each in FORMATS for library in each.libraries)
