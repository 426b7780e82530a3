"""Residual summaries."""

import numpy as np
import pytest
from sklearn import metrics

from infimum.evaluation import summarize_residuals


@pytest.mark.syllabus("S4A-010")
def test_the_summary_averages_losses_over_the_rows(rng):
    truth = rng.normal(size=50)
    predicted = truth + rng.normal(size=50) + 0.5
    summary = summarize_residuals(truth, predicted)
    squares = (truth - predicted) ** 2
    assert summary.root_mean_square**2 == pytest.approx(squares.sum() / 50)
    assert summary.mean_absolute == pytest.approx(np.abs(truth - predicted).sum() / 50)
    assert summary.explained == pytest.approx(metrics.r2_score(truth, predicted))
    assert summary.bias == pytest.approx(np.mean(truth - predicted))
    assert summary.worst == np.abs(truth - predicted).max()
    assert summary.quartiles[0] < summary.quartiles[1] < summary.quartiles[2]


def test_a_target_that_does_not_vary_has_nothing_to_explain():
    assert summarize_residuals([2.0, 2.0], [2.0, 3.0]).explained == 0.0
    assert summarize_residuals([2.0], [2.5]).explained == 0.0
