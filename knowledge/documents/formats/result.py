"""What the reader of a format hands over: Markdown with its places, or questions that need no finding."""

from __future__ import annotations

from pydantic import Field, field_validator

from serving.frozen import Frozen

MAX_TEXT = 10 * 2**20
"""Characters of text that a document may hold; a book of a thousand pages has three million."""


class Place(Frozen):
    """Where something stands in a file that has no lines of text.

    Attributes:
        page: page counted from 1.
        cell: cell of a notebook counted from 1.
        row: row of a table as a spreadsheet counts, or entry of a list, both from 1.

    """

    page: int | None = Field(default=None, ge=1)
    cell: int | None = Field(default=None, ge=1)
    row: int | None = Field(default=None, ge=1)


class Pair(Frozen):
    """A question that stands in a field of its own.

    Attributes:
        question: its text, not empty.
        answer: Markdown; empty where there is none.
        place: where it stands.
        line: its line in the file, counted from 1, where it has one.
        kind, topic, level, section: what fields of these names say, empty where there are none.

    """

    question: str = Field(min_length=1)
    answer: str = ""
    place: Place = Place()
    line: int | None = Field(default=None, ge=1)
    kind: str = ""
    topic: str = ""
    level: str = ""
    section: str = ""


class Converted(Frozen):
    """A document in a form that is read further.

    Attributes:
        text: Markdown.
        places: the line of the text, counted from 1, at which something stands, and where that is in the file;
            ascending, each counts up to the next.
        pairs: questions found by their fields; a document has either text or these.

    """

    text: str = ""
    places: tuple[tuple[int, Place], ...] = ()
    pairs: tuple[Pair, ...] = ()


class Refused(Frozen):
    """Why a document cannot be used, to be said behind its name: ``needs a password``.

    Attributes:
        why: the rest of a sentence, without its full stop; what it repeats of the document holds no character that a
            terminal obeys or that turns the direction of text.
        hint: what the person can do about it, a sentence.

    """

    why: str = Field(min_length=1)
    hint: str = ""

    @field_validator("why")
    @classmethod
    def _shown(cls, why: str) -> str:
        return "".join(character if character.isprintable() else "�" for character in why)


class UnusableError(Exception):
    """A document cannot be used; the arguments are those of ``Refused``."""

    def __init__(self, why: str, hint: str = "") -> None:
        super().__init__(why)
        self.refused = Refused(why=why, hint=hint)
