"""Quantiles of t are those of scipy."""

from __future__ import annotations

import pytest
from scipy.special import stdtrit

from interviewer.scoring.student_t import quantile


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 8, 13, 40, 101])
@pytest.mark.parametrize("probability", [0.5, 0.6, 0.9, 0.95, 0.975, 0.999])
def test_it_is_what_scipy_gives(degrees: int, probability: float) -> None:
    assert quantile(degrees, probability) == pytest.approx(stdtrit(degrees, probability), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(("degrees", "probability"), [(0, 0.9), (3, 0.4), (3, 1.0)])
def test_what_has_no_quantile_is_refused(degrees: int, probability: float) -> None:
    with pytest.raises(ValueError, match="no quantile"):
        quantile(degrees, probability)
