"""Intervals of scores: as wide as the doubt, and wide enough to hold."""

import numpy as np
import pytest

from rubric.grading.uncertainty import (
    HELD,
    OPPOSED_LESS,
    Limits,
    as_in_interviews,
    fit_spread,
    is_confident,
    score_interval,
    standard_error,
)
from rubric.model import Criterion, CriterionVerdict, Rubric, Verdict

RUBRIC = Rubric(criteria=(Criterion(id="a", text="One.", weight=3), Criterion(id="b", text="Two.", weight=1)))


def verdict(name, credit, **more):
    if credit is None:
        return CriterionVerdict(id=name, credit=None, verdict=Verdict.UNSCORED, sure=False, **more)
    return CriterionVerdict(id=name, credit=credit, verdict=Verdict.MISSING, sure=True, contradicted=0.0)


def test_certain_verdicts_leave_no_room():
    assert score_interval(RUBRIC, (verdict("a", 1.0), verdict("b", 0.0)), 2.0) == (0.75, 0.75)


def test_even_odds_leave_the_most_room_and_the_ends_stay_scores():
    narrow = score_interval(RUBRIC, (verdict("a", 0.9), verdict("b", 0.5)), 1.0)
    wide = score_interval(RUBRIC, (verdict("a", 0.5), verdict("b", 0.5)), 1.0)
    assert wide[1] - wide[0] > narrow[1] - narrow[0] > 0
    assert score_interval(RUBRIC, (verdict("a", 0.5), verdict("b", 0.5)), 9.0) == (0.0, 1.0)


def test_without_a_score_there_is_no_interval_and_waived_criteria_do_not_count():
    assert score_interval(RUBRIC, (verdict("a", 0.5), verdict("b", None)), 1.0) is None
    waived = score_interval(RUBRIC, (verdict("a", 0.5), verdict("b", None, waived=True)), 0.5)
    assert waived == (0.25, 0.75)
    assert score_interval(RUBRIC, (verdict("a", None, waived=True), verdict("b", None, waived=True)), 1.0) is None


def test_the_fitted_spread_holds_its_share_of_true_scores():
    rng = np.random.default_rng(0)
    answers = np.repeat(np.arange(400), 5)
    earned = rng.uniform(0.05, 0.95, 2000).astype(np.float32)
    truths = (rng.uniform(size=2000) < earned).astype(np.float32)
    weights = rng.integers(1, 4, 2000).astype(np.float32)
    spread = fit_spread(earned, truths, weights, answers)
    assert spread == pytest.approx(1.64, abs=0.2)
    held = []
    for answer in range(400):
        of = answers == answer
        error = abs(((earned[of] - truths[of]) * weights[of]).sum() / weights[of].sum())
        held.append(error <= spread * standard_error(earned[of], weights[of]) + 1e-6)
    assert np.mean(held) == pytest.approx(HELD, abs=0.01)


LIMITS = Limits(credit=0.8, opposed=0.15, denial=0.15, contradiction=0.9)


@pytest.mark.parametrize(
    ("chances", "sure"),
    [
        ((0.75, 0.10, 0.10, 0.05), True),
        ((0.65, 0.10, 0.20, 0.05), False),  # credit near its limit
        ((0.80, 0.03, 0.01, 0.16), False),  # credit over a likely contradiction
        ((0.05, 0.05, 0.70, 0.20), True),
        ((0.10, 0.10, 0.70, 0.10), False),
        ((0.02, 0.02, 0.05, 0.91), True),
        ((0.02, 0.02, 0.11, 0.85), False),  # no credit is certain here, that the opposite was said is not
    ],
)
def test_each_verdict_is_sure_from_a_limit_of_its_own(chances, sure):
    assert is_confident(np.array(chances), LIMITS) is sure


def test_contradictions_are_as_rare_as_in_interviews():
    chances = np.array([[0.5, 0.1, 0.2, 0.2], [0.1, 0.05, 0.05, 0.8], [0.0, 0.0, 0.0, 1.0]], dtype=np.float32)
    found = as_in_interviews(chances)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-6)
    odds, before = found[:, 3] / (1 - found[:, 3] + 1e-9), chances[:, 3] / (1 - chances[:, 3] + 1e-9)
    np.testing.assert_allclose(odds[:2], OPPOSED_LESS * before[:2], rtol=1e-4)
    # The other verdicts keep their shares.
    np.testing.assert_allclose(found[0, :3] / found[0, :3].sum(), chances[0, :3] / chances[0, :3].sum(), rtol=1e-5)
    assert found[2, 3] == 1.0
