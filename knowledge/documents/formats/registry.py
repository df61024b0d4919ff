"""Which formats there are, and how their files end."""

from __future__ import annotations

FORMATS = {
    ".pdf": "pdf",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".docx": "docx",
    ".ipynb": "notebook",
    ".csv": "csv",
    ".tsv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
"""The format of a file by its ending, lower case."""

TEXT = frozenset({".md", ".markdown", ".txt"})
"""Endings of files that are Markdown or plain text as they stand."""

SUFFIXES = TEXT | FORMATS.keys()
"""Endings of all files that can be read."""

MAX_BYTES = 100 * 2**20
"""Bytes of a file of any format; pictures in a PDF or a Word file may take much of it."""
