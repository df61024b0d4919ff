"""What a person may send as an answer. Pure."""

from __future__ import annotations

import unicodedata

from serving.errors import BadInputError

LONGEST_ANSWER = 20_000
"""Characters of the longest answer that is taken; about half an hour of speech."""

LONGEST_NOTES = 50_000
"""Characters of the longest notes that are kept."""

_REPLACEMENT = "\ufffd"


def clean_answer(text: str) -> str:
    """The answer as it is stored: line ends made equal, blanks around it dropped.

    Raises:
        BadInputError: it is empty, too long, or not text.

    """
    cleaned = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not cleaned:
        raise BadInputError("The answer is empty.", hint="Say or type something, or skip the question.")
    if len(cleaned) > LONGEST_ANSWER:
        raise BadInputError(
            f"The answer has {len(cleaned):,} characters; at most {LONGEST_ANSWER:,} can be taken.",
            hint="Nothing was sent; shorten it and send it again.",
        )
    _check_text(cleaned, "The answer is")
    return cleaned


def clean_notes(text: str) -> str:
    """Notes as they are stored: line ends made equal, blanks at the end dropped; may be empty.

    Raises:
        BadInputError: they are too long, or not text.

    """
    cleaned = text.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    if len(cleaned) > LONGEST_NOTES:
        raise BadInputError(
            f"The notes have {len(cleaned):,} characters; at most {LONGEST_NOTES:,} can be kept.",
            hint="They were not kept; shorten them.",
        )
    _check_text(cleaned, "The notes are")
    return cleaned


def _check_text(text: str, what: str) -> None:
    for place, character in enumerate(text, start=1):
        if character not in "\n\t" and (character == _REPLACEMENT or unicodedata.category(character) in {"Cc", "Cs"}):
            raise BadInputError(
                f"{what} not text: character {place} cannot be typed (U+{ord(character):04X}).",
                hint="It may come from a file that is not text; type it or paste the text itself.",
            )
