"""A sample of weight k is k samples, in every linear estimator, to eight digits."""

import inspect

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, is_classifier

from infimum.models import linear
from infimum.models.linear import (
    ARDRegression,
    BayesianRidge,
    BestSubsetRegressor,
    ElasticNet,
    ElasticNetCV,
    GammaRegressor,
    GroupLassoClassifier,
    GroupLassoRegressor,
    HeteroscedasticRegressor,
    HuberRegressor,
    Lasso,
    LassoCV,
    LinearRegression,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    LogisticRegressionCV,
    MatchingPursuit,
    MultiTaskElasticNet,
    MultiTaskElasticNetCV,
    MultiTaskLasso,
    MultiTaskLassoCV,
    NearestCentroid,
    OrdinalLogisticRegression,
    OrthogonalMatchingPursuit,
    PoissonRegressor,
    ProbitRegression,
    QuantileRegressor,
    RANSACRegressor,
    Ridge,
    RidgeClassifier,
    RidgeClassifierCV,
    RidgeCV,
    RiskMinimizer,
    TweedieRegressor,
)
from infimum.study.estimation import JamesSteinRegressor

CASES = [
    ARDRegression(),
    BayesianRidge(),
    BestSubsetRegressor(),
    ElasticNet(alpha=0.05, tol=1e-14),
    ElasticNet(alpha=0.05, positive=True, tol=1e-14),
    ElasticNetCV(alphas=[0.05], tol=1e-14),
    GammaRegressor(alpha=0.1, tol=1e-8),
    JamesSteinRegressor(),
    GroupLassoClassifier(0.02, groups=[0, 0, 1, 1], tol=1e-13),
    GroupLassoRegressor(0.05, groups=[0, 0, 1, 1], l1_ratio=0.2, tol=1e-13),
    HeteroscedasticRegressor(0.05, tol=1e-14),
    HuberRegressor(tol=1e-7),
    Lasso(alpha=0.05, tol=1e-14),
    LassoCV(alphas=[0.05], tol=1e-14),
    LinearRegression(),
    LinearSVC(C=0.1, tol=1e-7),
    LinearSVC(C=0.1, loss="hinge", tol=1e-10),
    LinearSVC(C=0.5, penalty="l1", tol=1e-7),
    LinearSVR(C=0.1, epsilon=0.1, tol=1e-12),
    LinearSVR(C=0.1, epsilon=0.1, loss="squared_epsilon_insensitive", tol=1e-7),
    LogisticRegression(tol=1e-7),
    LogisticRegression(l1_ratio=1.0, tol=1e-7),
    LogisticRegressionCV(Cs=[1.0], tol=1e-7),
    OrdinalLogisticRegression(tol=1e-7),
    PoissonRegressor(alpha=0.1, tol=1e-7),
    ProbitRegression(tol=1e-7),
    QuantileRegressor(alpha=0.02, quantile=0.37),
    MatchingPursuit(),
    MultiTaskElasticNet(0.1, tol=1e-13),
    MultiTaskElasticNetCV(alphas=[0.1], tol=1e-13),
    MultiTaskLasso(0.1, tol=1e-13),
    MultiTaskLassoCV(alphas=[0.1], tol=1e-13),
    NearestCentroid(),
    OrthogonalMatchingPursuit(),
    Ridge(),
    Ridge(positive=True, tol=1e-7),
    RidgeClassifier(),
    RidgeClassifierCV(alphas=(0.5,)),
    RidgeCV(alphas=(0.5,)),
    RiskMinimizer("logistic", "elastic_net", strength=0.01, tol=1e-13),
    RiskMinimizer("squared", "lasso", strength=0.05, tol=1e-13),
    TweedieRegressor(alpha=0.1, tol=1e-7),
    TweedieRegressor(power=1.5, alpha=0.1, tol=1e-6),
]
BALANCED = [
    LinearSVC(C=0.1, tol=1e-7, class_weight="balanced"),
    LogisticRegression(tol=1e-7, class_weight="balanced"),
    RidgeClassifier(class_weight="balanced"),
]
HOLDERS = {"dense": np.asarray, "sparse": sparse.csr_array}
#: Every case, in every form of table that it says it takes.
HELD = [
    (model, holder)
    for model in CASES + BALANCED
    for holder in HOLDERS
    if holder == "dense" or model.__sklearn_tags__().input_tags.sparse
]


def data(estimator, rng, n=60, d=4):
    X = rng.normal(size=(n, d)) * (rng.uniform(size=(n, d)) < 0.8)
    score = X @ np.array([1.0, -0.5, 0.7, 0.0]) + 0.8 * rng.normal(size=n)
    if is_classifier(estimator):
        return X, np.where(score > 0.3, "yes", "no")
    if isinstance(estimator, PoissonRegressor):
        return X, rng.poisson(np.exp(0.3 * score)).astype(float)
    if isinstance(estimator, GammaRegressor) or getattr(estimator, "power", 0) > 0:
        return X, np.exp(0.3 * score)
    if type(estimator).__name__.startswith("MultiTask"):
        return X, np.column_stack([score, X[:, 0] + rng.normal(size=n)])
    return X, score


def fitted(estimator, X, y, weights=None):
    return type(estimator)(**estimator.get_params()).fit(X, y, sample_weight=weights)


def closeness(estimator):
    """Return how near weights must be: a gap of `tol` frees them by about its root."""
    by_gap = estimator.get_params().get("tol") == 1e-13
    return np.sqrt(1e-13) if by_gap else 1e-8


@pytest.mark.parametrize(
    ("estimator", "holder"), HELD, ids=[f"{model}-{holder}" for model, holder in HELD]
)
def test_a_weight_is_a_number_of_copies(estimator, holder, rng):
    X, y = data(estimator, rng)
    counts = rng.integers(0, 4, size=len(y))
    assert (counts == 0).any()
    rows = np.repeat(np.arange(len(y)), counts)
    hold = HOLDERS[holder]
    weighted = fitted(estimator, hold(X), y, counts)
    repeated = fitted(estimator, hold(X[rows]), y[rows])
    near = {"rtol": closeness(estimator), "atol": closeness(estimator)}
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, **near)
    np.testing.assert_allclose(weighted.intercept_, repeated.intercept_, **near)
    if hasattr(weighted, "certificate_"):
        first, second = weighted.certificate_, repeated.certificate_
        assert first.primal == pytest.approx(second.primal, rel=1e-8)
        assert first.closed


@pytest.mark.parametrize("estimator", CASES, ids=repr)
def test_doubling_every_weight_is_doubling_the_data(estimator, rng):
    X, y = data(estimator, rng)
    weighted = fitted(estimator, X, y, np.full(len(y), 2.0))
    repeated = fitted(estimator, np.vstack([X, X]), np.concatenate([y, y]))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("estimator", BALANCED, ids=repr)
def test_balanced_classes_weigh_the_same_in_sum(estimator, rng):
    X, y = data(estimator, rng)
    labels, counts = np.unique(y, return_counts=True)
    share = dict(zip(labels, len(y) / (2 * counts), strict=True))
    by_hand = type(estimator)(**{**estimator.get_params(), "class_weight": share})
    first, second = estimator.fit(X, y), by_hand.fit(X, y)
    np.testing.assert_allclose(first.coef_, second.coef_, rtol=1e-9, atol=1e-9)
    plain = type(estimator)(**{**estimator.get_params(), "class_weight": None})
    weights = np.array([share[label] for label in y])
    third = plain.fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(first.coef_, third.coef_, rtol=1e-9, atol=1e-9)


def test_a_huber_fit_judges_every_sample_as_outlier_or_not(rng):
    X, y = data(HuberRegressor(), rng)
    weights = np.ones(len(y))
    weights[:5], y[5] = 0.0, 99.0
    model = HuberRegressor().fit(X, y, sample_weight=weights)
    assert model.outliers_.shape == y.shape
    assert model.outliers_[5]


def test_every_linear_estimator_that_takes_weights_is_among_the_cases():
    classes = (getattr(linear, name) for name in linear.__all__)
    weighing = {
        cls
        for cls in classes
        if inspect.isclass(cls)
        and issubclass(cls, BaseEstimator)
        and "sample_weight" in inspect.signature(cls.fit).parameters
    }
    # Draws of rows ignore weights: tests/models/linear/test_outliers states the rest.
    assert weighing | {JamesSteinRegressor} == (
        {type(estimator) for estimator in CASES} | {RANSACRegressor}
    )
