"""Sentences of an answer: nothing is lost, nothing is made up."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rubric.grading.evidence import LONG, select, sentences, windows


def cut(text):
    return [text[a:b] for a, b in sentences(text)]


def test_sentences_end_at_their_marks_and_lines():
    assert cut('It is a view. "Really?" Yes!\nNo copy; none.') == [
        "It is a view.",
        '"Really?"',
        "Yes!",
        "No copy;",
        "none.",
    ]


def test_names_with_dots_are_not_cut():
    assert cut("Use torch.nn.Module here. Then x.grad is set.") == ["Use torch.nn.Module here.", "Then x.grad is set."]


def test_a_run_of_words_without_full_stops_is_cut_where_one_would_breathe():
    text = "so the gradient is averaged over all the workers, " * 12
    assert len(cut(text)) > 2
    assert all(len(piece) <= LONG for piece in cut(text))


@given(st.text())
def test_every_character_but_space_is_in_exactly_one_sentence(text):
    spans = sentences(text)
    assert all(a < b for a, b in spans)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))
    covered = {n for a, b in spans for n in range(a, b)}
    assert all(n in covered for n, character in enumerate(text) if not character.isspace())


def test_windows_are_sentences_and_neighboring_pairs():
    assert windows([(0, 3), (4, 7), (8, 9)]) == [(0, 3), (4, 7), (8, 9), (0, 7), (4, 9)]


def test_a_second_span_is_selected_only_when_it_is_nearly_as_close():
    spans = [(0, 3), (4, 7), (8, 9)]
    assert select(spans, np.array([0.2, 0.9, 0.88], dtype=np.float32)) == ((4, 7), (8, 9))
    assert select(spans, np.array([0.2, 0.9, 0.5], dtype=np.float32)) == ((4, 7),)
    assert select([], np.array([], dtype=np.float32)) == ()
