"""Questions and where they come from, as frozen models. Nothing here reads or writes."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePath

from pydantic import Field, field_validator

from rubric.coding.task import CodingTask
from rubric.model import Rubric
from serving.frozen import FrozenModel


class Kind(StrEnum):
    """What sort of answer a question wants."""

    CONCEPT = "concept"
    CODING = "coding"
    DEBUGGING = "debugging"
    SYSTEM_DESIGN = "system design"
    BEHAVIORAL = "behavioral"

    @classmethod
    def _missing_(cls, value: object) -> Kind | None:
        """The kind that an older name in a journal, an index, or a document stands for."""
        renamed = _RENAMED.get(value) if isinstance(value, str) else None
        return cls(renamed) if renamed is not None else None


_RENAMED = {"behavioural": "behavioral"}
"""Kinds and topics by the names that they had before, which journals, indexes, and documents still hold."""


def kind_named(name: str) -> Kind | None:
    """The kind of that name, its present or its older one; ``None`` where there is none."""
    try:
        return Kind(name)
    except ValueError:
        return None


def topic_name(topic: str) -> str:
    """A topic by its present name."""
    return _RENAMED.get(topic.casefold(), topic)


class Level(StrEnum):
    """Seniority, in rising order."""

    JUNIOR = "junior"
    MID = "mid"
    SENIOR = "senior"
    STAFF = "staff"


def levels_apart(one: Level | None, other: Level | None) -> int:
    """Steps between two levels; one where either is not known."""
    order = list(Level)
    return 1 if one is None or other is None else abs(order.index(one) - order.index(other))


class Source(FrozenModel):
    """Where a question stands.

    Attributes:
        path: the file as the person named it; bank files by their name alone.
        line: first line of the question, counted from 1, for text formats.
        page: page counted from 1, for paged formats.
        cell: cell counted from 1, for notebooks.
        row: row as a spreadsheet counts it, or entry of a list, from 1.
        section: headings above it, outermost first.

    """

    path: str
    line: int | None = Field(default=None, ge=1)
    page: int | None = Field(default=None, ge=1)
    cell: int | None = Field(default=None, ge=1)
    row: int | None = Field(default=None, ge=1)
    section: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The place in words for a person: ``notes.pdf, page 3 (Basics › Tensors)``."""
        named = (("page", self.page), ("cell", self.cell), ("row", self.row), ("line", self.line))
        where = [self.path, *(f"{name} {number}" for name, number in named if number)]
        return ", ".join(where) + (f" ({' › '.join(self.section)})" if self.section else "")

    @property
    def title(self) -> str:
        """What stands there, for whoever thinks in documents and not in files: ``Basics › Tensors, page 3``.

        Without headings it is the document's name without its ending.
        """
        named = (("page", self.page), ("cell", self.cell), ("row", self.row))
        name = " › ".join(self.section) or PurePath(self.path).stem
        return ", ".join([name, *(f"{part} {number}" for part, number in named if number)])


class CodeUse(StrEnum):
    """What a block of code needs in order to run."""

    RUNNABLE = "runnable"
    NEEDS_GPU = "needs-GPU"
    NEEDS_DISTRIBUTED = "needs-distributed"
    FRAGMENT = "fragment"
    """Code that leans on names which neither it nor Python defines, or that is no whole program."""


class CodeBlock(FrozenModel):
    """A piece of code out of a document.

    Attributes:
        text: the code, without its fence, its indentation restored where it was lost.
        language: lower case, ``python`` where recognized so; empty when unknown.
        line: its first line in the source, counted from 1.
        lines: the source line of each line of the text; empty where they follow one another.
        parses: whether Python takes it as a program; ``None`` for other languages than Python.
        restored: whether its indentation was lost and put back.
        use: what it needs in order to run; ``None`` where nobody looked.

    """

    text: str
    language: str = ""
    line: int | None = Field(default=None, ge=1)
    lines: tuple[int, ...] = ()
    parses: bool | None = None
    restored: bool = False
    use: CodeUse | None = None


class FlagKind(StrEnum):
    """Why a reference is not to be trusted."""

    FAILS = "fails when executed"
    DEPRECATED = "deprecated API"
    WRONG = "wrong"
    CONTRADICTS_BANK = "contradicts the bank"


class ReferenceFlag(FrozenModel):
    """A dated or wrong place in a document's reference.

    Attributes:
        kind: what is the matter.
        reason: one sentence that names the place and says what is so instead.
        line: the place in the source, counted from 1, where there is one.

    """

    kind: FlagKind
    reason: str = Field(min_length=1)
    line: int | None = Field(default=None, ge=1)


class Requirement(FrozenModel):
    """What a design has to meet, which the interviewer tells to whoever asks.

    Attributes:
        about: words or short phrases; a question is about it that has all words of one.
        said: what is told, as it is said aloud.

    """

    about: tuple[str, ...] = Field(min_length=1)
    said: str = Field(min_length=1)


class Question(FrozenModel):
    """One interview question.

    Attributes:
        id: stable: the bank's own id, or a digest of path and question text for documents.
        text: as shown on the page; may hold Markdown and code.
        spoken: as said aloud: one or two sentences without symbols; equals ``text`` where nobody wrote one.
        title: the heading of a structured entry, by which it is searched for and not shown; empty for documents.
        reference: a strong answer, Markdown; empty where the document gives none.
        code: the code blocks of the reference, in order.
        kind, topic, level: what it is about and for whom.
        minutes: time it should take.
        source: where it stands.
        rubric: ``None`` for a document's question until one is derived.
        hint: one sentence that helps without giving the answer away; may be empty.
        misconception: what people typically get wrong; may be empty.
        why_it_matters: one line on why it matters at work; may be empty.
        requirements: of a design, what is told to whoever asks for it; else empty.
        change: of a design round, the change of requirements that is put half-way; empty for other questions.
        deep_dives: of a design round, the two parts of which the person chooses one to go into; else empty.
        step_down: an easier question on the same topic; may be empty.
        follow_on: a harder one; may be empty.
        task: for coding and debugging questions of the bank.
        reading: titles of further reading.
        flags: what is dated or wrong in the reference; an answer is never marked down for contradicting it.

    """

    id: str = Field(min_length=1)
    text: str = Field(min_length=1)
    spoken: str = Field(min_length=1)
    title: str = ""
    reference: str = ""
    code: tuple[CodeBlock, ...] = ()
    kind: Kind = Kind.CONCEPT
    topic: str = Field(min_length=1)
    level: Level | None = None
    minutes: int = Field(default=4, ge=1, le=60)
    source: Source
    rubric: Rubric | None = None
    hint: str = ""
    misconception: str = ""
    why_it_matters: str = ""
    requirements: tuple[Requirement, ...] = ()
    change: str = ""
    deep_dives: tuple[str, ...] = ()
    step_down: str = ""
    follow_on: str = ""
    task: CodingTask | None = None
    reading: tuple[str, ...] = ()
    flags: tuple[ReferenceFlag, ...] = ()

    @field_validator("topic")
    @classmethod
    def _present_name(cls, topic: str) -> str:
        return topic_name(topic)

    @property
    def of_bank(self) -> bool:
        """Whether it is one of ours, and not of a document of the person's."""
        return self.rubric is not None and self.rubric.origin == "bank"


class Hit(FrozenModel):
    """A question found by a search.

    Attributes:
        question: the question.
        score: how well it fits, by meaning and words together (``knowledge.index.rank_fusion``): the order of the
            hits, at most 1.
        similarity: cosine similarity of the query to the question's nearest chunk, -1 to 1.

    """

    question: Question
    score: float
    similarity: float


class Reference(FrozenModel):
    """One document's version of a question that several ask.

    Attributes:
        question_id: the question as that document has it.
        source: where it stands there.
        text: the answer it gives, Markdown; may be empty.
        flags: what is dated or wrong in that answer.
        likeness: how surely it asks the same as the lead, 0 to 1; 1 for the lead itself.

    """

    question_id: str
    source: Source
    text: str
    flags: tuple[ReferenceFlag, ...]
    likeness: float
