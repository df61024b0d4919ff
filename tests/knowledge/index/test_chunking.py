from __future__ import annotations

from knowledge.index.chunking import SIZE, chunks_of, pieces, titles_of, words_for
from knowledge.model import Question, Source
from rubric.model import Criterion, Examples, Rubric


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


def test_a_banks_question_is_found_by_its_criteria_too() -> None:
    examples = Examples(met=("Only leaves.",), contradicted=("Every tensor.",), near=("Backward walks.",))
    criterion = Criterion(id="c", text="Leaves keep it.", probe="Which keep it?", examples=examples)
    question = Question(
        id="autograd-leaf-grad",
        title="The gradient that is not there",
        text="Shown?",
        spoken="Spoken?",
        reference="Answer.",
        topic="autograd",
        hint="A hint.",
        source=Source(path="x"),
        rubric=Rubric(criteria=(criterion,)),
    )
    assert chunks_of(question) == [
        "Shown?",
        "Spoken?",
        "Spoken?\nAnswer.",
        "Leaves keep it.",
        "autograd leaf grad: The gradient that is not there",
    ]
    assert chunks_of(question)[: len(titles_of(question))] == titles_of(question)
    for words in (
        "Shown?",
        "Spoken?",
        "Answer.",
        "autograd",
        "A hint.",
        "Leaves keep it.",
        "Which keep",
        "Only leaves.",
        "Every tensor.",
        "Backward walks.",
        "autograd leaf grad",
    ):
        assert words in words_for(question)
