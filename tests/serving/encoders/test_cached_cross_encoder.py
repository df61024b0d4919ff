"""The cross-encoder that remembers gives what the one behind it gives, and asks it once."""

import numpy as np

from serving.encoders.cached_cross_encoder import CachedCrossEncoder
from serving.encoders.cross_encoder import RELATIONS


class Lengths:
    """Reads how long the texts of a pair are."""

    def __init__(self):
        self.asked = []

    def read(self, pairs):
        self.asked += pairs
        rows = [[len(first), len(second), 0.0] for first, second in pairs]
        return np.array(rows, dtype=np.float32).reshape(-1, len(RELATIONS))


def test_each_pair_is_read_once_and_rows_stand_in_the_order_asked():
    inner = Lengths()
    cached = CachedCrossEncoder(inner)
    assert cached.read([("a", "bb"), ("aa", "b"), ("a", "bb")]).tolist() == [[1, 2, 0], [2, 1, 0], [1, 2, 0]]
    assert cached.read([("bb", "a"), ("a", "bb")]).tolist() == [[2, 1, 0], [1, 2, 0]]
    assert inner.asked == [("a", "bb"), ("aa", "b"), ("bb", "a")]


def test_no_pairs_give_no_rows():
    assert CachedCrossEncoder(Lengths()).read([]).shape == (0, len(RELATIONS))
