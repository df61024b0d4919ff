"""The bytes of a text file -> its text."""

from __future__ import annotations

from charset_normalizer import from_bytes

from knowledge.documents.formats.result import MAX_TEXT, UnusableError

_MAGIC = {
    b"%PDF-": "a PDF",
    b"PK\x03\x04": "a zip archive or an Office document",
    b"\xd0\xcf\x11\xe0": "an old Office document",
    b"{\\rtf": "a rich text file",
    b"\x1f\x8b": "a gzip archive",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\x7fELF": "a program",
}
_HINT = "If its name has the wrong ending, give it the right one."


def decode(data: bytes) -> str:
    """The text of any common encoding, without a byte order mark.

    Raises:
        UnusableError: it is no text, or too much.

    """
    for start, what in _MAGIC.items():
        if data.startswith(start):
            raise UnusableError(f"is not a text file but {what}", _HINT)
    if len(data) > 4 * MAX_TEXT:
        raise too_long(len(data))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = _guessed(data)
    if "\x00" in text:
        raise UnusableError("is not a text file", _HINT)
    if len(text) > MAX_TEXT:
        raise too_long(len(text))
    return text


def _guessed(data: bytes) -> str:
    # A NUL outside UTF-16 and UTF-32 never occurs in text, whatever a guess by letter frequency says.
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    best = None if b"\x00" in data and not wide else from_bytes(data).best()
    if best is None:
        raise UnusableError("is not a text file", _HINT)
    return str(best)


def clean(text: str) -> str:
    """A text out of escapes or fonts without what no text may hold: NUL and halves of characters."""
    return text.replace("\x00", " ").encode("utf-8", "replace").decode()


def too_long(characters: int, most: int = MAX_TEXT) -> UnusableError:
    """The error about a text of more characters than it may have."""
    return UnusableError(
        f"holds too much text: {characters / 2**20:.0f} million characters, the most is {most / 2**20:.0f} million",
        "Split it into smaller files.",
    )
