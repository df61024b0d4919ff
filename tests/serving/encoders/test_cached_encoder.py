"""The embedder that remembers gives what the one behind it gives, and asks it once."""

import numpy as np

from serving.encoders.cached_encoder import CachedEmbedder
from tests.rubric.doubles import BagOfWords, Recording


def test_each_text_is_embedded_once_and_rows_stand_in_the_order_asked():
    inner = Recording()
    cached = CachedEmbedder(inner)
    first = cached.embed(["a b", "c", "a b"])
    second = cached.embed(["c", "d"])
    assert inner.asked == ["a b", "c", "d"]
    assert np.array_equal(first, BagOfWords().embed(["a b", "c", "a b"]))
    assert np.array_equal(second[0], first[1])
    assert cached.name == inner.name


def test_no_texts_give_no_rows():
    assert CachedEmbedder(BagOfWords()).embed([]).shape == (0, BagOfWords.dim)
