"""The fonts of print: DejaVu, out of matplotlib's own package, and what they can show."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from serving.errors import StorageError

FACES = {
    "sans": "DejaVuSans.ttf",
    "sans-bold": "DejaVuSans-Bold.ttf",
    "sans-italic": "DejaVuSans-Oblique.ttf",
    "mono": "DejaVuSansMono.ttf",
}
"""File of each face by the name it has here."""

BOX = "□"
"""Stands for a character that no face has."""

_NOTHING = {"Cf", "Mn", "Me"}
"""Categories whose characters only change others: left out where a face lacks them."""

_REDIRECTING = {0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069}
"""Characters that turn the direction of the text around them; print sets every line from left to right."""


def path_of(face: str) -> Path:
    """The file of a face.

    Raises:
        StorageError: matplotlib's package is incomplete.

    """
    package = find_spec("matplotlib")
    folder = Path(package.origin or "").parent if package else Path()
    path = folder / "mpl-data" / "fonts" / "ttf" / FACES[face]
    if not path.exists():
        raise StorageError(f"The font {path} is not there.", hint="Install the requirements again: make run")
    return path


def printable(text: str, face: str = "sans") -> str:
    """The text as the face can show it: a box for each character it lacks, nothing for what only changes others."""
    known = _known(face)
    if all(ord(character) in known or character in "\n\t" for character in text):
        return text
    return "".join(_shown(character, known) for character in unicodedata.normalize("NFC", text))


def _shown(character: str, known: frozenset[int]) -> str:
    if ord(character) in _REDIRECTING:
        return ""
    if ord(character) in known or character in "\n\t":
        return character
    return "" if unicodedata.category(character) in _NOTHING else BOX


@cache
def _known(face: str) -> frozenset[int]:
    from reportlab.pdfbase.ttfonts import TTFontFile  # noqa: PLC0415 (half a second that only print has to wait for)

    return frozenset(TTFontFile(str(path_of(face))).charToGlyph) - _REDIRECTING
