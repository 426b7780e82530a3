"""The same parameters, the same scaling, the same answers as scikit-learn."""

import inspect

import numpy as np
import pytest
import sklearn.linear_model
import sklearn.svm
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.preprocessing import StandardScaler

from infimum.dropin import linear_model, svm

OURS = {
    name: (getattr(room, name), getattr(theirs, name))
    for room, theirs in [(linear_model, sklearn.linear_model), (svm, sklearn.svm)]
    for name in room.__all__
}


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True)


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.mark.parametrize("name", OURS)
def test_parameters_have_scikit_learns_names_order_and_defaults(name):
    ours, theirs = (inspect.signature(cls).parameters for cls in OURS[name])
    assert list(ours)[: len(theirs)] == list(theirs)
    for key in list(ours)[len(theirs) :]:  # what only we have cannot be met by place
        assert ours[key].kind == inspect.Parameter.KEYWORD_ONLY
        assert ours[key].default is not inspect.Parameter.empty
    for key, parameter in theirs.items():
        assert ours[key].default == parameter.default
        assert ours[key].kind == parameter.kind


@pytest.mark.parametrize("name", [name for name in OURS if name[0].isupper()])
def test_fit_takes_what_scikit_learns_takes(name):
    ours, theirs = (inspect.signature(cls.fit).parameters for cls in OURS[name])
    assert set(ours) >= set(theirs) - {"check_input", "params"}  # routed metadata


def same(ours, theirs, tolerance):
    coefs = np.reshape(theirs.coef_, np.shape(ours.coef_))
    np.testing.assert_allclose(ours.coef_, coefs, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(
        ours.intercept_, theirs.intercept_, rtol=tolerance, atol=tolerance
    )


def both(name, X, y, *, own=None, their=None, weights=None, **shared):
    ours, theirs = OURS[name]
    return (
        ours(**shared, **(own or {})).fit(X, y, sample_weight=weights),
        theirs(**shared, **(their or {})).fit(X, y, sample_weight=weights),
    )


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("alpha", [1e-3, 1.0, 100.0])
def test_ridge(diabetes, alpha, fit_intercept):
    same(*both("Ridge", *diabetes, alpha=alpha, fit_intercept=fit_intercept), 1e-7)


def test_ridge_as_a_function(diabetes):
    X, y = diabetes
    ours, theirs = OURS["ridge_regression"]
    weights = np.linspace(0.5, 2.0, len(y))
    for options in ({}, {"sample_weight": weights}):
        assert ours(X, y, 0.1, **options) == pytest.approx(theirs(X, y, 0.1, **options))
    coef, steps, intercept = ours(X, y, 0.1, return_n_iter=True, return_intercept=True)
    model = OURS["Ridge"][1](0.1).fit(X, y)
    assert (coef, intercept) == (
        pytest.approx(model.coef_),
        pytest.approx(model.intercept_),
    )
    assert steps == 1


def test_ridge_with_several_targets_and_a_strength_for_each(diabetes, rng):
    X, y = diabetes
    Y = np.column_stack([y, X[:, 2] + 0.1 * y, rng.normal(size=len(y))])
    same(*both("Ridge", X, Y, alpha=0.5), 1e-7)
    same(*both("Ridge", X, Y, alpha=np.array([0.1, 1.0, 10.0])), 1e-7)


def test_ridge_that_forbids_negative_coefficients(diabetes):
    settings = {"alpha": 0.1, "positive": True}
    pair = both("Ridge", *diabetes, own={"tol": 1e-6}, their={"tol": 1e-10}, **settings)
    same(*pair, 1e-3)


@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_ridge_classifier(cancer, wine, class_weight):
    for X, y in (cancer, wine):
        same(*both("RidgeClassifier", X, y, alpha=2.0, class_weight=class_weight), 1e-7)


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("alpha", [0.01, 0.3])
def test_lasso(diabetes, alpha, positive):
    tight = {"alpha": alpha, "positive": positive, "tol": 1e-12}
    same(*both("Lasso", *diabetes, their={"max_iter": 100_000}, **tight), 1e-4)


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("ratio", [0.2, 0.9])
def test_elastic_net(diabetes, ratio, positive):
    tight = {"alpha": 0.01, "l1_ratio": ratio, "positive": positive, "tol": 1e-12}
    same(*both("ElasticNet", *diabetes, their={"max_iter": 100_000}, **tight), 1e-4)


@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 2.0, 1: 0.5}])
def test_logistic_regression_of_two_classes(cancer, class_weight):
    tight = {"C": 0.5, "class_weight": class_weight, "tol": 1e-8, "max_iter": 5_000}
    same(*both("LogisticRegression", *cancer, **tight), 1e-5)


@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_logistic_regression_of_three_classes(wine, class_weight):
    tight = {"C": 0.5, "class_weight": class_weight, "tol": 1e-8, "max_iter": 5_000}
    same(*both("LogisticRegression", *wine, **tight), 1e-5)


@pytest.mark.parametrize("ratio", [1.0, 0.4])
def test_logistic_regression_that_is_sparse(cancer, wine, ratio):
    their = {"solver": "saga", "max_iter": 20_000, "tol": 1e-7}
    for X, y in (cancer, wine):
        pair = both(
            "LogisticRegression",
            X,
            y,
            own={"tol": 1e-6},
            their=their,
            C=0.05,
            l1_ratio=ratio,
        )
        same(*pair, 2e-4)
        assert (pair[0].coef_ == 0).any()


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_linear_svc_without_an_intercept(cancer, loss):
    own = {"tol": 1e-9 if loss == "hinge" else 1e-6}
    their = {"tol": 1e-8, "max_iter": 200_000, "dual": True, "random_state": 0}
    settings = {"C": 0.01, "loss": loss, "fit_intercept": False}
    same(*both("LinearSVC", *cancer, own=own, their=their, **settings), 1e-4)


@pytest.mark.parametrize("loss", ["epsilon_insensitive", "squared_epsilon_insensitive"])
def test_linear_svr_without_an_intercept(diabetes, loss):
    X, y = diabetes
    own = {"tol": 1e-9 if loss == "epsilon_insensitive" else 1e-6}
    their = {"tol": 1e-8, "max_iter": 200_000, "dual": True, "random_state": 0}
    settings = {"C": 0.5, "loss": loss, "epsilon": 0.5, "fit_intercept": False}
    pair = both("LinearSVR", 10 * X, y / 50, own=own, their=their, **settings)
    same(*pair, 1e-4)


@pytest.mark.parametrize("quantile", [0.2, 0.5, 0.85])
def test_quantile_regression_reaches_the_same_value(diabetes, quantile):
    X, y = diabetes
    ours, theirs = both("QuantileRegressor", X, y, quantile=quantile, alpha=0.01)

    def price(model):
        r = y - model.predict(X)
        pinball = np.maximum(quantile * r, (quantile - 1) * r).mean()
        return pinball + 0.01 * np.abs(model.coef_).sum()

    assert price(ours) <= price(theirs) * (1 + 1e-7)
    assert price(ours) == pytest.approx(price(theirs), rel=1e-6)


@pytest.mark.parametrize("epsilon", [1.1, 1.35, 3.0])
def test_huber_regression_with_its_scale_and_outliers(diabetes, epsilon):
    X, y = diabetes
    X, y = 20 * X, y.copy()
    y[::40] += 600.0
    their = {"tol": 1e-10, "max_iter": 10_000}
    ours, theirs = both("HuberRegressor", X, y, their=their, epsilon=epsilon, alpha=0.1)
    same(ours, theirs, 1e-3)
    assert ours.scale_ == pytest.approx(theirs.scale_, rel=1e-4)
    np.testing.assert_array_equal(ours.outliers_, theirs.outliers_)
    assert 5 <= ours.outliers_.sum() < len(y)


def test_poisson_regression(diabetes):
    X, y = diabetes
    weights = np.linspace(0.5, 2.0, len(y))
    tight = {"alpha": 0.01, "tol": 1e-8, "max_iter": 5_000}
    same(*both("PoissonRegressor", 10 * X, y, weights=weights, **tight), 1e-5)


def test_least_squares(diabetes):
    same(*both("LinearRegression", *diabetes), 1e-8)


def test_predictions_scores_and_probabilities_agree_on_real_data(wine):
    X, y = wine
    ours, theirs = both("LogisticRegression", X, y, tol=1e-8, max_iter=5_000)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    for method in ("predict_proba", "predict_log_proba", "decision_function"):
        first, second = (getattr(model, method)(X) for model in (ours, theirs))
        np.testing.assert_allclose(first, second, rtol=1e-4, atol=1e-5)
    assert ours.score(X, y) == theirs.score(X, y)
