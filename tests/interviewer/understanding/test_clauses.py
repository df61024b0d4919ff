"""Where something that can be quoted alone may begin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.understanding.clauses import clauses


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("The loop runs, and then the leaf keeps it.", ["The loop runs", "and then the leaf keeps it"]),
        ("It copies the data because the strides differ.", ["It copies the data", "because the strides differ"]),
        ("The weights and the buffers are saved.", ["The weights", "and the buffers are saved"]),
        ("Weights and buffers are saved here.", ["Weights and buffers are saved here"]),
        ("It adds up. So clear it first, always.", ["It adds up", "So clear it first"]),
    ],
)
def test_clauses_begin_where_one_may_stop(text: str, begins: list[str]) -> None:
    found = clauses(text)
    assert len(found) == len(begins)
    assert all(text[start:end].startswith(begin) for (start, end), begin in zip(found, begins, strict=True))


@given(st.text("ab ,;.?and\n", max_size=80))
def test_every_clause_is_a_piece_of_the_text(text: str) -> None:
    for start, end in clauses(text):
        assert 0 <= start < end <= len(text)
