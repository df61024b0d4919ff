"""A question and its reference cut into the texts that are embedded."""

from __future__ import annotations

from knowledge.model import Question

SIZE = 500
"""Characters of a reference in a chunk, about."""


def chunks_of(question: Question) -> list[str]:
    """The question as shown and as spoken, then its reference in pieces, each with the question in front.

    The model reads 256 tokens only, and a piece alone does not say what it answers.
    """
    alone = list(dict.fromkeys((question.text, question.spoken)))
    return [*alone, *(f"{question.spoken}\n{piece}" for piece in pieces(question.reference))]


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
