from __future__ import annotations

import pytest

from rubric.spelling import american, american_text, british


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("optimiser", "optimizer"),
        ("Quantisation", "Quantization"),
        ("renormalised", "renormalized"),
        ("neighbouring", "neighboring"),
        ("behaviour", "behavior"),
        ("unlabelled", "unlabeled"),
        ("centred", "centered"),
        ("centimetres", "centimeters"),
        ("analysed", "analyzed"),
        ("Learnt", "Learned"),
        ("towards", "toward"),
    ],
)
def test_a_british_word_has_an_american_spelling(word: str, expected: str) -> None:
    assert american(word) == expected


ONE_SPELLING = """
    exercise precise noise raises supervised four hour contour realistic emphasis analyses filled controlled core scored
    wise otherwise promise surprised elementwise rolling dialogue tortoise where required centered
"""


@pytest.mark.parametrize("word", ONE_SPELLING.split())
def test_a_word_that_has_one_spelling_stays(word: str) -> None:
    assert american(word) == word


def test_british_words_are_named_once_and_code_is_left_alone() -> None:
    text = "The optimiser's colour and its colour. `optimiser.step()` stays.\n\n```python\nneighbours = 1\n```\n\nGrey."
    assert list(british(text)) == ["optimiser", "colour", "Grey"]


def test_texts_that_differ_in_spelling_alone_become_equal() -> None:
    assert american_text("It normalises each neighbour.") == american_text("It normalizes each neighbor.")
    assert american_text("It normalises each row.") != american_text("It normalizes each column.")
