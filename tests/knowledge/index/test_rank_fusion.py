from __future__ import annotations

import numpy as np
import pytest

from knowledge.index.rank_fusion import MEANING, OTHER_KIND, fuse, mean_of_best

NONE = np.zeros(3, dtype=np.bool_)


def test_meaning_and_words_are_weighed() -> None:
    scores = fuse(np.array([1.0, 0.5, 0.0], dtype=np.float32), np.array([8.0, 4.0, 0.0], dtype=np.float32), NONE)
    assert scores == pytest.approx([1.0, 0.5, 0.0])


def test_words_decide_among_equal_meanings() -> None:
    scores = fuse(np.array([0.4, 0.4], dtype=np.float32), np.array([1.0, 3.0], dtype=np.float32), NONE[:2])
    assert scores[1] - scores[0] == pytest.approx((1 - MEANING) * 2 / 3)


@pytest.mark.parametrize("size", [0, 3])
def test_without_words_meaning_alone_counts(size: int) -> None:
    meaning = np.linspace(-1, 1, size, dtype=np.float32)
    assert fuse(meaning, np.zeros(size, dtype=np.float32), NONE[:size]) == pytest.approx(MEANING * meaning)


def test_another_kind_than_is_asked_for_goes_behind_what_fits_about_as_well() -> None:
    meaning, words = np.array([0.5, 0.55, 0.9], dtype=np.float32), np.zeros(3, dtype=np.float32)
    plain, asked = fuse(meaning, words, NONE), fuse(meaning, words, np.array([False, True, True]))
    assert plain - asked == pytest.approx([0, OTHER_KIND, OTHER_KIND])
    assert [*np.argsort(-plain)] == [2, 1, 0]
    assert [*np.argsort(-asked)] == [2, 0, 1]


def test_the_best_few_of_each_owner_count() -> None:
    values = np.array([0.1, 0.9, 0.3, 0.8, 0.4, 0.7, 0.2], dtype=np.float32)
    owners = np.array([2, 0, 0, 0, 0, 2, 0])
    best = (0.9 + 0.8 + 0.4 + 0.3) / 4
    assert mean_of_best(values, owners, 4) == pytest.approx([best, -1.0, (0.1 + 0.7) / 2, -1.0])


def test_without_chunks_nothing_is_near() -> None:
    assert mean_of_best(np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.int64), 2) == pytest.approx([-1.0, -1.0])
