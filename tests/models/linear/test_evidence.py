"""Regressors that learn the strength of their prior by its likelihood."""

import numpy as np
import pytest
import sklearn.linear_model as theirs
from sklearn.datasets import load_diabetes

from infimum.errors import InvalidParameterError
from infimum.models.linear import ARDRegression, BayesianRidge, Ridge

X, Y = load_diabetes(return_X_y=True)
BOTH = [(BayesianRidge, theirs.BayesianRidge), (ARDRegression, theirs.ARDRegression)]
LEARNT = ["coef_", "intercept_", "alpha_", "lambda_", "sigma_", "n_iter_"]
NAMES = ["ridge", "relevance"]


@pytest.mark.parametrize("ours, other", BOTH, ids=NAMES)
@pytest.mark.parametrize("count", [442, 7], ids=["tall", "wide"])
@pytest.mark.parametrize("intercept", [True, False])
def test_everything_learnt_is_what_scikit_learn_learns(ours, other, count, intercept):
    settings = {"compute_score": True, "fit_intercept": intercept}
    # Where few samples are explained without a rest, rounding leads further rounds.
    settings["max_iter"] = 300 if count > 10 else 5
    found = ours(**settings).fit(X[:count], Y[:count])
    wanted = other(**settings).fit(X[:count], Y[:count])
    for name in LEARNT:
        np.testing.assert_allclose(
            getattr(found, name), getattr(wanted, name), rtol=1e-6, atol=1e-9
        )
    # Its last score is that of new precisions and old coefficients.
    np.testing.assert_allclose(found.scores_[:-1], wanted.scores_[:-1], rtol=1e-6)
    for mine, yours in zip(
        found.predict(X, return_std=True),
        wanted.predict(X, return_std=True),
        strict=True,
    ):
        np.testing.assert_allclose(mine, yours, rtol=1e-6)


def test_the_mean_is_the_ridge_solution_of_the_learnt_strength():
    model = BayesianRidge().fit(X, Y)
    other = Ridge(alpha=model.lambda_ / model.alpha_).fit(X, Y)
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-9)
    assert model.certificate_.relative_gap < 1e-12
    assert ARDRegression().fit(X, Y).certificate_.relative_gap < 1e-12


def test_every_update_makes_the_targets_more_likely(rng):
    A = rng.normal(size=(50, 6))
    y = A @ [1.0, 0.0, 2.0, 0.0, 0.0, -1.0] + 0.5 * rng.normal(size=50)
    scores = BayesianRidge(compute_score=True, tol=1e-9).fit(A, y).scores_
    assert len(scores) > 3
    assert (np.diff(scores) >= -1e-9 * abs(scores[-1])).all()


def test_the_learnt_precisions_are_those_of_the_draw(rng):
    w, noise = rng.normal(scale=2.0, size=200), 0.5
    A = rng.normal(size=(2000, 200))
    y = A @ w + noise * rng.normal(size=2000)
    model = BayesianRidge().fit(A, y)
    assert model.alpha_ == pytest.approx(noise**-2, rel=0.15)
    assert model.lambda_ == pytest.approx(2.0**-2, rel=0.4)


def test_a_new_target_lies_within_its_deviations_as_often_as_promised(rng):
    A = rng.normal(size=(300, 5))
    y = A @ rng.normal(size=5) + rng.normal(size=300)
    fresh = rng.normal(size=(4000, 5))
    model = BayesianRidge().fit(A, y)
    means, spreads = model.predict(fresh, return_std=True)
    truth = fresh @ np.linalg.lstsq(A, A @ model.coef_)[0] + model.intercept_
    drawn = truth + rng.normal(size=4000) / np.sqrt(model.alpha_)
    inside = (np.abs(drawn - means) <= 1.96 * spreads).mean()
    assert inside >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 4000)


def test_features_without_a_part_are_pruned(rng):
    A = rng.normal(size=(60, 30))
    y = 3.0 * A[:, 4] - 2.0 * A[:, 17] + 0.1 * rng.normal(size=60)
    model = ARDRegression().fit(A, y)
    assert set(np.flatnonzero(np.abs(model.coef_) > 0.2)) == {4, 17}
    pruned = model.lambda_ >= model.threshold_lambda
    assert pruned.sum() >= 20
    assert not model.coef_[pruned].any()
    assert model.sigma_.shape == (30 - pruned.sum(),) * 2


def test_weights_are_copies_to_the_last_learnt_number(rng):
    counts = rng.integers(0, 3, size=len(Y))
    rows = np.repeat(np.arange(len(Y)), counts)
    for kind in (BayesianRidge, ARDRegression):
        weighted = kind().fit(X, Y, sample_weight=counts)
        repeated = kind().fit(X[rows], Y[rows])
        for name in ("coef_", "alpha_", "lambda_", "sigma_"):
            np.testing.assert_allclose(
                getattr(weighted, name), getattr(repeated, name), rtol=1e-6, atol=1e-9
            )


@pytest.mark.parametrize("kind", [BayesianRidge, ARDRegression])
def test_constant_targets_and_columns_end_in_finite_numbers(kind):
    A = np.column_stack([np.arange(6.0), np.ones(6)])
    model = kind(compute_score=True).fit(A, np.full(6, 3.0))
    np.testing.assert_allclose(model.predict(A), 3.0)
    assert np.isfinite(model.scores_).all()
    assert np.isfinite(model.predict(A, return_std=True)[1]).all()


@pytest.mark.parametrize("name", ["alpha_1", "lambda_2", "tol", "alpha_init"])
def test_negative_settings_are_refused(name):
    with pytest.raises(InvalidParameterError, match=rf"BayesianRidge\.{name} must be"):
        BayesianRidge(**{name: -1.0}).fit(X, Y)
