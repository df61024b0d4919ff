"""Plain text, shortened and capitalized."""

from __future__ import annotations

from interviewer.text import capitalized, shortened


def test_the_middle_is_left_out_between_two_words() -> None:
    assert shortened("alpha beta gamma delta", 22) == "alpha beta gamma delta"
    assert shortened("alpha beta gamma delta epsilon", 20) == "alpha beta […] epsilon"
    assert shortened("alphabetagammadelta", 10) == "alpha […] delta"


def test_only_the_first_letter_becomes_a_capital() -> None:
    assert capitalized("the GPU waits") == "The GPU waits"
    assert capitalized("") == ""
