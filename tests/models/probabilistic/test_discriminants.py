"""Linear and quadratic discriminant analysis against scikit-learn's."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import multivariate_normal
from sklearn import discriminant_analysis as reference
from sklearn.covariance import OAS
from sklearn.datasets import load_digits, load_iris, load_wine

from infimum.dropin.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from infimum.errors import DataError, InvalidParameterError

LINEAR = [
    {},
    {"store_covariance": True},
    {"priors": [0.2, 0.3, 0.5], "store_covariance": True},
    {"n_components": 1},
    {"solver": "lsqr"},
    {"solver": "lsqr", "shrinkage": "auto"},
    {"solver": "lsqr", "priors": [0.2, 0.3, 0.5]},
    {"solver": "lsqr", "covariance_estimator": OAS()},
    {"solver": "eigen"},
    {"solver": "eigen", "shrinkage": 0.3},
    {"solver": "eigen", "shrinkage": "auto", "n_components": 1},
]
QUADRATIC = [
    {},
    {"reg_param": 0.1, "store_covariance": True},
    {"priors": [0.2, 0.3, 0.5]},
    {"solver": "eigen", "shrinkage": 0.2, "store_covariance": True},
    {"solver": "eigen", "shrinkage": "auto"},
    {"solver": "eigen", "covariance_estimator": OAS()},
]
BATCHED = [
    (LinearDiscriminantAnalysis, {}),
    (LinearDiscriminantAnalysis, {"store_covariance": True, "priors": [0.2, 0.3, 0.5]}),
    (LinearDiscriminantAnalysis, {"solver": "lsqr", "shrinkage": 0.1}),
    (LinearDiscriminantAnalysis, {"solver": "eigen", "priors": [0.2, 0.3, 0.5]}),
    (QuadraticDiscriminantAnalysis, {}),
    (QuadraticDiscriminantAnalysis, {"solver": "eigen", "shrinkage": 0.2}),
]


def _close(mine, theirs):
    if isinstance(theirs, list):
        for one, other in zip(mine, theirs, strict=True):
            _close(one, other)
    else:
        scale = np.abs(theirs).max() + 1e-300
        assert np.abs(np.abs(mine) - np.abs(theirs)).max() <= 1e-8 * scale


@pytest.mark.parametrize("load", [load_iris, load_wine])
@pytest.mark.parametrize("settings", LINEAR, ids=str)
def test_linear_analysis_answers_as_scikit_learn_does(load, settings):
    X, y = load(return_X_y=True)
    mine = LinearDiscriminantAnalysis(**settings).fit(X, y)
    theirs = reference.LinearDiscriminantAnalysis(**settings).fit(X, y)
    assert set(filter(_is_public, vars(mine))) == set(filter(_is_public, vars(theirs)))
    for name in filter(_is_public, vars(theirs)):
        if name == "scalings_":  # beyond the classes' span directions are arbitrary
            _close(mine.scalings_[:, :2], theirs.scalings_[:, :2])
        elif name not in ("classes_", "n_features_in_"):
            _close(getattr(mine, name), getattr(theirs, name))
    assert np.allclose(mine.predict_proba(X), theirs.predict_proba(X), atol=1e-9)
    if settings.get("solver") != "lsqr":
        _close(mine.transform(X), theirs.transform(X))
        assert list(mine.get_feature_names_out()) == list(
            theirs.get_feature_names_out()
        )


@pytest.mark.parametrize("load", [load_iris, load_wine])
@pytest.mark.parametrize("settings", QUADRATIC, ids=str)
def test_quadratic_analysis_answers_as_scikit_learn_does(load, settings):
    X, y = load(return_X_y=True)
    mine = QuadraticDiscriminantAnalysis(**settings).fit(X, y)
    theirs = reference.QuadraticDiscriminantAnalysis(**settings).fit(X, y)
    for name in ("means_", "priors_", "scalings_", "rotations_"):
        _close(getattr(mine, name), getattr(theirs, name))
    if settings.get("store_covariance"):
        _close(mine.covariance_, theirs.covariance_)
    assert np.allclose(mine.predict_proba(X), theirs.predict_proba(X), atol=1e-8)
    assert np.allclose(mine.decision_function(X), theirs.decision_function(X))


def _is_public(name):
    return name.endswith("_") and not name.startswith("_")


@pytest.mark.parametrize("kind, settings", BATCHED, ids=str)
def test_batches_add_up_to_the_whole(kind, settings):
    X, y = load_wine(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X[order] + 1e3, y[order]
    whole = kind(**settings).fit(X, y)
    parts = kind(**settings)
    for start in range(0, len(y), 60):
        parts.partial_fit(X[start : start + 60], y[start : start + 60], np.unique(y))
    assert np.allclose(parts.predict_proba(X), whole.predict_proba(X), atol=1e-7)


@pytest.mark.parametrize("kind, settings", [*BATCHED, (
    LinearDiscriminantAnalysis, {"solver": "lsqr", "shrinkage": "auto"}
)], ids=str)  # fmt: skip
def test_weights_are_copies_and_sparse_rows_are_rows(kind, settings):
    X, y = load_wine(return_X_y=True)
    counts = np.random.default_rng(1).integers(0, 3, len(y))
    weighed = kind(**settings).fit(X, y, sample_weight=counts)
    copied = kind(**settings).fit(np.repeat(X, counts, 0), np.repeat(y, counts))
    filled = kind(**settings).fit(sparse.csr_array(X), y, sample_weight=counts)
    wanted = copied.predict_proba(X)
    assert np.allclose(weighed.predict_proba(X), wanted, atol=1e-8)
    assert np.allclose(filled.predict_proba(sparse.csr_array(X)), wanted, atol=1e-6)


def test_more_features_than_rows_are_fitted_by_their_singular_values():
    X, y = load_digits(return_X_y=True)
    wide = np.hstack([X[:60], X[60:120], X[120:180]])
    mine = LinearDiscriminantAnalysis().fit(wide, y[:60])
    theirs = reference.LinearDiscriminantAnalysis().fit(wide, y[:60])
    _close(mine.transform(wide), theirs.transform(wide))
    weights = np.arange(1, 61) % 3
    heavy = LinearDiscriminantAnalysis().fit(wide, y[:60], sample_weight=weights)
    copies = LinearDiscriminantAnalysis().fit(
        np.repeat(wide, weights, 0), np.repeat(y[:60], weights)
    )
    _close(heavy.predict_proba(wide), copies.predict_proba(wide))
    with pytest.raises(DataError, match="begin with partial_fit"):
        mine.partial_fit(wide, y[:60])


def test_the_quadratic_score_is_the_log_density_of_a_normal_law():
    X, y = load_iris(return_X_y=True)
    model = QuadraticDiscriminantAnalysis(store_covariance=True).fit(X, y)
    joint = np.column_stack(
        [
            multivariate_normal(m, C).logpdf(X) + np.log(p)
            for m, C, p in zip(
                model.means_, model.covariance_, model.priors_, strict=True
            )
        ]
    )
    apart = model.decision_function(X) - joint
    assert np.ptp(apart, axis=1).max() < 1e-9


def test_float32_gives_float32():
    X, y = load_iris(return_X_y=True)
    model = LinearDiscriminantAnalysis().fit(X.astype(np.float32), y)
    assert model.coef_.dtype == np.float32
    assert model.transform(X[:2].astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize(
    "settings, told",
    [
        ({"priors": [0.5, -0.5, 1.0]}, "non-negative"),
        ({"priors": [0.5, 0.5]}, "one for each class"),
        ({"n_components": 3}, "cannot be larger"),
        ({"solver": "qr"}, "solver must be"),
        ({"solver": "lsqr", "shrinkage": 2.0}, "shrinkage must be"),
        ({"covariance_estimator": OAS()}, "not supported with svd"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(settings, told):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(InvalidParameterError, match=told):
        LinearDiscriminantAnalysis(**settings).fit(X, y)


def test_data_that_make_no_sense_are_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(DataError, match="only 1 sample in class"):
        QuadraticDiscriminantAnalysis().fit(X[:51], y[:51])
    with pytest.raises(DataError, match="not full rank"):
        QuadraticDiscriminantAnalysis().fit(X[48:53], y[48:53])
    with pytest.raises(DataError, match="no weight"):
        LinearDiscriminantAnalysis().fit(X, y, sample_weight=(y > 0).astype(float))
    with pytest.raises(DataError, match="more than the number of classes"):
        LinearDiscriminantAnalysis().fit(X[[0, 60, 120]], y[[0, 60, 120]])


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_parts_that_cores_share_add_up_to_the_whole(order, kind):
    """So many rows that sums and scatters are cut; uneven blocks, far from 0."""
    rng = np.random.default_rng(0)
    y = np.sort(rng.integers(0, 3, 2_003))
    X = (rng.standard_normal((2_003, 9)) + 50.0 + y[:, None]).astype(kind, order=order)
    weights = rng.integers(0, 3, len(y)).astype(float)
    copies = np.repeat(np.arange(len(y)), weights.astype(int))
    ours = LinearDiscriminantAnalysis(solver="eigen").fit(X, y, weights)
    theirs = reference.LinearDiscriminantAnalysis(solver="eigen")
    theirs.fit(X[copies].astype(float), y[copies])
    close = 1e-9 if kind is np.float64 else 1e-4
    np.testing.assert_allclose(ours.covariance_, theirs.covariance_, rtol=close)
    np.testing.assert_allclose(ours.means_, theirs.means_, rtol=1e-6)
    rule = {"store_covariance": True}
    each = QuadraticDiscriminantAnalysis(**rule).fit(X, y)
    wanted = reference.QuadraticDiscriminantAnalysis(**rule).fit(X.astype(float), y)
    for one, two in zip(each.covariance_, wanted.covariance_, strict=True):
        np.testing.assert_allclose(one, two, rtol=close, atol=close)
