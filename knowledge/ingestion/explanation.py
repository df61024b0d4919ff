"""What was made of documents: questions that are one, references dated or wrong, what the code is. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from knowledge.index.snapshot import IndexSnapshot
from knowledge.model import CodeUse, Question, Reference, ReferenceFlag, Source
from serving.frozen import FrozenModel


class Member(FrozenModel):
    """One question of a cluster.

    Attributes:
        id: the question's id.
        question: as it is said.
        place: where it stands, for a person.
        source: where it stands.
        likeness: how surely it asks the same as the lead, 0 to 1.

    """

    id: str
    question: str
    place: str
    source: Source
    likeness: float


class Cluster(FrozenModel):
    """Questions that are asked as one.

    Attributes:
        lead: the one that is asked.
        members: the others.

    """

    lead: Member
    members: tuple[Member, ...]


class Flagged(FrozenModel):
    """A question whose reference is dated or wrong.

    Attributes:
        id: the question's id.
        question: as the document has it.
        place: where it stands, for a person.
        flags: what is the matter.

    """

    id: str
    question: str
    place: str
    flags: tuple[ReferenceFlag, ...]


class CodeCount(FrozenModel):
    """The code blocks of the references, counted.

    Attributes:
        blocks: all.
        python: those meant to be Python.
        parsing: of these, those that Python takes.
        restored: those whose lost indentation was put back.
        uses: how many need what in order to run; unlooked-at ones are not counted.

    """

    blocks: int
    python: int
    parsing: int
    restored: int
    uses: dict[CodeUse, int]


class Explanation(FrozenModel):
    """What was made of some documents.

    Attributes:
        questions: how many were found.
        clusters: those with a question of these documents.
        flagged: questions of these documents with flags.
        code: their code.

    """

    questions: int
    clusters: tuple[Cluster, ...]
    flagged: tuple[Flagged, ...]
    code: CodeCount


def explain(questions: Sequence[Question], library: IndexSnapshot) -> Explanation:
    """What was made of questions that are in a library."""
    return Explanation(
        questions=len(questions),
        clusters=tuple(_clusters(questions, library)),
        flagged=tuple(
            Flagged(id=held.id, question=held.text, place=held.source.place, flags=held.flags)
            for held in questions
            if held.flags
        ),
        code=code_count(questions),
    )


def _clusters(questions: Iterable[Question], library: IndexSnapshot) -> Iterable[Cluster]:
    seen: set[str] = set()
    for question in questions:
        references = library.references(question.id)
        lead = references[0].question_id
        if len(references) > 1 and lead not in seen:
            seen.add(lead)
            first, *others = (_member(reference, library) for reference in references)
            yield Cluster(lead=first, members=tuple(others))


def _member(reference: Reference, library: IndexSnapshot) -> Member:
    return Member(
        id=reference.question_id,
        question=library.by_id[reference.question_id].spoken,
        place=reference.source.place,
        source=reference.source,
        likeness=round(reference.likeness, 3),
    )


def code_count(questions: Sequence[Question]) -> CodeCount:
    """The code blocks of some questions' references, counted."""
    blocks = [block for question in questions for block in question.code]
    return CodeCount(
        blocks=len(blocks),
        python=sum(block.parses is not None for block in blocks),
        parsing=sum(block.parses is True for block in blocks),
        restored=sum(block.restored for block in blocks),
        uses=dict(Counter(block.use for block in blocks if block.use is not None)),
    )
