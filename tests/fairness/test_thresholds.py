"""Group thresholds and derived predictors: fairness in hindsight."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from infimum.errors import DataError, InvalidParameterError
from infimum.fairness import (
    crossing_thresholds,
    derive,
    derive_from_rates,
    group_thresholds,
    measure_disparity,
    trade_off,
)


def lenders(rng, n=600, shift=(1.5, 1.0), base=(0.6, 0.4)):
    group = rng.integers(0, 2, n)
    truth = (rng.random(n) < np.asarray(base)[group]).astype(int)
    scores = truth * np.asarray(shift)[group] + rng.standard_normal(n)
    return scores, truth, group


@pytest.mark.syllabus("S4B-138")
def test_the_programme_of_four_probabilities_has_the_known_answer():
    found = derive_from_rates([0.9, 0.6], [0.3, 0.2], [0.5, 0.5], [0.5, 0.5])
    np.testing.assert_allclose(found.keep["0"], (0.0, 2 / 3), atol=1e-9)
    np.testing.assert_allclose(found.keep["1"], (0.0, 1.0), atol=1e-9)
    assert found.error_before == pytest.approx(0.25)
    assert found.error == pytest.approx(0.30)
    for rates in found.rates.values():
        np.testing.assert_allclose(rates, (0.6, 0.2), atol=1e-9)


@pytest.mark.syllabus("S4B-138")
def test_derived_decisions_have_the_promised_rates_on_the_data(rng):
    scores, truth, group = lenders(rng, 20_000)
    said = (scores > 0.6).astype(int)
    before = measure_disparity(said, group, truth, "separation")
    found = derive(said, truth, group)
    after = found.choose(said, group, seed=1).astype(int)
    gap = measure_disparity(after, group, truth, "separation").difference
    assert gap < 0.03
    assert before.difference > 0.1
    assert np.mean(after != truth) == pytest.approx(found.error, abs=0.01)
    assert found.error >= found.error_before
    # Equal opportunity asks for less and costs less.
    assert derive(said, truth, group, "opportunity").error <= found.error + 1e-12
    with pytest.raises(DataError, match="No rule for group"):
        found.choose([1], ["nobody"])


@pytest.mark.syllabus("S4B-139")
def test_where_roc_curves_cross_two_thresholds_equalise_both_error_rates(rng):
    # Binormal curves: one group narrow, one wide; they cross where
    # Φ(μ + z) = Φ((m + z)/s), that is at z = (m - sμ)/(s - 1).
    n, mean, wide_mean, spread = 20_000, 1.0, 1.6, 2.0
    truth = np.tile([0, 1], n)
    group = np.repeat([0, 1], n)
    narrow = np.where(truth[:n] == 1, mean + rng.standard_normal(n), 0)
    narrow = np.where(truth[:n] == 1, narrow, rng.standard_normal(n))
    wide = np.where(truth[n:] == 1, wide_mean + spread * rng.standard_normal(n), 0)
    wide = np.where(truth[n:] == 1, wide, rng.standard_normal(n))
    found = crossing_thresholds(np.concatenate([narrow, wide]), truth, group)
    crossing = norm.cdf((wide_mean - spread * mean) / (spread - 1))
    assert not found.randomized
    assert found.disparity < 0.002
    for rates in found.rates.values():
        assert rates["false positive rate"] == pytest.approx(crossing, abs=0.05)
    chosen = found.choose(np.concatenate([narrow, wide]), group)
    gap = measure_disparity(chosen.astype(int), group, truth, "separation")
    assert gap.difference == pytest.approx(found.disparity)


@pytest.mark.syllabus("S4B-140")
def test_where_curves_do_not_cross_chance_equalises_the_rates(rng):
    scores, truth, group = lenders(rng, 4000, shift=(3.0, 1.0))
    with pytest.raises(DataError, match="do not cross"):
        # One group is always better told apart: perfect against noise.
        crossing_thresholds(
            [0, 1, 2, 3, 0, 1, 0.5, 0.6], [0, 0, 1, 1, 0, 1, 1, 0], [0] * 4 + [1] * 4
        )
    found = group_thresholds(scores, truth, group, "separation", randomized=True)
    assert found.randomized
    assert found.disparity == pytest.approx(0.0, abs=1e-9)
    for shares in found.shares.values():
        assert sum(shares) == pytest.approx(1.0)
    # The common point lies under both curves: on the hull of the worse group.
    rates = found.rates["1"]
    better = group_thresholds(
        scores[group == 1], truth[group == 1], group[group == 1], randomized=True
    )
    assert better.accuracy >= (
        np.mean(truth[group == 1]) * rates["true positive rate"]
        + np.mean(truth[group == 1] == 0) * (1 - rates["false positive rate"])
        - 1e-9
    )
    chosen = found.choose(scores, group, seed=3).astype(int)
    gap = measure_disparity(chosen, group, truth, "separation")
    assert gap.difference < 0.06
    assert np.mean(chosen == truth) == pytest.approx(found.accuracy, abs=0.02)


@pytest.mark.syllabus("S4B-140", "S4B-142")
def test_chance_gives_fair_rules_more_accuracy_than_any_fixed_thresholds(rng):
    scores, truth, group = lenders(rng, 400, shift=(2.5, 0.8))
    fixed = group_thresholds(scores, truth, group, "separation")
    mixed = group_thresholds(scores, truth, group, "separation", randomized=True)
    assert mixed.accuracy > fixed.accuracy + 0.05
    assert fixed.disparity <= 0.02


@settings(max_examples=20)
@given(
    seed=st.integers(0, 10_000),
    aim=st.sampled_from(["independence", "opportunity", "predictive equality"]),
    tolerance=st.sampled_from([0.0, 0.1, 0.3]),
)
def test_fixed_thresholds_are_the_best_by_enumeration(seed, aim, tolerance):
    rng = np.random.default_rng(seed)
    scores, truth, group = lenders(rng, 24)
    group[:2], truth[:4] = [0, 1], [0, 0, 1, 1]
    group[2:4] = [0, 1]
    found = group_thresholds(scores, truth, group, aim, tolerance=tolerance)
    names = {
        "independence": slice(None),
        "opportunity": truth == 1,
        "predictive equality": truth == 0,
    }
    best, rows = 0.0, np.zeros(24, bool)
    rows[names[aim]] = True
    # Rates can be asked to agree up to one row of the smaller group.
    allowed = max(tolerance, 1 / min(np.bincount(group[rows])))
    cuts = [np.append(np.unique(scores[group == g]), np.inf) for g in (0, 1)]
    for first in cuts[0]:
        for second in cuts[1]:
            chosen = scores >= np.where(group == 0, first, second)
            gap = abs(
                chosen[rows & (group == 0)].mean() - chosen[rows & (group == 1)].mean()
            )
            if gap <= allowed + 1e-12:
                best = max(best, np.mean(chosen == truth))
    assert found.accuracy == pytest.approx(best)
    assert found.disparity <= allowed + 1e-9
    assert np.mean(found.choose(scores, group) == truth) == pytest.approx(best)


@pytest.mark.syllabus("S4B-141")
@pytest.mark.parametrize("randomized", [False, True])
@pytest.mark.parametrize("aim", ["independence", "separation"])
def test_fairness_costs_accuracy_and_the_curve_rises(aim, randomized, rng):
    curve = trade_off(*lenders(rng, 300), aim, points=6, randomized=randomized)
    assert (np.diff(curve.accuracies) >= -1e-12).all()
    finest = 0.0 if randomized else 0.02
    assert (curve.disparities <= np.maximum(curve.tolerances, finest) + 1e-9).all()
    assert curve.price > 0
    assert (curve.low <= curve.accuracies).all()
    assert (curve.accuracies <= curve.high).all()
    json.dumps(curve.to_dict())
    np.testing.assert_allclose(curve.plot().data[0].y, curve.accuracies)


@pytest.mark.syllabus("S4B-141")
def test_fresh_rows_tell_what_thresholds_are_worth():
    # Scores that say nothing: thresholds chosen on 60 rows look better than a coin.
    flattered, honest, inside = [], [], []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        scores, group = rng.normal(size=(2, 60)), rng.integers(0, 2, (2, 60))
        truth = rng.integers(0, 2, (2, 60))
        chosen, fresh = zip(scores, truth, group, strict=True)
        own = trade_off(*chosen, points=3)
        curve = trade_off(*chosen, points=3, fresh=fresh)
        flattered.append(own.accuracies[-1])
        honest.append(curve.accuracies[-1])
        inside.append(curve.low[-1] <= 0.5 <= curve.high[-1])
        assert curve.n == 60
        assert curve.price_low <= curve.price <= curve.price_high
        assert [r.thresholds for r in own.rules] == [r.thresholds for r in curve.rules]
    assert np.mean(flattered) > 0.56
    assert abs(np.mean(honest) - 0.5) < 4 * np.std(honest) / 30**0.5
    assert sum(inside) >= 26


def test_three_groups_and_words_for_labels(rng):
    group = rng.choice(["x", "y", "z"], 300)
    truth = np.where(rng.random(300) < 0.5, "yes", "no")
    scores = (truth == "yes") + rng.standard_normal(300)
    rule = group_thresholds(
        scores, truth, group, tolerance=0.05, favourable="yes", randomized=True
    )
    assert set(rule.thresholds) == {"x", "y", "z"}
    assert rule.disparity <= 0.05 + 1e-9
    with pytest.raises(DataError, match="No threshold for group"):
        rule.choose([0.0], ["w"])
    with pytest.raises(InvalidParameterError, match="aim"):
        group_thresholds(scores, truth, group, "goodness")
    with pytest.raises(DataError, match="2 groups"):
        crossing_thresholds(scores, truth, group, favourable="yes")
    with pytest.raises(DataError, match="finite"):
        group_thresholds([np.nan, 1.0], [0, 1], [0, 1])
