"""Rows are computed once while they are used, and forgotten when they are not."""

import numpy as np

from serving.idle import IDLE_S
from serving.remembered import RememberedRows


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_a_row_that_is_used_stays_and_one_that_is_not_goes():
    clock, computed = Clock(), []

    def lengths(keys):
        computed.extend(keys)
        return np.array([[len(key)] for key in keys], dtype=np.float32)

    known = RememberedRows(10, clock)
    known.rows(["kept", "left"], lengths)
    clock.now = 0.6 * IDLE_S
    known.rows(["kept"], lengths)
    clock.now = 1.2 * IDLE_S
    rows = known.rows(["kept", "left"], lengths)
    assert computed == ["kept", "left", "left"]
    assert [float(row[0]) for row in rows] == [4, 4]


def test_a_row_does_not_hold_what_was_computed_with_it():
    (row,) = RememberedRows(10).rows(["a"], lambda keys: np.zeros((len(keys), 5), dtype=np.float32))
    assert row.base is None
