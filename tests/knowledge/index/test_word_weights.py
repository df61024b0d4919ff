"""Words are weighed as scikit-learn weighs them."""

from __future__ import annotations

import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from knowledge.index.word_weights import cosine, tf_idf

TEXTS = [["gradient", "clip", "gradient"], ["clip", "norm"], ["loss", "scale", "loss", "loss"], ["clip", "scale"]]


def test_weights_are_those_of_scikit_learn() -> None:
    library = TfidfVectorizer(analyzer=lambda words: words, sublinear_tf=True)
    table = library.fit_transform(TEXTS).toarray()
    for row, weights in zip(table, tf_idf(TEXTS), strict=True):
        theirs = dict(zip(library.get_feature_names_out(), row, strict=True))
        assert weights == pytest.approx({word: weight for word, weight in theirs.items() if weight})


def test_a_text_without_words_has_no_weights() -> None:
    assert tf_idf([[], ["a"]]) == [{}, {"a": 1.0}]


def test_texts_are_as_alike_as_their_rows_of_scikit_learn() -> None:
    table = TfidfVectorizer(analyzer=lambda words: words, sublinear_tf=True).fit_transform(TEXTS)
    wanted = (table @ table.T).toarray()
    weights = [*tf_idf([*TEXTS]), {}]
    for row, one in zip(wanted, weights[:-1], strict=True):
        assert [cosine(one, other) for other in weights] == pytest.approx([*row, 0.0])
