"""Tweedie regression: proved where it is convex, stationary elsewhere."""

import numpy as np
import pytest
import sklearn.linear_model as theirs
from scipy.sparse import csr_array
from sklearn.datasets import load_diabetes
from sklearn.metrics import d2_tweedie_score

from infimum.errors import DataError, InvalidParameterError
from infimum.losses import Gamma, Poisson, Tweedie
from infimum.models.linear import (
    GammaRegressor,
    PoissonRegressor,
    Ridge,
    TweedieRegressor,
)

X, Y = load_diabetes(return_X_y=True)
#: Power, link, and whether the objective is convex.
CASES = [
    (0.0, "auto", True),
    (1.0, "auto", True),
    (1.2, "log", True),
    (1.5, "auto", True),
    (1.9, "auto", True),
    (2.0, "auto", True),
    (3.0, "auto", False),
    (0.0, "log", False),
    (1.0, "identity", False),
    (-1.0, "auto", False),
]


@pytest.mark.parametrize("power, link, convex", CASES)
def test_the_fit_is_as_good_as_that_of_scikit_learn(power, link, convex):
    settings = {"power": power, "link": link, "alpha": 0.01}
    ours = TweedieRegressor(**settings, tol=1e-6).fit(X, Y)
    other = theirs.TweedieRegressor(**settings, tol=1e-7, max_iter=3000).fit(X, Y)
    np.testing.assert_allclose(ours.predict(X), other.predict(X), rtol=2e-3)
    assert ours.certificate_.closed == convex
    assert convex or ours.certificate_.reason.startswith("stationary")
    assert ours.certificate_.dual <= ours.certificate_.primal
    assert ours.score(X, Y) == pytest.approx(other.score(X, Y), rel=1e-3)
    wanted = d2_tweedie_score(Y, ours.predict(X), power=power)
    assert ours.score(X, Y) == pytest.approx(wanted)


@pytest.mark.parametrize("power, link, convex", CASES)
def test_no_step_to_any_side_is_lower(power, link, convex, rng):
    model = TweedieRegressor(power=power, link=link, alpha=0.01, tol=1e-6).fit(X, Y)
    best = model.certify(X, Y).primal
    w, b = model.coef_.copy(), model.intercept_
    for _ in range(20):
        model.coef_ = w + 1e-3 * rng.normal(size=w.shape)
        model.intercept_ = b + 1e-3 * rng.normal()
        assert model.certify(X, Y).primal >= best


def test_whole_powers_are_the_models_of_that_name():
    pairs = [(0.0, Ridge(alpha=0.1 * len(Y))), (1.0, PoissonRegressor(alpha=0.1))]
    pairs.append((2.0, GammaRegressor(alpha=0.1)))
    for power, other in pairs:
        ours = TweedieRegressor(power=power, alpha=0.1, tol=1e-7).fit(X, Y)
        np.testing.assert_allclose(ours.coef_, other.fit(X, Y).coef_, rtol=1e-3)


def test_the_loss_lies_between_those_of_counts_and_amounts():
    y, f = np.array([0.5, 1.0, 3.0]), np.array([-0.5, 0.3, 1.2])
    near_counts = Tweedie(1.0 + 1e-9).derivative(y, f)
    near_amounts = Tweedie(2.0 - 1e-9).derivative(y, f)
    np.testing.assert_allclose(near_counts, Poisson().derivative(y, f), rtol=1e-7)
    np.testing.assert_allclose(near_amounts, Gamma().derivative(y, f), rtol=1e-7)


@pytest.mark.parametrize("power", [1.001, 1.5, 1.999])
def test_the_conjugate_is_the_largest_difference_for_slopes_of_any_size(power):
    loss = Tweedie(power)
    y = np.repeat([0.0, 1e-6, 1.0, 1e6], 7)
    s = np.tile([-1e3, -1.0, -1e-3, 0.0, 1e-3, 1.0, 1e3], 4)
    with np.errstate(invalid="ignore"):
        found = loss.conjugate(y, s)
    scores = np.linspace(-30, 30, 20_001)
    for value, target, slope in zip(found, y, s, strict=True):
        tried = slope * scores - loss.value(np.full_like(scores, target), scores)
        assert value >= tried.max() - 1e-9 * max(1.0, abs(value))
    assert np.isinf(found[(y == 0) & (s < 0)]).all()


def test_claims_that_are_often_nothing_are_predicted_in_the_mean(rng):
    A = rng.normal(size=(3000, 2))
    rates = np.exp(0.3 + A @ [0.5, -0.4])
    claims = rng.poisson(0.5, size=3000)
    y = rates * np.array([rng.gamma(2.0, size=k).sum() for k in claims])
    assert (y == 0).mean() > 0.4
    model = TweedieRegressor(power=1.5, alpha=0.0).fit(csr_array(A), y)
    assert model.certificate_.closed
    np.testing.assert_allclose(model.coef_, [0.5, -0.4], atol=0.1)
    np.testing.assert_allclose(model.predict(A).mean(), y.mean(), rtol=0.02)


def test_exposures_and_weights_are_understood(rng):
    y = np.where(rng.uniform(size=len(Y)) < 0.3, 0.0, Y / 100)
    years = rng.uniform(0.5, 2.0, size=len(Y))
    model = TweedieRegressor(power=1.5, alpha=0.01, tol=1e-6)
    by_exposure = model.fit(X, y * years, exposure=years)
    assert by_exposure.certificate_.closed
    np.testing.assert_allclose(
        by_exposure.predict(X, exposure=years), by_exposure.predict(X) * years
    )


def test_a_fit_may_begin_where_another_ended():
    cold = TweedieRegressor(power=3.0, alpha=0.01, warm_start=True, tol=1e-7)
    first = cold.fit(X, Y).n_iter_
    assert cold.fit(X, Y).n_iter_ < first


@pytest.mark.parametrize(
    "settings, y, message",
    [
        ({"power": 0.5}, Y, "power must be outside"),
        ({"power": np.nan}, Y, "power must be a finite number"),
        ({"link": "probit"}, Y, "link must be one of"),
        ({"power": 1.5}, -Y, r"power=1.5\) needs targets in \[0, inf\)"),
        ({"power": 2.0}, np.where(Y > 100, Y, 0.0), r"needs targets in \(0, inf\)"),
        ({"power": 1.5}, 0.0 * Y, "needs a target above 0"),
        ({"power": -1.0, "fit_intercept": False}, Y, "finds no start"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(settings, y, message):
    with pytest.raises((DataError, InvalidParameterError), match=message):
        TweedieRegressor(**settings).fit(X, y)
