"""A question and its reference cut into the texts that are embedded, and the words by which it is found besides."""

from __future__ import annotations

from knowledge.model import Question

SIZE = 500
"""Characters of a reference in a chunk, about."""


def titles_of(question: Question) -> list[str]:
    """The question as shown and as spoken; one text where both are the same."""
    return list(dict.fromkeys((question.text, question.spoken)))


def chunks_of(question: Question) -> list[str]:
    """The question as put, then the reference in pieces, each with the question in front, the criteria, the title.

    The model reads 256 tokens only, and a piece alone does not say what it answers. A criterion is a short statement
    of its own. What people say about it, probes and examples, gains nothing here (docs/benchmarks/search.md).
    """
    rubric = question.rubric
    return [
        *titles_of(question),
        *(f"{question.spoken}\n{piece}" for piece in pieces(question.reference)),
        *(criterion.text for criterion in (rubric.criteria if rubric else ())),
        *([f"{_id_words(question)}: {question.title}"] if question.title else ()),
    ]


def words_for(question: Question) -> str:
    """All text of a question that a search by words looks at, what it is called and how it is put several times."""
    rubric = question.rubric
    parts = [
        *titles_of(question) * 5,
        *[question.title] * 3,
        *([_id_words(question)] * 2 if question.title else ()),
        question.topic,
        question.reference,
        question.hint,
        question.misconception,
        question.why_it_matters,
        question.step_down,
        question.follow_on,
    ]
    for criterion in rubric.criteria if rubric else ():
        examples = criterion.examples
        # What is wrong or beside the point has the subject's words as well.
        parts += [criterion.text, criterion.probe, *examples.met, *examples.contradicted, *examples.near]
    return "\n".join(parts)


def _id_words(question: Question) -> str:
    """An entry's id as words; they name the subject that its title may only allude to: ``kv-cache-memory``."""
    return question.id.replace("-", " ")


def pieces(text: str, size: int = SIZE) -> list[str]:
    """A text in pieces of about ``size`` characters, cut between lines; only a longer line is cut within."""
    result: list[str] = []
    piece = ""
    for line in text.split("\n"):
        if piece and len(piece) + len(line) > size:
            result.append(piece)
            piece = ""
        piece = f"{piece}\n{line}" if piece else line
        while len(piece) > 2 * size:
            cut = piece.rfind(" ", 0, size)
            cut = cut if cut > 0 else size
            result.append(piece[:cut])
            piece = piece[cut:].lstrip()
    return [kept.strip() for kept in (*result, piece) if kept.strip()]
