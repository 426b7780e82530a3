"""Bad settings are told in one sentence; tables keep their names; paths keep order."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.preprocessing import StandardScaler

from infimum.errors import DataError, InvalidParameterError
from infimum.models.linear import (
    ElasticNet,
    HuberRegressor,
    Lasso,
    LinearRegression,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
    RidgeClassifier,
    RiskMinimizer,
    regularization_path,
)

X, Y = load_diabetes(return_X_y=True)
X, Y = 20 * X[:120], Y[:120] / 50
LABELS = (np.median(Y) < Y).astype(int)

CLASSIFIERS = (LinearSVC, LogisticRegression, RidgeClassifier)
BAD = [
    (ElasticNet(alpha=-1.0), "ElasticNet.alpha must be in [0, inf), got -1.0."),
    (ElasticNet(l1_ratio=1.5), "ElasticNet.l1_ratio must be in [0, 1], got 1.5."),
    (
        HuberRegressor(epsilon=0.5),
        "HuberRegressor.epsilon must be in [1, inf), got 0.5.",
    ),
    (HuberRegressor(alpha=-1), "HuberRegressor.alpha must be in [0, inf), got -1."),
    (Lasso(alpha=float("nan")), "Lasso.alpha must be in [0, inf), got nan."),
    (Lasso(alpha="much"), "Lasso.alpha must be in [0, inf), got 'much'."),
    (LinearSVC(C=0.0), "LinearSVC.C must be in (0, inf), got 0.0."),
    (
        LinearSVC(loss="log"),
        "LinearSVC.loss must be one of 'squared_hinge', 'hinge', got 'log'.",
    ),
    (LinearSVC(penalty="l3"), "LinearSVC.penalty must be one of 'l2', 'l1', got 'l3'."),
    (LinearSVR(epsilon=-0.1), "LinearSVR.epsilon must be in [0, inf), got -0.1."),
    (LinearSVR(C=-2), "LinearSVR.C must be in (0, inf), got -2."),
    (LogisticRegression(C=0), "LogisticRegression.C must be in (0, inf], got 0."),
    (
        LogisticRegression(l1_ratio=-0.5),
        "LogisticRegression.l1_ratio must be in [0, 1], got -0.5.",
    ),
    (
        PoissonRegressor(alpha=-1.0),
        "PoissonRegressor.alpha must be in [0, inf), got -1.0.",
    ),
    (QuantileRegressor(quantile=1.0), "must be in (0, 1), got 1.0."),
    (
        QuantileRegressor(alpha=-1.0),
        "QuantileRegressor.alpha must be in [0, inf), got -1.0.",
    ),
    (Ridge(alpha=-1.0), "Ridge.alpha must be in [0, inf), got -1.0."),
    (
        RidgeClassifier(alpha=-1.0),
        "RidgeClassifier.alpha must be in [0, inf), got -1.0.",
    ),
    (RiskMinimizer(tol=0.0), "RiskMinimizer.tol must be in (0, inf), got 0.0."),
    (RiskMinimizer(strength=-1), "RiskMinimizer.strength must be in (0, inf), got -1."),
    (RiskMinimizer("hugs"), "got 'hugs'."),
    (RiskMinimizer(penalty=3), "RiskMinimizer.penalty must be a penalty"),
]


@pytest.mark.parametrize(("model", "sentence"), BAD, ids=lambda part: str(part)[:40])
def test_a_bad_parameter_is_one_sentence_with_owner_domain_and_value(model, sentence):
    y = LABELS if isinstance(model, CLASSIFIERS) else Y
    with pytest.raises(InvalidParameterError) as refusal:
        model.fit(X, y)
    message = str(refusal.value)
    assert sentence in message
    assert message.endswith(".")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("model", "y", "words"),
    [
        (LogisticRegression(), np.ones(120), "needs 2 classes or more, got 1 class"),
        (PoissonRegressor(), Y - 10, "targets in [0, inf)"),
        (PoissonRegressor(), np.zeros(120), "all are 0"),
        (RiskMinimizer("poisson"), Y - 10, "[0, inf)"),
    ],
    ids=lambda part: str(part)[:30],
)
def test_targets_that_a_loss_cannot_read_are_refused(model, y, words):
    with pytest.raises(DataError) as refusal:
        model.fit(X, y)
    assert words in str(refusal.value)


def test_weights_that_are_all_zero_are_refused():
    with pytest.raises(ValueError, match=r"all zero|at least one non-zero"):
        Lasso().fit(X, Y, sample_weight=np.zeros(120))


def test_a_class_weight_for_a_class_never_seen_is_refused():
    with pytest.raises(InvalidParameterError, match="names 7, which is none of"):
        LogisticRegression(class_weight={7: 1.0}).fit(X, LABELS)


FITTING = [
    ElasticNet(alpha=0.01),
    HuberRegressor(),
    Lasso(alpha=0.01),
    LinearRegression(),
    LinearSVR(C=0.1),
    PoissonRegressor(),
    QuantileRegressor(alpha=0.01),
    Ridge(),
    RiskMinimizer("huber", "ridge", strength=0.1),
]


@pytest.mark.parametrize("model", FITTING, ids=repr)
def test_single_precision_gives_the_same_model_to_single_precision(model):
    double = type(model)(**model.get_params()).fit(X, Y)
    single = type(model)(**model.get_params()).fit(X.astype(np.float32), Y)
    scale = np.abs(double.coef_).max()
    np.testing.assert_allclose(single.coef_, double.coef_, atol=2e-3 * scale)
    assert single.coef_.dtype == np.float32
    if hasattr(single, "certificate_"):
        assert single.certificate_.closed


@pytest.mark.parametrize(
    "frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"]
)
@pytest.mark.parametrize("model", [*FITTING, LogisticRegression()], ids=repr)
def test_a_table_keeps_its_column_names(model, frame):
    names = [f"column {j}" for j in range(X.shape[1])]
    table = frame(dict(zip(names, X.T, strict=True)))
    y = LABELS if isinstance(model, LogisticRegression) else Y
    fitted = type(model)(**model.get_params()).fit(table, y)
    assert fitted.feature_names_in_.tolist() == names
    plain = type(model)(**model.get_params()).fit(X, y)
    np.testing.assert_allclose(fitted.coef_, plain.coef_, atol=1e-7)
    np.testing.assert_allclose(fitted.predict(table), plain.predict(X), atol=1e-6)


@pytest.mark.parametrize("model", FITTING, ids=repr)
def test_shifting_columns_changes_nothing_but_the_intercept(model):
    shift = np.linspace(-3, 3, X.shape[1])
    plain = type(model)(**model.get_params()).fit(X, Y)
    moved = type(model)(**model.get_params()).fit(X + shift, Y)
    np.testing.assert_allclose(moved.coef_, plain.coef_, atol=1e-3)
    np.testing.assert_allclose(moved.predict(X + shift), plain.predict(X), atol=2e-3)


PATHS = [
    (Lasso(), "alpha"),
    (ElasticNet(l1_ratio=0.7), "alpha"),
    (Ridge(), "alpha"),
    (QuantileRegressor(), "alpha"),
    (LogisticRegression(l1_ratio=1.0), "C"),
    (LinearSVC(), "C"),
    (RiskMinimizer("huber", "lasso"), "strength"),
]


@pytest.mark.parametrize(("model", "parameter"), PATHS, ids=lambda part: str(part)[:30])
def test_a_path_is_the_same_as_fits_one_by_one(model, parameter):
    y = LABELS if parameter == "C" else Y
    path = regularization_path(model, X, y, n_values=5, eps=0.05)
    assert path.parameter == parameter
    assert len(path.models) == len(path.values) == 5
    strengths = 1 / path.values if parameter == "C" else path.values
    assert np.all(np.diff(strengths) < 0)  # from the strongest to the weakest
    for value, member in zip(path.values, path.models, strict=True):
        assert getattr(member, parameter) == value
        assert member.certificate_.closed
        alone = type(model)(**{**model.get_params(), parameter: value}).fit(X, y)
        gap = member.certificate_.gap + alone.certificate_.gap
        difference = member.certificate_.primal - alone.certificate_.primal
        assert abs(difference) <= gap + 1e-9 * abs(alone.certificate_.primal)
    assert path.coefs.shape[0] == len(path.certificates) == 5


@pytest.mark.parametrize(
    "model", [Lasso(), ElasticNet(), LogisticRegression(l1_ratio=1.0)], ids=repr
)
def test_a_sparse_path_starts_where_the_first_coefficient_leaves_zero(model):
    y = LABELS if isinstance(model, LogisticRegression) else Y
    path = regularization_path(model, X, y, n_values=20)
    used = [(np.abs(member.coef_) > 1e-6).sum() for member in path.models]
    assert used[0] == 0
    assert used[2] >= 1
    assert used[-1] > used[2]


def test_a_path_takes_values_weights_and_sparse_tables():
    values = [0.5, 0.01, 0.1]
    weights = np.arange(120) % 3 + 1.0
    path = regularization_path(
        Lasso(), sparse.csr_array(X), Y, values=values, sample_weight=weights
    )
    assert path.values.tolist() == [0.5, 0.1, 0.01]
    last = Lasso(alpha=0.01).fit(X, Y, sample_weight=weights)
    np.testing.assert_allclose(path.models[-1].coef_, last.coef_, atol=1e-2)


def test_an_estimator_without_a_strength_has_no_path():
    model = RiskMinimizer(penalty="none")
    model.get_params = lambda deep=True: {}  # noqa: ARG005
    with pytest.raises(InvalidParameterError, match="has no strength to vary"):
        regularization_path(model, X, Y)


def test_probabilities_of_real_data_are_probabilities():
    features, labels = load_breast_cancer(return_X_y=True)
    features = StandardScaler().fit_transform(features)
    chances = LogisticRegression().fit(features, labels).predict_proba(features)
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    assert chances.min() >= 0.0


def test_weights_without_their_zeros_predict_and_prove_the_same(rng):
    X, y = rng.normal(size=(60, 8)), rng.integers(0, 2, size=60)
    model = LogisticRegression(l1_ratio=1.0, C=0.2).fit(X, y)
    dense, before = model.coef_.copy(), model.predict_proba(X)
    assert hasattr(model.sparsify().coef_, "toarray")
    np.testing.assert_array_equal(model.predict_proba(X), before)
    assert model.certify(X, y).closed
    np.testing.assert_array_equal(model.densify().coef_, dense)
