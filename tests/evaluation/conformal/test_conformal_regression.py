"""Conformal intervals contain the truth as often as they promise."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.evaluation import (
    ConformalRegressor,
    CrossConformalRegressor,
    conformal_rank,
    conformal_threshold,
    measure_coverage,
)
from infimum.models.linear import QuantileRegressor, Ridge


def funnel(rng, n):
    """Draw rows whose noise grows with the first column."""
    X = rng.uniform(0, 1, (n, 2))
    return X, X @ [1.0, -2.0] + (0.1 + 2 * X[:, 0]) * rng.standard_normal(n)


@given(n=st.integers(1, 200), coverage=st.floats(0.01, 0.99))
def test_the_rank_is_the_least_that_keeps_the_promise(n, coverage):
    rank = conformal_rank(n, coverage)
    assert rank / (n + 1) >= coverage - 1e-9
    assert (rank - 1) / (n + 1) < coverage


@given(st.integers(0, 10_000), st.integers(5, 40), st.sampled_from([0.5, 0.8, 0.9]))
def test_among_exchangeable_scores_each_is_covered_equally_often(seed, n, coverage):
    # Every one of n + 1 values in turn is the new one: exactly rank of them, or all,
    # lie within the threshold of the others, whatever the values.
    scores = np.random.default_rng(seed).standard_normal(n + 1)
    within = [
        scores[i] <= conformal_threshold(np.delete(scores, i), coverage)
        for i in range(n + 1)
    ]
    assert sum(within) == min(conformal_rank(n, coverage), n + 1)


@pytest.mark.parametrize("method", ["absolute", "normalized", "quantile"])
def test_intervals_keep_their_promise_on_unseen_rows(method, rng):
    learner = QuantileRegressor(alpha=0.0) if method == "quantile" else Ridge(alpha=0.1)
    X, y = funnel(rng, 3000)
    model = ConformalRegressor(learner, method=method, coverage=0.8)
    model.fit(X[:1200], y[:1200])
    found = measure_coverage(
        model.predict_interval(X[1200:]), y[1200:], 0.8, n_calibration=300
    )
    assert found.band_low <= found.measured <= found.band_high
    assert model.score(X[1200:], y[1200:]) > 0


def test_on_average_over_draws_the_coverage_is_what_was_promised(rng):
    shares = []
    for seed in range(200):
        X, y = funnel(rng, 110)
        model = ConformalRegressor(Ridge(), coverage=0.7, random_state=seed)
        model.fit(X[:60], y[:60])
        low, high = model.predict_interval(X[60:]).T
        shares.append(np.mean((low <= y[60:]) & (y[60:] <= high)))
    # 15 calibration rows: the exact coverage is 12/16.
    error = np.std(shares) / np.sqrt(200)
    assert np.mean(shares) == pytest.approx(12 / 16, abs=3.5 * error)


def test_widths_follow_the_noise_where_the_method_can(rng):
    X, y = funnel(rng, 2000)
    quiet, loud = [[0.05, 0.5]], [[0.95, 0.5]]
    widths = {}
    for method in ("absolute", "normalized", "quantile"):
        learner = QuantileRegressor(alpha=0.0) if method == "quantile" else Ridge()
        model = ConformalRegressor(learner, method=method).fit(X, y)
        widths[method] = [np.ptp(model.predict_interval(x)) for x in (quiet, loud)]
    assert widths["absolute"][0] == pytest.approx(widths["absolute"][1])
    assert widths["normalized"][1] > 2 * widths["normalized"][0]
    assert widths["quantile"][1] > 2 * widths["quantile"][0]


def test_groups_get_the_coverage_within_the_group(rng):
    groups = rng.choice(["calm", "wild"], 4000, p=[0.7, 0.3])
    X = rng.standard_normal((4000, 2))
    y = X[:, 0] + np.where(groups == "wild", 5.0, 0.5) * rng.standard_normal(4000)
    shared = ConformalRegressor(Ridge()).fit(X[:2000], y[:2000])
    apart = ConformalRegressor(Ridge()).fit(X[:2000], y[:2000], groups[:2000])
    rest = slice(2000, None)
    plain = measure_coverage(
        shared.predict_interval(X[rest]),
        y[rest],
        groups=groups[rest],
        n_calibration=500,
    )
    own = measure_coverage(
        apart.predict_interval(X[rest], groups=groups[rest]),
        y[rest],
        groups=groups[rest],
    )
    assert plain.kept
    assert not plain.groups["wild"].kept
    assert own.groups["wild"].measured == pytest.approx(0.9, abs=0.06)
    assert own.groups["calm"].measured == pytest.approx(0.9, abs=0.04)
    unknown = apart.predict_interval(X[:1], groups=["new"])
    assert np.isinf(unknown).all()
    with pytest.raises(DataError, match="alike"):
        apart.predict_interval(X[:1])


def test_a_fitted_model_is_calibrated_as_it_is(rng):
    X, y = funnel(rng, 600)
    fitted = Ridge().fit(X[:300], y[:300])
    model = ConformalRegressor(fitted, coverage=0.5).calibrate(X[300:], y[300:])
    assert model.estimator_ is fitted
    errors = np.abs(y[300:] - fitted.predict(X[300:]))
    half = np.ptp(model.predict_interval(X[:1])) / 2
    assert half == pytest.approx(conformal_threshold(errors, 0.5))
    other = Ridge(alpha=100.0).fit(X[:300], y[:300])
    assert model.set_params(estimator=other).calibrate(X, y).estimator_ is other
    model.set_params(estimator=fitted).calibrate(X[300:], y[300:])
    wide = np.ptp(model.predict_interval(X[:1], coverage=0.9)) / 2
    assert wide == pytest.approx(conformal_threshold(errors, 0.9))


def test_frames_are_calibrated_and_seeds_decide_everything(rng):
    X, y = funnel(rng, 200)
    frame = pd.DataFrame(X, columns=["a", "b"])
    first = ConformalRegressor(Ridge(), random_state=3).fit(frame, y)
    second = clone(first).fit(frame, y)
    np.testing.assert_array_equal(
        first.predict_interval(frame), second.predict_interval(frame)
    )
    other = ConformalRegressor(Ridge(), random_state=4).fit(frame, y)
    assert (first.predict_interval(frame) != other.predict_interval(frame)).any()


@pytest.mark.parametrize("n_folds", [5, "leave one out"])
def test_cross_conformal_intervals_cover_as_promised(n_folds, rng):
    X, y = funnel(rng, 1060)
    model = CrossConformalRegressor(Ridge(), n_folds=n_folds, coverage=0.8)
    model.fit(X[:60], y[:60])
    intervals = model.predict_interval(X[60:])
    covered = np.mean((intervals[:, 0] <= y[60:]) & (y[60:] <= intervals[:, 1]))
    assert covered >= 2 * 0.8 - 1
    assert covered == pytest.approx(0.8, abs=0.12)
    inside = (intervals[:, 0] <= model.predict(X[60:])) & (
        model.predict(X[60:]) <= intervals[:, 1]
    )
    assert inside.mean() > 0.99


def test_the_jackknife_is_the_order_statistic_of_its_definition(rng):
    X, y = funnel(rng, 21)
    model = CrossConformalRegressor(Ridge(), n_folds="leave one out").fit(
        X[:20], y[:20]
    )
    lows, highs = [], []
    for i in range(20):
        rest = np.delete(np.arange(20), i)
        without = Ridge().fit(X[rest], y[rest])
        error = abs(y[i] - without.predict(X[[i]])[0])
        lows.append(without.predict(X[20:])[0] - error)
        highs.append(without.predict(X[20:])[0] + error)
    rank = conformal_rank(20, 0.9)
    expected = [sorted(lows)[20 - rank], sorted(highs)[rank - 1]]
    np.testing.assert_allclose(model.predict_interval(X[20:])[0], expected)
    assert np.isinf(model.predict_interval(X[20:], coverage=0.99)).all()


def test_a_pair_learns_the_two_quantiles(rng):
    X, y = funnel(rng, 200)
    pair = QuantileRegressor(quantile=0.1), QuantileRegressor(quantile=0.9)
    model = ConformalRegressor(pair, method="quantile").fit(X, y)
    low, high = model.predict_interval(X).T
    assert (low < high).all()


def test_what_cannot_be_calibrated_is_refused(rng):
    X, y = funnel(rng, 30)
    with pytest.raises(InvalidParameterError, match="coverage"):
        ConformalRegressor(Ridge(), coverage=1.0).fit(X, y)
    with pytest.raises(InvalidParameterError, match="method"):
        ConformalRegressor(Ridge(), method="magic").fit(X, y)
    with pytest.raises(IncompatibleError, match="pair"):
        ConformalRegressor((Ridge(), Ridge())).fit(X, y)
    with pytest.raises(IncompatibleError, match="call fit"):
        ConformalRegressor(Ridge().fit(X, y), method="normalized").calibrate(X, y)
    fitted = QuantileRegressor().fit(X, y)
    with pytest.raises(IncompatibleError, match="one is not enough"):
        ConformalRegressor(fitted, method="quantile").calibrate(X, y)
    with pytest.raises(DataError, match="one entry a row"):
        ConformalRegressor(Ridge()).fit(X, y, groups=["a"])
    with pytest.raises(NotFittedError):
        ConformalRegressor(Ridge()).predict_interval(X)
    with pytest.raises(NotFittedError):
        CrossConformalRegressor(Ridge()).predict_interval(X)
    with pytest.raises(DataError, match="none"):
        ConformalRegressor(Ridge().fit(X, y)).calibrate(X[:0], y[:0])
