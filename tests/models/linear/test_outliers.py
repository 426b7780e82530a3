"""Regression among outliers: consensus and medians of fits."""

import numpy as np
import pytest
import sklearn.linear_model as theirs
from scipy.sparse import csr_array
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline

from infimum.errors import DataError, InvalidParameterError
from infimum.models.linear import (
    HuberRegressor,
    LinearRegression,
    RANSACRegressor,
    Ridge,
    TheilSenRegressor,
)
from infimum.models.linear.robust._consensus import draws_needed
from infimum.models.linear.robust._spatial_median import spatial_median
from infimum.models.warnings import UncertifiedWarning


@pytest.fixture
def spoilt(rng):
    X = rng.normal(size=(80, 3))
    y = X @ [3.0, -2.0, 1.0] + 0.5 + 0.05 * rng.normal(size=80)
    y[:20] += rng.normal(scale=30.0, size=20)
    return X, y


@pytest.mark.parametrize("loss", ["absolute_error", "squared_error"])
@pytest.mark.parametrize("seed", [0, 3])
def test_the_same_draws_find_the_same_consensus_as_scikit_learn(spoilt, loss, seed):
    X, y = spoilt
    settings = {"loss": loss, "random_state": seed, "residual_threshold": 0.3}
    found = RANSACRegressor(**settings).fit(X, y)
    wanted = theirs.RANSACRegressor(**settings).fit(X, y)
    np.testing.assert_array_equal(found.inlier_mask_, wanted.inlier_mask_)
    np.testing.assert_allclose(found.predict(X), wanted.predict(X))
    for name in ("n_trials_", "n_skips_no_inliers_", "n_skips_invalid_data_"):
        assert getattr(found, name) == getattr(wanted, name)
    assert found.score(X, y) == pytest.approx(wanted.score(X, y))


def test_outliers_are_found_and_have_no_say(spoilt):
    X, y = spoilt
    model = RANSACRegressor(random_state=0, residual_threshold=0.3).fit(X, y)
    assert model.inlier_mask_[20:].all()
    inliers = model.inlier_mask_
    alone = LinearRegression().fit(X[inliers], y[inliers])
    np.testing.assert_array_equal(model.estimator_.coef_, alone.coef_)
    assert np.abs(model.estimator_.coef_ - [3.0, -2.0, 1.0]).max() < 0.05
    assert np.abs(LinearRegression().fit(X, y).coef_ - [3.0, -2.0, 1.0]).max() > 0.5


def test_weights_reach_the_final_fit(spoilt, rng):
    X, y = spoilt
    weights = rng.uniform(0.1, 5.0, size=len(y))
    model = RANSACRegressor(Ridge(), min_samples=10, random_state=1)
    model.fit(X, y, sample_weight=weights)
    kept = model.inlier_mask_
    alone = Ridge().fit(X[kept], y[kept], sample_weight=weights[kept])
    np.testing.assert_array_equal(model.estimator_.coef_, alone.coef_)


def test_sparse_samples_and_several_targets_have_a_consensus_too(spoilt):
    X, y = spoilt
    both = np.column_stack([y, 2.0 * y])
    settings = {"random_state": 2, "residual_threshold": 0.9}
    plain = RANSACRegressor(**settings).fit(X, both)
    held = RANSACRegressor(**settings).fit(csr_array(X), both)
    np.testing.assert_array_equal(plain.inlier_mask_, held.inlier_mask_)
    np.testing.assert_allclose(plain.predict(X), held.predict(csr_array(X)))


def test_enough_draws_miss_all_inliers_as_rarely_as_promised(rng):
    draws = draws_needed(0.5, 3, 0.9)
    assert draws == np.ceil(np.log(0.1) / np.log(1 - 0.5**3))
    inliers = rng.uniform(size=(4000, int(draws), 3)) < 0.5
    missed = 1.0 - inliers.all(axis=2).any(axis=1).mean()
    assert missed <= 0.1 + 3 * np.sqrt(0.09 / 4000)
    assert draws_needed(0.5, 3, 0.0) == 0
    assert draws_needed(0.0, 3, 0.9) == np.inf


def test_draws_may_be_refused_and_counted(spoilt):
    X, y = spoilt
    with pytest.raises(DataError, match="all its 5 draws were skipped"):
        RANSACRegressor(is_data_valid=lambda *_: False, max_trials=5).fit(X, y)
    picky = RANSACRegressor(
        is_model_valid=lambda model, *_: model.coef_[0] > 2.9,
        random_state=0,
        max_skips=30,
        stop_probability=1.0,
    )
    with pytest.warns(UncertifiedWarning, match="skipped draws"):
        picky.fit(X, y)
    assert picky.n_skips_invalid_model_ > 0


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"estimator": Ridge()}, "min_samples must be given"),
        ({"min_samples": 500}, "only n_samples=80"),
        ({"loss": "hinge"}, "loss must be"),
        ({"stop_probability": 2.0}, "stop_probability must be"),
        ({"residual_threshold": -1.0}, "residual_threshold must be"),
        ({"residual_threshold": "mad"}, "residual_threshold must be"),
        ({"stop_score": "best"}, "stop_score must be"),
        ({"stop_score": np.nan}, "stop_score must be"),
        ({"min_samples": 0}, "min_samples must be a whole number"),
        ({"min_samples": 2.7}, "min_samples must be a whole number"),
    ],
)
def test_settings_that_make_no_sense_are_refused(spoilt, settings, message):
    with pytest.raises((DataError, InvalidParameterError), match=message):
        RANSACRegressor(**settings).fit(*spoilt)


def test_trials_may_be_without_limit(spoilt):
    settings = {"max_trials": np.inf, "random_state": 0, "residual_threshold": 0.3}
    found = RANSACRegressor(**settings).fit(*spoilt)
    wanted = theirs.RANSACRegressor(**settings).fit(*spoilt)
    np.testing.assert_array_equal(found.inlier_mask_, wanted.inlier_mask_)
    assert found.n_trials_ == wanted.n_trials_


def test_an_estimator_that_bears_missing_values_may_meet_them_anywhere(spoilt):
    X, y = spoilt
    X = X.copy()
    X[30:40, 1] = np.nan
    steps = make_pipeline(SimpleImputer(), LinearRegression())
    model = RANSACRegressor(steps, min_samples=10, random_state=0).fit(X, y)
    assert np.isfinite(model.predict(X)).all()
    assert model.score(X, y) == model.estimator_.score(X, y)
    with pytest.raises(ValueError, match="NaN"):
        RANSACRegressor(random_state=0).fit(*spoilt).predict(X)


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("intercept", [True, False])
def test_medians_of_fits_are_those_of_scikit_learn(spoilt, columns, intercept):
    X, y = spoilt[0][:30, :columns], spoilt[1][:30]
    settings = {"random_state": 5, "max_subpopulation": 800}
    settings["fit_intercept"] = intercept
    found = TheilSenRegressor(**settings, tol=1e-6).fit(X, y)
    wanted = theirs.TheilSenRegressor(**settings, tol=1e-9, max_iter=20_000).fit(X, y)
    np.testing.assert_allclose(found.coef_, wanted.coef_, atol=1e-5)
    assert found.intercept_ == pytest.approx(wanted.intercept_, abs=1e-5)
    assert found.breakdown_ == pytest.approx(wanted.breakdown_)
    assert found.n_subpopulation_ == wanted.n_subpopulation_
    assert found.certificate_.closed


def test_a_line_bears_up_to_29_percent_of_outliers():
    X = np.arange(100.0)[:, None]
    y = 2.0 * X.ravel() + 1.0
    y[72:] = -1e6
    model = TheilSenRegressor().fit(X, y)
    assert 0.28 < model.breakdown_ < 1.0 - np.sqrt(0.5) + 0.01
    assert abs(model.coef_[0] - 2.0) < 1e-3
    assert abs(LinearRegression().fit(X, y).coef_[0] - 2.0) > 1e3


def test_the_spatial_median_is_proved_and_no_other_point_is_nearer(rng):
    points = np.vstack([rng.normal(size=(60, 3)), np.full((10, 3), 40.0)])
    median = spatial_median(points, 1e-12, 100)
    assert median.certificate.closed

    def distance(point):
        return np.linalg.norm(points - point, axis=1).mean()

    assert median.certificate.primal == pytest.approx(distance(median.point))
    for _ in range(50):
        assert distance(rng.normal(size=3)) > median.certificate.dual
    corners = np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    at_a_point = spatial_median(corners, 1e-12, 100)
    np.testing.assert_allclose(at_a_point.point, 0.0, atol=1e-9)
    assert at_a_point.certificate.closed


def test_sets_must_be_large_enough_and_exist(spoilt):
    with pytest.raises(InvalidParameterError, match="max_subpopulation must be in"):
        TheilSenRegressor(max_subpopulation=0.5).fit(*spoilt)
    for size in (2, 500):
        with pytest.raises(InvalidParameterError, match=r"from 4 .* to 80"):
            TheilSenRegressor(n_subsamples=size).fit(*spoilt)


def test_huber_of_width_one_is_least_absolute_error(rng):
    X = rng.normal(size=(40, 1))
    y = 3.0 * X[:, 0] + 100.0 + rng.normal(size=40)
    y[:4] += 80.0
    model = HuberRegressor(alpha=0.0, epsilon=1.0).fit(X, y)
    near = HuberRegressor(alpha=0.0, epsilon=1.0 + 1e-6).fit(X, y)
    assert model.certificate_.closed
    assert model.coef_ == pytest.approx(near.coef_, abs=1e-6)
    assert model.coef_ == pytest.approx([3.0], abs=1.0)


@pytest.mark.parametrize("shape", [(10, 20), (30, 100)], ids=str)
@pytest.mark.parametrize("alpha", [0.0, 1e-4, 1.0, 100.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_a_huber_fit_that_can_meet_its_samples_is_proved(shape, alpha, intercept, rng):
    X, y = rng.normal(size=shape), 3.0 + rng.normal(size=shape[0])
    model = HuberRegressor(alpha=alpha, fit_intercept=intercept).fit(X, y)
    assert model.certificate_.closed
    assert model.certify(X, y).closed
    if alpha < 1.0:
        np.testing.assert_allclose(model.predict(X), y)
        assert model.scale_ < 1e-9
        assert not model.outliers_.any()


@pytest.mark.parametrize("share", [0.05, 0.2, 0.4])
def test_an_exact_law_is_found_behind_outliers_and_proved(share, rng):
    X = rng.normal(size=(100, 3))
    y = X @ [1.0, 2.0, 3.0] + 1.0
    count = int(100 * share)
    y[:count] += rng.normal(scale=50.0, size=count)
    model = HuberRegressor(alpha=0.0).fit(X, y)
    np.testing.assert_allclose(model.coef_, [1.0, 2.0, 3.0], rtol=1e-9)
    assert model.certificate_.closed
    np.testing.assert_array_equal(np.flatnonzero(model.outliers_), np.arange(count))


def test_samples_that_can_be_met_at_too_high_a_price_are_not_met():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(20, 19))
    y = X @ rng.normal(size=19) + rng.normal(size=20)
    model = HuberRegressor().fit(X, y)
    through = np.linalg.solve(np.column_stack([X, np.ones(20)]), y)[:-1]
    assert model.certificate_.closed
    assert model.coef_ @ model.coef_ < 0.9 * through @ through
    assert model.certify(X, y).closed
