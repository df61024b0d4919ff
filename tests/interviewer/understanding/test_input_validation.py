"""What is taken as an answer."""

from __future__ import annotations

import pytest

from interviewer.understanding.input_validation import LONGEST_ANSWER, clean_answer
from serving.errors import BadInputError


def test_text_is_kept_but_for_blanks_around_it() -> None:
    assert clean_answer("  a\r\n\tb 😀 naïve\rc\n") == "a\n\tb 😀 naïve\nc"


@pytest.mark.parametrize("text", ["", "  \n\t "])
def test_an_empty_answer_is_refused(text: str) -> None:
    with pytest.raises(BadInputError, match="Say or type something, or skip"):
        clean_answer(text)


def test_the_limit_is_named() -> None:
    assert len(clean_answer("x" * LONGEST_ANSWER)) == LONGEST_ANSWER
    with pytest.raises(BadInputError, match=r"100,000 characters; at most 20,000"):
        clean_answer("x" * 100_000)


@pytest.mark.parametrize("garbage", ["a\0b", "a\x1b[31mb", "a\x7fb", "a\ufffdb", f"a{chr(0xD800)}b"])
def test_what_cannot_be_typed_is_refused_with_its_place(garbage: str) -> None:
    with pytest.raises(BadInputError, match="character 2 cannot be typed"):
        clean_answer(garbage)
