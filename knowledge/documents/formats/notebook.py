"""Jupyter notebooks: Markdown cells as they stand, code cells as fences, outputs left out."""

from __future__ import annotations

import json
import re

import nbformat
from nbformat.reader import NotJSONError

from knowledge.documents.formats.encoding import clean, decode
from knowledge.documents.formats.result import ConvertedDocument, Place, UnusableError

_NEWEST = 4


def convert(data: bytes) -> ConvertedDocument:
    """A notebook of any version up to 4.

    Raises:
        UnusableError: it is no notebook, or one of a version that is not known.

    """
    text = decode(data)
    version = _version(text)
    if not 1 <= version <= _NEWEST:
        raise UnusableError(
            f"is a notebook of version {version}; versions 1 to {_NEWEST} are known", "Save it in version 4."
        )
    try:
        notebook = nbformat.reads(text, as_version=_NEWEST)  # type: ignore[no-untyped-call]
    except (NotJSONError, nbformat.ValidationError, KeyError, AttributeError) as error:
        raise UnusableError(f"is not a whole notebook ({type(error).__name__})") from error
    language = str(notebook.metadata.get("kernelspec", {}).get("language") or "python").lower()
    lines: list[str] = []
    places: list[tuple[int, Place]] = []
    for number, cell in enumerate(notebook.cells, 1):
        source = clean("".join(cell.source))
        if not source.strip() or cell.cell_type not in {"markdown", "code"}:
            continue
        places.append((len(lines) + 1, Place(cell=number)))
        lines += [*(source.split("\n") if cell.cell_type == "markdown" else _fenced(source, language)), ""]
    return ConvertedDocument(text="\n".join(lines), places=tuple(places))


def _version(text: str) -> int:
    try:
        top = json.loads(text)
    except ValueError as error:
        raise UnusableError("is not a whole notebook: it is not JSON") from error
    version = top.get("nbformat") if isinstance(top, dict) else None
    if not isinstance(version, int):
        raise UnusableError("is not a notebook: it names no format version")
    return version


def _fenced(source: str, language: str) -> list[str]:
    longest = max((len(run) for run in re.findall(r"`{3,}", source)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{language}", *source.rstrip("\n").split("\n"), fence]
