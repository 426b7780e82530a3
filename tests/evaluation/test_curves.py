"""ROC and calibration curves against their definitions."""

import numpy as np
import pytest
from scipy.stats import mannwhitneyu, norm

from infimum.evaluation import area_under_roc, calibration_curve, roc_curve


@pytest.fixture
def scored(rng):
    positive = rng.uniform(size=300) < 0.3
    return positive, rng.normal(size=300) + 1.2 * positive


@pytest.mark.syllabus("S4A-111")
def test_the_roc_curve_moves_the_threshold_over_all_scores(scored):
    positive, scores = scored
    curve = roc_curve(positive, scores)
    ends = (curve.false_positive_rate[[0, -1]], curve.true_positive_rate[[0, -1]])
    np.testing.assert_array_equal(ends, [[0, 1], [0, 1]])
    for low, high, threshold in zip(
        curve.false_positive_rate,
        curve.true_positive_rate,
        curve.thresholds,
        strict=True,
    ):
        alarmed = scores >= threshold
        assert low == alarmed[~positive].mean()
        assert high == alarmed[positive].mean()


@pytest.mark.syllabus("S4A-111")
def test_two_normal_classes_have_the_area_of_the_binormal_formula(rng):
    n = 20_000
    positive = np.arange(2 * n) < n
    scores = np.where(positive, rng.normal(1, 2, 2 * n), rng.normal(0, 1, 2 * n))
    expected = norm.cdf(1 / np.sqrt(5))
    # Four standard errors of an area estimated from n pairs of each class.
    assert roc_curve(positive, scores).area == pytest.approx(expected, abs=4 / n**0.5)


@pytest.mark.syllabus("S4A-113")
def test_the_area_is_the_mann_whitney_statistic_with_half_ties(rng):
    positive = rng.uniform(size=200) < 0.4
    scores = np.round(rng.normal(size=200) + positive, 1)
    statistic = mannwhitneyu(scores[positive], scores[~positive]).statistic
    pairs = positive.sum() * (~positive).sum()
    area = area_under_roc(positive, scores, [False, True])
    assert area == pytest.approx(statistic / pairs)
    # Scores that know nothing are right for half of the pairs.
    lot = area_under_roc(rng.uniform(size=4000) < 0.4, rng.normal(size=4000), [0, 1])
    assert lot == pytest.approx(0.5, abs=4 * np.sqrt(4001 / (12 * 1600 * 2400)))


@pytest.mark.syllabus("S0B-264")
def test_the_area_is_the_share_of_pairs_in_the_right_order(scored):
    positive, scores = scored
    right = scores[~positive][:, None] < scores[positive][None, :]
    area = area_under_roc(positive, scores, [False, True])
    assert area == pytest.approx(right.mean())


def test_many_classes_average_their_areas_and_leave_absent_ones_out(rng):
    truth = rng.choice(["a", "b"], 100)
    scores = rng.normal(size=(100, 3))
    expected = np.mean(
        [roc_curve(truth == c, scores[:, i]).area for i, c in enumerate("ab")]
    )
    assert area_under_roc(truth, scores, ["a", "b", "c"]) == pytest.approx(expected)
    assert np.isnan(area_under_roc(["a", "a"], scores[:2], ["a", "b", "c"]))


def test_probabilities_that_are_true_are_calibrated(rng):
    promised = rng.uniform(size=20_000)
    happened = rng.uniform(size=20_000) < promised
    curve = calibration_curve(happened, promised, groups=10)
    assert curve.counts.sum() == 20_000
    # Each group of 2,000 has a standard error of at most 0.5 / sqrt(2000).
    assert np.abs(curve.promised - curve.observed).max() < 4 * 0.5 / np.sqrt(2000)
    assert curve.expected_error < 0.02


def test_overconfident_probabilities_show_in_the_curve(rng):
    happened = rng.uniform(size=4_000) < 0.5
    promised = np.where(rng.uniform(size=4_000) < 0.5, 0.9, 0.1)
    assert calibration_curve(happened, promised).expected_error > 0.35


def test_equal_promises_stay_in_one_group():
    curve = calibration_curve([1, 0, 1, 1], [0.5] * 4)
    np.testing.assert_array_equal(curve.counts, [4])
    np.testing.assert_array_equal(curve.observed, [0.75])
