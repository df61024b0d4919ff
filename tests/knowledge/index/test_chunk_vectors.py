from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from knowledge.index import chunk_vectors
from knowledge.index.chunk_vectors import ChunkVectors, ExactVectors, RoundedVectors, of_rows
from serving.arrays import FloatArray

ROUNDING = 0.01
"""What a cosine of rounded vectors may be off."""

each_kind = pytest.mark.parametrize("kind", [ExactVectors, RoundedVectors])


def directions(count: int, dim: int = 32) -> FloatArray:
    rows = np.random.default_rng(0).standard_normal((count, dim), dtype=np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


@each_kind
@pytest.mark.parametrize("rows", [[0], [7, 3], list(range(200))])
def test_cosines_are_those_of_the_rows_asked_for(kind: Callable[[FloatArray], ChunkVectors], rows: list[int]) -> None:
    held, query = directions(200), directions(1)[0]
    found = kind(held).cosines(query, np.array(rows))
    assert np.allclose(found, held[rows] @ query, atol=ROUNDING)


@each_kind
def test_no_rows_have_no_cosines(kind: Callable[[FloatArray], ChunkVectors]) -> None:
    assert kind(directions(9)).cosines(directions(1)[0], np.array([], dtype=np.int64)).shape == (0,)


@each_kind
def test_no_other_row_is_nearer_than_the_floor(kind: Callable[[FloatArray], ChunkVectors]) -> None:
    held, query = directions(200), directions(1)[0]
    vectors = kind(held)
    near = vectors.nearest(query, 10)
    others = np.setdiff1d(np.arange(200), near.rows)
    assert len(set(near.rows)) == 10
    assert vectors.cosines(query, others).max() <= near.floor + 1e-6
    assert vectors.cosines(query, near.rows).min() == pytest.approx(near.floor, abs=1e-6)


@each_kind
@pytest.mark.parametrize("count", [200, 201])
def test_all_rows_are_given_where_no_more_are_there(kind: Callable[[FloatArray], ChunkVectors], count: int) -> None:
    near = kind(directions(200)).nearest(directions(1)[0], count)
    assert sorted(near.rows) == list(range(200))
    assert near.floor == -1


def test_equal_numbers_in_a_dimension_stay_what_they_are() -> None:
    held = np.tile(np.array([0.6, 0.8, 0.0], dtype=np.float32), (5, 1))
    assert np.allclose(RoundedVectors(held).cosines(held[0], np.arange(5)), 1.0, atol=ROUNDING)


def test_many_are_rounded_and_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    held, query = directions(200), directions(1)[0]
    whole = RoundedVectors(held).cosines(query, np.arange(200))
    monkeypatch.setattr(chunk_vectors, "_AT_ONCE", 64)
    assert np.array_equal(RoundedVectors(held).cosines(query, np.arange(200)), whole)
    assert isinstance(of_rows(held), ExactVectors)
    monkeypatch.setattr(chunk_vectors, "EXACT", 199)
    assert isinstance(of_rows(held), RoundedVectors)
