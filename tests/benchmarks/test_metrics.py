"""Figures of a grader: what it credits on average."""

from __future__ import annotations

import numpy as np
import pytest

from tests.benchmarks.metrics import CONTRADICTED, MET, MISSING, PARTIAL, hearing


def test_what_a_judge_credits_on_average_and_how_widely_credits_scatter() -> None:
    labels = np.array([MET, MET, MISSING, CONTRADICTED, PARTIAL])
    chances = np.zeros((5, 4))
    chances[:, MET] = [0.9, 0.7, 0.1, 0.3, 0.5]
    chances[:, MISSING] = 1 - chances[:, MET]
    floor, ceiling, dispersion = hearing(labels, chances, np.arange(5))
    assert (floor, ceiling) == (pytest.approx(0.2), pytest.approx(0.8))
    # Each of four credits is off by .1, where all-or-nothing ones would be by .4, and one of even odds by .5.
    assert dispersion == pytest.approx(0.04 / (4 * 0.16 + 0.25))


def test_errors_that_go_together_scatter_more_than_those_that_cancel() -> None:
    labels = np.array([MET, MET, MISSING, MISSING])
    chances = np.zeros((4, 4))
    chances[:, MET] = [0.9, 0.7, 0.3, 0.1]
    together, apart = (hearing(labels, chances, np.array(answers))[2] for answers in ([0, 1, 0, 1], [0, 0, 1, 1]))
    assert together > apart == pytest.approx(0.0)
