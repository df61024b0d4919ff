"""Text as it is said aloud."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.speech.speakable_text import readable, speakable


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Why is that, and how would you get at it?", "Why is that, and how would you get at it?"),
        ("Why is `y.grad` `None`?", "Why is y dot grad None?"),
        ("What does `loss.backward()` do (e.g. here)?", "What does loss dot backward do, for example here?"),
        ("# Title\n\n- one\n- **two**", "Title one two"),
        ("See [the docs](https://example.org/x?y=1).", "See the docs."),
        ("Explain 2**10 >= 1000.", "Explain 2 to the power of 10 at least 1000."),
        ("A rate of 0.5 % of x", "A rate of 0 point 5 percent of x"),
        ("-/", "or"),
        ("1./", "or"),
        ("What is wrong?\n\n```python\nx = [1]\n```", "What is wrong? The code is on the screen."),
    ],
)
def test_markup_goes_and_symbols_become_words(text: str, said: str) -> None:
    assert speakable(text) == said


@given(st.text())
def test_nothing_is_left_that_cannot_be_said_and_saying_it_twice_changes_nothing(text: str) -> None:
    said = speakable(text)
    assert all(c.isalnum() or c in " .,;:?!'’-" for c in said)
    assert "\n" not in said
    assert speakable(said) == said


@pytest.mark.parametrize(
    ("written", "aloud"),
    [
        ("multiplies by `1 / (1 - p)`, so", "multiplies by 1 over, 1 minus p, so"),
        ("a variance of 2/n", "a variance of 2 over n"),
        ("a slope of at most 1/4", "a slope of at most 1 over 4"),
        ("an idle share of (p - 1) / (m + p - 1)", "an idle share of, p minus 1, over, m plus p minus 1"),
        ("with `step / total`", "with step over total"),
        ("read/write and and/or", "read or write and and or or"),
        ("450 GB/s each", "450 GB per second each"),
    ],
)
def test_a_quotient_is_no_choice(written: str, aloud: str) -> None:
    assert speakable(written) == aloud
    assert speakable(aloud) == aloud
    assert readable(written) == written.replace("`", "")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (
            "The map leads to a *row number*, and *recency* is a matter of keys.",
            "The map leads to a row number, and recency is a matter of keys.",
        ),
        ("A **bold** word and ***both***.", "A bold word and both."),
        (
            "It is 2*n*m, x ** 2, and a * b * c; **kwargs and *args stay.",
            "It is 2*n*m, x ** 2, and a * b * c; **kwargs and *args stay.",
        ),
    ],
)
def test_words_are_read_without_the_stars_around_them_and_formulas_keep_theirs(written: str, read: str) -> None:
    assert readable(written) == read
