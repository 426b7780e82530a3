"""Kernel densities: scikit-learn's values, stated errors, far tails and weights."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.special import logsumexp
from sklearn import neighbors

import infimum
from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import windows
from infimum.kernels.windows import Epanechnikov, Exponential, Window
from infimum.models.density import KernelDensity, choose_bandwidth

NAMES = sorted(name.lower() for name in windows.__all__ if name != "Window")


def sample(n=300, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def by_definition(X, Q, window, widths, weights):
    far = cdist(Q, X) / widths
    tops = weights / widths ** X.shape[1]
    return window.profile(far) @ tops / weights.sum() / window.constant(X.shape[1])


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize(
    "kernel",
    ["gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"],
)
def test_log_densities_are_those_of_scikit_learn(kernel, d):
    X, Q = sample(200, d), sample(50, d, seed=1)
    ours = KernelDensity(bandwidth=0.9, kernel=kernel).fit(X)
    theirs = neighbors.KernelDensity(bandwidth=0.9, kernel=kernel).fit(X)
    there = np.isfinite(ours.score_samples(Q))
    assert there.mean() > 0.9
    expected = theirs.score_samples(Q)[there]
    np.testing.assert_allclose(ours.score_samples(Q)[there], expected, rtol=1e-8)
    inside = Q[there]
    assert ours.score(inside) == pytest.approx(theirs.score(inside), rel=1e-8)


@pytest.mark.parametrize("rule", ["scott", "silverman"])
def test_rules_are_those_of_scikit_learn(rule):
    X = sample(50, 3)
    theirs = neighbors.KernelDensity(bandwidth=rule).fit(X)
    assert KernelDensity(bandwidth=rule).fit(X).bandwidth_ == pytest.approx(
        theirs.bandwidth_
    )


@settings(deadline=None, max_examples=40)
@given(
    st.sampled_from(NAMES),
    st.floats(0.05, 3.0),
    st.sampled_from([0.0, 1e-6, 1e-3, 0.1]),
    st.sampled_from([0.0, 1e-4]),
    st.booleans(),
)
def test_the_exact_value_lies_within_the_bounds_and_these_within_the_tolerance(
    kernel, width, rtol, atol, local
):
    X, Q = sample(700), sample(40, seed=1)
    weights = np.random.default_rng(2).integers(1, 4, 700).astype(float)
    rule = "local" if local else width
    model = KernelDensity(bandwidth=rule, kernel=kernel, rtol=rtol, atol=atol)
    model.fit(X, sample_weight=weights)
    exact = by_definition(X, Q, model._window(), model.widths_, weights)
    low, high = model.density_bounds(Q)
    slack = 1e-11 * (1.0 + exact)  # rounding
    assert (low <= exact + slack).all()
    assert (exact <= high + slack).all()
    assert (high - low <= 2.0 * (rtol * exact + atol) + slack).all()


def test_far_out_log_densities_do_not_underflow():
    X, Q = sample(40), np.array([[300.0, -200.0], [1e5, 0.0]])
    exact = logsumexp(-0.5 * cdist(Q, X, "sqeuclidean"), axis=1)
    exact -= np.log(40 * 2 * np.pi)
    model = KernelDensity().fit(X)
    np.testing.assert_allclose(model.score_samples(Q), exact, rtol=1e-12)
    slow = KernelDensity(kernel="exponential").fit(X)
    np.testing.assert_allclose(
        slow.score_samples(Q),
        logsumexp(-cdist(Q, X), axis=1) - np.log(40 * 2 * np.pi),
        rtol=1e-12,
    )
    assert np.isneginf(KernelDensity(kernel="tophat").fit(X).score_samples(Q)).all()


@pytest.mark.parametrize("bandwidth", [0.4, "scott", "leave_one_out"])
def test_a_weight_of_k_is_k_copies(bandwidth):
    X, weights = sample(60, 1), np.random.default_rng(1).integers(0, 4, 60)
    weighted = KernelDensity(bandwidth=bandwidth).fit(X, sample_weight=weights)
    copies = KernelDensity(bandwidth=bandwidth).fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(
        weighted.score_samples(X), copies.score_samples(X), rtol=1e-4, atol=1e-6
    )
    assert weighted.leave_one_out() == pytest.approx(copies.leave_one_out(), rel=1e-5)


@pytest.mark.parametrize("kernel", NAMES)
def test_draws_follow_the_density(kernel):
    model = KernelDensity(bandwidth=0.7, kernel=kernel).fit([[0.0, 0.0]])
    drawn = model.sample(4000, random_state=0)
    far = np.linalg.norm(drawn, axis=1) / 0.7
    window = model._window()
    mean = window.moment(2) / window.moment(1)  # of the length, in the plane
    assert far.mean() == pytest.approx(mean, abs=5 * far.std() / np.sqrt(4000))
    assert np.abs(drawn.mean(axis=0)).max() < 5 * drawn.std() / np.sqrt(4000)
    assert np.array_equal(drawn, model.sample(4000, random_state=0))


def test_any_window_and_any_distance_can_be_used():
    class Flat(Window):
        """Constant up to 2."""

        reach = 2.0

        def profile(self, r):
            return np.where(np.asarray(r) <= 2.0, 1.0, 0.0)

        def moment(self, power):
            return 2.0 ** (power + 1) / (power + 1)

    X = sample(30, 1)
    model = KernelDensity(kernel=Flat(), bandwidth=0.5).fit(X)
    x = np.linspace(-6, 6, 4001)
    area = np.trapezoid(np.exp(model.score_samples(x[:, None])), x)
    assert area == pytest.approx(1.0, abs=1e-2)
    ours = KernelDensity(metric="manhattan", kernel="exponential").fit(sample(30))
    theirs = neighbors.KernelDensity(metric="manhattan", kernel="exponential")
    theirs.fit(sample(30))
    Q = sample(9, seed=3)
    np.testing.assert_allclose(ours.score_samples(Q), theirs.score_samples(Q))
    rule = {"metric": "mahalanobis", "metric_params": {"VI": np.eye(2)}}
    np.testing.assert_allclose(
        KernelDensity(**rule).fit(sample(30)).score_samples(Q),
        KernelDensity().fit(sample(30)).score_samples(Q),
    )


def test_a_saved_density_says_the_same(tmp_path):
    X = sample(80)
    for kernel in ("gaussian", Epanechnikov(), Exponential(0.5)):
        model = KernelDensity(bandwidth=0.6, kernel=kernel, rtol=1e-4).fit(X)
        infimum.save(model, tmp_path / "density.model")
        again = infimum.load(tmp_path / "density.model")
        assert np.array_equal(again.score_samples(X), model.score_samples(X))


def test_figures_show_a_curve_or_contours():
    curve = KernelDensity(bandwidth=0.3).fit(sample(50, 1)).plot()
    assert curve.data[0].fill == "tozeroy"
    step = curve.data[0].x[1] - curve.data[0].x[0]
    assert curve.data[0].y.sum() * step == pytest.approx(1.0, abs=0.01)
    plane = KernelDensity(bandwidth=0.3).fit(sample(50)).plot(points=False)
    assert [trace.type for trace in plane.data] == ["contour"]
    with pytest.raises(DataError, match="3 features cannot be drawn"):
        KernelDensity().fit(sample(9, 3)).plot()
    choice = choose_bandwidth(sample(60, 1), [0.1, 0.4, 2.0])
    assert len(choice.plot().data[0].x) == 3


@pytest.mark.parametrize(
    "change, error, words",
    [
        ({"bandwidth": -1.0}, InvalidParameterError, "bandwidth must be"),
        ({"bandwidth": "wide"}, InvalidParameterError, "'local'"),
        ({"kernel": "boxy"}, InvalidParameterError, "kernel must be a window"),
        ({"rtol": -1}, InvalidParameterError, "rtol"),
        ({"bandwidth": "local"}, DataError, "more than 9 samples"),
        ({"bandwidth": "leave_one_out"}, DataError, "2 different samples"),
    ],
)
def test_bad_questions_get_one_sentence(change, error, words):
    with pytest.raises(error, match=words):
        KernelDensity(**change).fit(np.ones((4, 1)))


def test_bad_bandwidths_get_one_sentence():
    with pytest.raises(DataError, match="positive bandwidths"):
        choose_bandwidth(sample(), [0.0])
    with pytest.raises(DataError, match="copies of it"):
        KernelDensity(bandwidth="local").fit(np.ones((20, 1)))


def test_weights_are_copies_for_local_widths_too():
    X = sample(40)
    counts = np.random.default_rng(3).integers(0, 4, size=40)
    weighed = KernelDensity(bandwidth="local", n_neighbors=5)
    weighed.fit(X, sample_weight=counts)
    copied = KernelDensity(bandwidth="local", n_neighbors=5).fit(X.repeat(counts, 0))
    kept = counts[counts > 0]
    np.testing.assert_allclose(weighed.widths_.repeat(kept), copied.widths_)
    Q = sample(10, seed=1)
    np.testing.assert_allclose(weighed.score_samples(Q), copied.score_samples(Q))
    assert weighed.leave_one_out() == pytest.approx(copied.leave_one_out())


def test_local_widths_reach_as_far_as_small_weights_ask():
    X = np.arange(6.0)[:, None]
    model = KernelDensity(bandwidth="local", n_neighbors=2)
    halves = model.fit(X, sample_weight=np.full(6, 0.5)).widths_
    assert halves[0] == pytest.approx(0.5 * (1 + 2 + 3 + 4) / 4)
    with pytest.raises(DataError, match=r"more than 2 samples, got 2\.4"):
        model.fit(X, sample_weight=np.full(6, 0.4))


def test_leaving_one_out_takes_weights_for_copies():
    X = sample(5)
    for rule in (0.5, "leave_one_out"):
        model = KernelDensity(bandwidth=rule)
        with pytest.raises(DataError, match=r"1 or more, got 0\.5"):
            model.fit(X, sample_weight=[1, 1, 0.5, 2, 1]).leave_one_out()
    with pytest.raises(DataError, match="leaves none"):
        KernelDensity().fit(X[:1]).leave_one_out()
    twice = KernelDensity().fit(X[:1], sample_weight=[2.0]).leave_one_out()
    assert twice == pytest.approx(-2 * np.log(2 * np.pi))


@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
def test_bounds_hold_where_a_narrow_window_dwarfs_the_others(kernel):
    X = np.array([[0.0] * 4, [9.0] * 4])
    model = KernelDensity(bandwidth=[1e-100, 1.0], kernel=kernel).fit(X)
    Q = X[1:] + np.array([[0.0], [0.1]])
    exact = 0.5 * np.exp(KernelDensity(kernel=kernel).fit(X[1:]).score_samples(Q))
    low, high = model.density_bounds(Q)
    np.testing.assert_allclose(low, exact)
    np.testing.assert_allclose(high, exact)


@pytest.mark.parametrize("offset", [1e8, -1e8])
def test_far_from_the_origin_moments_lose_no_digits(offset):
    X, Q = sample(8000) + offset, sample(40, seed=1) + offset
    far = KernelDensity(bandwidth=0.8, kernel="epanechnikov").fit(X)
    near = KernelDensity(bandwidth=0.8, kernel="epanechnikov").fit(X - offset)
    np.testing.assert_allclose(
        far.density_bounds(Q), near.density_bounds(Q - offset), rtol=1e-12, atol=1e-14
    )
