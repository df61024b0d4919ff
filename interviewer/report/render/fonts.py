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

_ONLY_CHANGES = {"Mn", "Me"}
"""Categories whose characters are put onto others: left out where a face lacks them."""


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
    """The text as the face can show it, each character it lacks as a box.

    Characters that are never seen are left out, among them those that turn the direction of the text around them:
    print sets every line from left to right.
    """
    known = _known(face)
    composed = unicodedata.normalize("NFC", text)
    if all(ord(character) in known or character in "\n\t" for character in composed):
        return composed
    return "".join(_shown(character, known) for character in composed)


def _shown(character: str, known: frozenset[int]) -> str:
    if ord(character) in known or character in "\n\t":
        return character
    category = unicodedata.category(character)
    return "" if category == "Cf" or category in _ONLY_CHANGES else BOX


@cache
def _known(face: str) -> frozenset[int]:
    from reportlab.pdfbase.ttfonts import TTFontFile  # noqa: PLC0415 (half a second that only print has to wait for)

    codes = TTFontFile(str(path_of(face))).charToGlyph
    return frozenset(code for code in codes if unicodedata.category(chr(code)) != "Cf")
