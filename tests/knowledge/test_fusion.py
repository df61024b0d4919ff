from __future__ import annotations

import numpy as np
import pytest

from knowledge.fusion import MEANING, fuse


def test_meaning_and_words_are_weighed() -> None:
    scores = fuse(np.array([1.0, 0.5, 0.0], dtype=np.float32), np.array([8.0, 4.0, 0.0], dtype=np.float32))
    assert scores == pytest.approx([1.0, 0.5, 0.0])


def test_words_decide_among_equal_meanings() -> None:
    scores = fuse(np.array([0.4, 0.4], dtype=np.float32), np.array([1.0, 3.0], dtype=np.float32))
    assert scores[1] - scores[0] == pytest.approx((1 - MEANING) * 2 / 3)


@pytest.mark.parametrize("size", [0, 3])
def test_without_words_meaning_alone_counts(size: int) -> None:
    meaning = np.linspace(-1, 1, size, dtype=np.float32)
    assert fuse(meaning, np.zeros(size, dtype=np.float32)) == pytest.approx(MEANING * meaning)
