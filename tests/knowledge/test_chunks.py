from __future__ import annotations

from knowledge.chunks import SIZE, chunks_of, pieces
from knowledge.model import Question, Source


def test_pieces_lose_no_word_and_stay_near_the_size() -> None:
    text = "\n".join(f"line {n} " + "word " * (n % 40) for n in range(120)) + "\n" + "x" * 3000 + " end"
    cut = pieces(text)
    assert "".join(cut).replace(" ", "").replace("\n", "") == text.replace(" ", "").replace("\n", "")
    assert max(map(len, cut)) <= 2 * SIZE


def test_the_question_stands_alone_once_and_before_every_piece() -> None:
    question = Question(id="q", text="What?", spoken="What?", reference="a\n" * 600, topic="t", source=Source(path="x"))
    first, *others = chunks_of(question)
    assert first == "What?"
    assert len(others) == 3
    assert all(chunk.startswith("What?\n") for chunk in others)
