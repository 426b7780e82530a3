"""Widths of one's own, by spread, in many dimensions; and how much work a sum is."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.special import logsumexp
from scipy.stats import gaussian_kde
from sklearn import neighbors
from sklearn.base import clone

import infimum
from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import windows
from infimum.kernels.windows import Exponential, TruncatedLinear
from infimum.models.density import (
    DensityDetector,
    KernelDensity,
    bandwidth_choice,
    choose_bandwidth,
)
from infimum.models.density._window_overlap import overlap
from infimum.models.density.bandwidth_choice import squared_integral

NAMES = sorted(name.lower() for name in windows.__all__ if name != "Window")


def sample(n=300, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def by_definition(X, Q, window, width, weights=None):
    weights = np.ones(len(X)) if weights is None else weights
    values = window.profile(cdist(Q, X) / width) @ weights / weights.sum()
    return values / width ** X.shape[1] / window.constant(X.shape[1])


@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov", "exponential"])
def test_each_sample_can_have_its_own_width(kernel, tmp_path):
    X, Q = sample(60), sample(20, seed=1)
    widths = np.random.default_rng(2).uniform(0.3, 2.0, 60)
    model = KernelDensity(bandwidth=widths, kernel=kernel).fit(X)
    each = [
        KernelDensity(bandwidth=h, kernel=kernel).fit(x[None]).density_bounds(Q)[0]
        for h, x in zip(widths, X, strict=True)
    ]
    np.testing.assert_allclose(np.exp(model.score_samples(Q)), np.mean(each, axis=0))
    assert model.bandwidth_ == pytest.approx(widths.mean())
    again = clone(model).fit(X)
    np.testing.assert_array_equal(again.score_samples(Q), model.score_samples(Q))
    infimum.save(model, tmp_path / "own.model")
    loaded = infimum.load(tmp_path / "own.model")
    np.testing.assert_array_equal(loaded.score_samples(Q), model.score_samples(Q))


def test_samples_without_weight_take_their_widths_with_them():
    X, widths = sample(6), [0.5, 1.0, 1.5, 2.0, 2.5, 3.0]
    weights = np.array([1, 0, 2, 0, 1, 3])
    weighed = KernelDensity(bandwidth=widths).fit(X, sample_weight=weights)
    copied = KernelDensity(bandwidth=np.repeat(widths, weights))
    copied.fit(X.repeat(weights, axis=0))
    np.testing.assert_allclose(weighed.score_samples(X), copied.score_samples(X))
    assert weighed.widths_.tolist() == [0.5, 1.5, 2.5, 3.0]
    assert weighed.bandwidth_ == pytest.approx(copied.bandwidth_)


@pytest.mark.parametrize(
    ("widths", "words"),
    [
        ([1.0, 2.0], r"one for each of 4 samples, got numbers of shape \(2,\)"),
        ([1.0, 1.0, 0.0, 1.0], "positive for each sample, got 0 for sample 2"),
        ([1.0, 1.0, np.nan, 1.0], "got nan for sample 2"),
        (["a", "b", "c", "d"], "positive for each sample"),
    ],
)
def test_bad_widths_get_one_sentence(widths, words):
    with pytest.raises(InvalidParameterError, match=words):
        KernelDensity(bandwidth=widths).fit(sample(4))


def test_widths_without_a_square_get_one_sentence():
    for width in (1e-200, 1e200):
        with pytest.raises(DataError, match="takes widths from 1e-150 to 1e"):
            KernelDensity(bandwidth=width).fit(sample(4))


def test_silvermans_rule_is_scikit_learns_without_the_spread_and_ours_has_it():
    X = 50.0 * sample(400)
    plain = KernelDensity(bandwidth="silverman").fit(X)
    assert (
        plain.bandwidth_ == KernelDensity(bandwidth="silverman").fit(X / 50).bandwidth_
    )
    theirs = neighbors.KernelDensity(bandwidth="silverman").fit(X)
    assert plain.bandwidth_ == pytest.approx(theirs.bandwidth_)
    spread = KernelDensity(bandwidth="normal_reference").fit(X)
    assert spread.bandwidth_ == pytest.approx(50 * plain.bandwidth_, rel=0.1)
    held_out = 50.0 * sample(400, seed=1)
    assert spread.score(held_out) > plain.score(held_out) + 400
    line = sample(1000, 1)
    normal = gaussian_kde(line.T, "silverman")
    ours = KernelDensity(bandwidth="normal_reference").fit(line)
    assert ours.bandwidth_ == pytest.approx(normal.factor * line.std(), rel=0.05)


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("kernel", ["gaussian", "tophat", "epanechnikov", "triangle"])
def test_the_normal_reference_is_near_the_best_width_of_every_window(kernel, d):
    X, held_out = sample(800, d), sample(4000, d, seed=1)

    def loss(width):
        model = KernelDensity(bandwidth=width, kernel=kernel).fit(X)
        return bandwidth_choice.l2_loss(model, held_out)

    told = KernelDensity(bandwidth="normal_reference", kernel=kernel).fit(X).bandwidth_
    losses = [loss(told * factor) for factor in (0.4, 1.0, 2.5)]
    assert losses[1] < min(losses[0], losses[2])


def test_outliers_do_not_widen_the_normal_reference():
    X = np.vstack((sample(200, 1), [[1e4]]))
    model = KernelDensity(bandwidth="normal_reference").fit(X)
    clean = KernelDensity(bandwidth="normal_reference").fit(X[:-1])
    assert model.bandwidth_ == pytest.approx(clean.bandwidth_, rel=0.2)
    weights = np.random.default_rng(1).integers(0, 4, len(X))
    weighed = clone(model).fit(X, sample_weight=weights).bandwidth_
    assert weighed == pytest.approx(clone(model).fit(X.repeat(weights, 0)).bandwidth_)
    with pytest.raises(DataError, match="no spread"):
        model.fit(np.ones((5, 2)))


def test_local_widths_use_the_distance_of_the_density():
    X = sample(50)
    model = KernelDensity(bandwidth="local", metric="manhattan", n_neighbors=4).fit(X)
    far = np.sort(cdist(X, X, "cityblock"), axis=1)[:, 1:5]
    np.testing.assert_allclose(model.widths_, 0.5 * far.mean(axis=1))


@pytest.mark.parametrize("kernel", NAMES)
def test_squares_of_densities_on_a_line_are_exact_for_every_window(kernel):
    X = sample(60, 1)
    model = KernelDensity(bandwidth=0.01, kernel=kernel).fit(X)
    if kernel == "gaussian":
        apart = (X - X.T) / 0.01
        exact = np.exp(-0.25 * apart**2).sum() / (2 * np.sqrt(np.pi) * 0.01 * 60**2)
    else:
        window = model.window_
        end = min(window.reach, 30.0)
        u = np.linspace(-end, end, 200_001)
        shared = overlap(window, 1)(np.abs(X - X.T) / 0.01).sum()
        alone = np.trapezoid(window.profile(np.abs(u)) ** 2, u)
        assert overlap(window, 1)(np.zeros(1))[0] == pytest.approx(alone, rel=1e-4)
        exact = shared / (window.constant(1) ** 2 * 0.01 * 60**2)
    assert squared_integral(model) == pytest.approx(exact, rel=1e-6)
    best = choose_bandwidth(
        sample(200, 1), [0.01, 0.8, 30.0], kernel=kernel, criterion="hold_out_l2"
    ).best
    assert best == 0.8


@pytest.mark.parametrize("kernel", ["tophat", "triangle"])
def test_many_samples_on_a_line_are_met_on_a_grid(kernel, monkeypatch):
    model = KernelDensity(bandwidth=0.05, kernel=kernel).fit(sample(400, 1))
    pairs = squared_integral(model)
    monkeypatch.setattr(bandwidth_choice, "PAIRS", 10)
    assert squared_integral(model) == pytest.approx(pairs, rel=2e-3)


def test_windows_cut_off_or_stretched_overlap_where_they_are():
    apart = np.linspace(0.0, 1.2, 13)
    cut = TruncatedLinear(0.5)
    u = np.linspace(-2.0, 3.0, 500_001)
    for s, value in zip(apart, overlap(cut, 1)(apart), strict=True):
        both = cut.profile(np.abs(u)) * cut.profile(np.abs(u - s))
        assert value == pytest.approx(np.trapezoid(both, u), abs=1e-4)
    wide = overlap(Exponential(10.0), 1)(10.0 * apart)
    np.testing.assert_allclose(wide, 10.0 * (1 + apart) * np.exp(-apart), rtol=1e-4)


@pytest.mark.parametrize(
    ("d", "rule"),
    [
        (1, {"bandwidth": 0.1, "rtol": 1e-3}),
        (2, {"bandwidth": 0.6, "rtol": 1e-2}),
        (2, {"bandwidth": 0.6, "rtol": 1e-2, "atol": 1e-4}),
    ],
    ids=str,
)
def test_work_stops_growing_with_the_samples_at_a_stated_error(d, rule):
    Q, seen = sample(100, d, seed=1), []
    for n in (4000, 16_000, 64_000):
        X = sample(n, d)
        model = KernelDensity(**rule).fit(X)
        sums, rtol, atol = model._sums(), rule["rtol"], model._atol()
        seen.append(sums.count(Q, rtol, atol) / len(Q))
        exact = by_definition(X, Q, model.window_, rule["bandwidth"])
        low, high = model.density_bounds(Q)
        slack = 1e-12 * exact
        assert (low <= exact + slack).all()
        assert (exact <= high + slack).all()
        assert (high - low <= 2 * (rtol * exact + rule.get("atol", 0.0)) + slack).all()
    assert seen[0] < 4000
    assert seen[2] < 1.2 * seen[0]  # sixteen times the samples
    assert seen[2] < 0.05 * 64_000


def test_parabolas_are_added_up_by_the_edges_of_their_windows():
    Q, seen = sample(100, seed=1), []
    for n in (4000, 16_000, 64_000):
        X = sample(n)
        model = KernelDensity(bandwidth=0.8, kernel="epanechnikov").fit(X)
        seen.append(model._sums().count(Q, 0.0, 0.0) / len(Q))
        exact = by_definition(X, Q, model.window_, 0.8)
        np.testing.assert_allclose(np.exp(model.score_samples(Q)), exact, rtol=1e-9)
        low, high = model.density_bounds(Q)
        np.testing.assert_array_equal(low, high)  # no error at all
    assert seen[2] < 1.2 * 4.0 * seen[0]  # the root of sixteen times the samples


@settings(deadline=None, max_examples=30)
@given(
    st.sampled_from(["gaussian", "epanechnikov"]),
    st.floats(0.05, 3.0),
    st.sampled_from([0.0, 1e-8, 1e-3, 0.1]),
    st.sampled_from([0.0, 1e-3]),
    st.integers(1, 4),
)
def test_what_moments_tell_stays_within_the_stated_error(kernel, width, rtol, atol, d):
    X, Q = sample(3000, d), sample(30, d, seed=1)
    weights = np.random.default_rng(2).integers(1, 4, 3000).astype(float)
    model = KernelDensity(bandwidth=width, kernel=kernel, rtol=rtol, atol=atol)
    model.fit(X, sample_weight=weights)
    exact = by_definition(X, Q, model.window_, width, weights)
    low, high = model.density_bounds(Q)
    slack = 1e-11 * (1.0 + exact)  # rounding
    assert (low <= exact + slack).all()
    assert (exact <= high + slack).all()
    assert (high - low <= 2.0 * (rtol * exact + atol) + slack).all()


def test_many_dimensions_neither_overflow_nor_vanish():
    X, Q = sample(30, 600), sample(5, 600, seed=1)
    for width in (1e-3, 3.0, 1e3):
        model = KernelDensity(bandwidth=width).fit(X)
        exact = logsumexp(-0.5 * cdist(Q, X, "sqeuclidean") / width**2, axis=1)
        exact -= np.log(30) + 300 * np.log(2 * np.pi) + 600 * np.log(width)
        np.testing.assert_allclose(model.score_samples(Q), exact, rtol=1e-10)
        assert np.isfinite(model.leave_one_out())
    local = KernelDensity(bandwidth=np.geomspace(1e-3, 1e3, 30)).fit(X)
    far = -0.5 * cdist(Q, X, "sqeuclidean") / local.widths_**2
    exact = logsumexp(far - 600 * np.log(local.widths_), axis=1)
    exact -= np.log(30) + 300 * np.log(2 * np.pi)
    np.testing.assert_allclose(local.score_samples(Q), exact, rtol=1e-10)
    with pytest.raises(DataError, match="Epanechnikov window in 600 dimensions"):
        KernelDensity(kernel="epanechnikov").fit(X).score_samples(Q)


def test_leaving_one_out_reaches_as_far_as_logarithms_do():
    X = np.array([[0.0], [1.0], [1000.0]])
    exact = [logsumexp([-0.5, -5e5]), logsumexp([-0.5, -0.5 * 999**2])]
    exact.append(logsumexp([-5e5, -0.5 * 999**2]))
    expected = np.sum(exact) - 3 * (np.log(2) + 0.5 * np.log(2 * np.pi))
    assert KernelDensity().fit(X).leave_one_out() == pytest.approx(expected, rel=1e-12)


def test_a_window_set_later_waits_for_the_next_fit():
    X = sample(40)
    model = KernelDensity(bandwidth=0.7).fit(X)
    before = model.score_samples(X)
    model.set_params(kernel="tophat")
    np.testing.assert_array_equal(model.score_samples(X), before)
    assert not np.array_equal(model.fit(X).score_samples(X), before)


def test_named_columns_raise_no_warning_and_name_the_axes():
    table = pd.DataFrame(sample(40), columns=["length", "weight"])
    picture = KernelDensity(bandwidth=0.5).fit(table).plot()
    assert picture.layout.xaxis.title.text == "length"
    assert picture.layout.yaxis.title.text == "weight"
    detector = DensityDetector(bandwidth=0.5).fit(table)
    assert (detector.predict(table) == -1).mean() == pytest.approx(0.1)


def test_the_picture_of_a_choice_is_drawn_around_the_best_width():
    choice = choose_bandwidth(sample(60, 1))
    figure = choice.plot()
    low, high = figure.layout.yaxis.range
    assert low < choice.scores.max() < high
    assert low > choice.scores.min()
    assert figure.layout.annotations[0].text == f"best: {choice.best:.3g}"
    assert "log-likelihood" in figure.layout.yaxis.title.text
    flat = choose_bandwidth(sample(9, 1), [0.5])
    assert flat.plot().layout.yaxis.range is None
