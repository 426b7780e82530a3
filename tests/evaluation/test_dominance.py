"""ROC curves that lie above one another, and curves that cross."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infimum.evaluation import compare_roc, roc_curve


def normal_scores(rng, distance, spread, n=400):
    truth = np.repeat([0, 1], n)
    scores = np.concatenate(
        [rng.standard_normal(n), distance + spread * rng.standard_normal(n)]
    )
    return truth, scores


@pytest.mark.syllabus("S4A-112")
def test_a_better_classifier_dominates_and_unequal_spreads_cross(rng):
    truth, strong = normal_scores(rng, 2.5, 1.0)
    weak = strong + 2.0 * rng.standard_normal(len(strong))
    assert compare_roc(roc_curve(truth, strong), roc_curve(truth, weak)).first
    perfect = roc_curve(truth, truth)
    above = compare_roc(perfect, roc_curve(truth, strong))
    assert above.verdict == "first"
    assert "everywhere" in above.sentence
    # A wide positive class finds some positives early and others late.
    _, wide = normal_scores(rng, 1.0, 3.0)
    _, narrow = normal_scores(rng, 1.0, 0.5)
    crossing = compare_roc(roc_curve(truth, wide), roc_curve(truth, narrow))
    assert crossing.verdict == "crossing"
    assert crossing.first[0][0] < crossing.second[0][0]
    assert "The first is better" in crossing.sentence


@pytest.mark.syllabus("S4A-112")
@given(st.integers(0, 10_000))
def test_the_stretches_are_where_each_curve_is_higher(seed):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.repeat([0, 1], 6))
    curves = [roc_curve(truth, rng.integers(0, 6, 12)) for _ in range(2)]
    found = compare_roc(*curves)
    rates = (np.arange(997) + 0.3183) / 997  # misses every breakpoint
    heights = [
        np.interp(rates, c.false_positive_rate, c.true_positive_rate) for c in curves
    ]
    for sign, stretches in ((1, found.first), (-1, found.second)):
        listed = np.zeros(len(rates), bool)
        for low, high in stretches:
            listed |= (low < rates) & (rates < high)
        np.testing.assert_array_equal(listed, sign * (heights[0] - heights[1]) > 1e-12)
    mirrored = compare_roc(*curves[::-1])
    assert (mirrored.first, mirrored.second) == (found.second, found.first)


def test_a_curve_equals_itself(rng):
    curve = roc_curve(*normal_scores(rng, 1.0, 1.0))
    same = compare_roc(curve, curve)
    assert same.verdict == "equal"
    assert json.loads(json.dumps(same.to_dict()))["verdict"] == "equal"
