"""What the reader of a format hands over: Markdown with its places, or questions that need no finding."""

from __future__ import annotations

from pydantic import Field, field_validator

from serving.frozen import FrozenModel

MAX_TEXT = 10 * 2**20
"""Characters of text that a document may hold; a book of a thousand pages has three million."""

MAX_QUESTIONS = 5_000
"""Questions that one document may hold. Telling which of so many ask the same takes 600 MB and some ten seconds, of
20,000 1.7 GB and more than a minute (two cores)."""

MAX_QUESTION = 8_000
"""Characters of a question."""

MAX_ANSWER = 200_000
"""Characters of the answer to a question, with all else that is kept of it."""

MAX_TAG = 300
"""Characters of a topic or of a heading above a question."""


class Place(FrozenModel):
    """Where something stands in a file that has no lines of text.

    Attributes:
        page: page counted from 1.
        cell: cell of a notebook counted from 1.
        row: row of a table as a spreadsheet counts, or entry of a list, both from 1.

    """

    page: int | None = Field(default=None, ge=1)
    cell: int | None = Field(default=None, ge=1)
    row: int | None = Field(default=None, ge=1)


class QuestionPair(FrozenModel):
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


class ConvertedDocument(FrozenModel):
    """A document in a form that is read further.

    Attributes:
        text: Markdown.
        places: the line of the text, counted from 1, at which something stands, and where that is in the file;
            ascending, each counts up to the next.
        pairs: questions found by their fields; a document has either text or these.
        left_out: what of the pairs was left out since it is too long, a phrase each.

    """

    text: str = ""
    places: tuple[tuple[int, Place], ...] = ()
    pairs: tuple[QuestionPair, ...] = ()
    left_out: tuple[str, ...] = ()


class ConversionRefused(FrozenModel):
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


def excess(question: str, answer: str, *tags: str) -> str:
    """Which part of a question is longer than it may be, and by how much, as a phrase; empty where none is."""
    for name, characters, most in (
        ("the question", len(question), MAX_QUESTION),
        ("the answer", len(answer), MAX_ANSWER),
        ("a heading or topic", max(map(len, tags), default=0), MAX_TAG),
    ):
        if characters > most:
            return f"{name} has {characters:,} characters, the most is {most:,}"
    return ""


def too_many(questions: int) -> UnusableError:
    """The error about a document of more than ``MAX_QUESTIONS`` questions."""
    return UnusableError(
        f"holds more than {MAX_QUESTIONS:,} questions ({questions:,} were counted), the most for one file",
        "Split it into smaller files.",
    )


class UnusableError(Exception):
    """A document cannot be used; the arguments are those of ``ConversionRefused``."""

    def __init__(self, why: str, hint: str = "") -> None:
        super().__init__(why)
        self.refused = ConversionRefused(why=why, hint=hint)
