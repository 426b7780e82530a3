"""Offsets: a part of the score that is known, in classification and least squares."""

import numpy as np
import pytest
from scipy import optimize, sparse
from scipy.special import expit, logsumexp, ndtr

from infimum.errors import DataError
from infimum.models.linear import LinearRegression, LogisticRegression, ProbitRegression


@pytest.fixture
def samples(rng):
    X = rng.normal(size=(150, 3))
    offset = rng.normal(size=150)
    y = np.where(X[:, 0] + offset + rng.logistic(size=150) > 0.3, "yes", "no")
    return X, y, offset


@pytest.mark.parametrize(
    ("model", "logarithm"),
    [
        (LogisticRegression(tol=1e-6), lambda f: np.log(expit(f))),
        (ProbitRegression(tol=1e-6), lambda f: np.log(ndtr(f))),
    ],
    ids=["logit", "probit"],
)
@pytest.mark.parametrize("hold", [np.asarray, sparse.csr_array], ids=["dense", "csr"])
def test_a_classifier_learns_what_the_offset_leaves(model, logarithm, hold, samples):
    X, y, offset = samples
    signs = np.where(y == "yes", 1.0, -1.0)

    def risk(point):
        scores = X @ point[:3] + point[3] + offset
        return point[:3] @ point[:3] / 2 - logarithm(signs * scores).sum()

    best = optimize.minimize(risk, np.zeros(4), tol=1e-12)
    model.fit(hold(X), y, offset=offset)
    found = np.append(model.coef_[0], model.intercept_)
    assert risk(found) <= best.fun + 1e-8
    assert found == pytest.approx(best.x, abs=1e-3)
    assert model.certificate_.closed
    assert model.certify(hold(X), y, offset=offset).relative_gap <= 1e-10

    scores = X @ found[:3] + found[3] + offset
    assert model.decision_function(X, offset=offset) == pytest.approx(scores)
    assert (model.predict(X, offset=offset) == np.where(scores > 0, "yes", "no")).all()
    likely = np.exp(logarithm(scores))
    assert model.predict_proba(X, offset=offset)[:, 1] == pytest.approx(likely)


def test_several_classes_take_an_offset_for_each(samples, rng):
    X, _, _ = samples
    offset = rng.normal(size=(150, 3))
    y = (X @ rng.normal(size=(3, 3)) + offset + rng.gumbel(size=(150, 3))).argmax(1)

    def risk(point):
        W, b = point[:9].reshape(3, 3), point[9:]
        scores = X @ W + b + offset
        wrong = logsumexp(scores, axis=1) - scores[np.arange(150), y]
        return (W**2).sum() / 2 + wrong.sum()

    best = optimize.minimize(risk, np.zeros(12), tol=1e-12)
    model = LogisticRegression(tol=1e-6).fit(X, y, offset=offset)
    found = np.append(model.coef_.T.ravel(), model.intercept_)
    assert risk(found) <= best.fun + 1e-7
    assert model.certify(X, y, offset=offset).relative_gap <= 1e-10
    assert (model.predict(X, offset=offset) == y).mean() > 0.5
    with pytest.raises(DataError, match="150 samples and 3 classes"):
        model.fit(X, y, offset=offset[:, 0])


def test_offsets_follow_their_samples_when_weights_are_zero(samples, rng):
    X, y, offset = samples
    weights = rng.integers(0, 3, size=150)
    rows = np.repeat(np.arange(150), weights)
    for model in (LogisticRegression(tol=1e-7), ProbitRegression(tol=1e-7)):
        weighted = model.fit(X, y, weights, offset=offset).coef_
        repeated = model.fit(X[rows], y[rows], offset=offset[rows]).coef_
        assert weighted == pytest.approx(repeated, abs=1e-6)


@pytest.mark.parametrize("method", ["auto", "cholesky", "eigen", "qr", "svd"])
def test_least_squares_is_the_same_by_every_factorisation(method, rng):
    X, offset = rng.normal(size=(80, 5)) + 2.0, rng.normal(size=80)
    y = X @ [1.0, -2.0, 0.5, 0.0, 3.0] + offset + 1.5
    model = LinearRegression(method=method).fit(X, y, offset=offset)
    assert model.coef_ == pytest.approx([1.0, -2.0, 0.5, 0.0, 3.0])
    assert model.intercept_ == pytest.approx(1.5)
    assert model.rank_ == 5
    assert model.predict(X, offset=offset) == pytest.approx(y)
    assert model.certify(X, y, offset=offset).closed


@pytest.mark.filterwarnings("ignore::infimum.models.warnings.UncertifiedWarning")
def test_dependent_columns_need_a_factorisation_of_the_matrix_itself(rng):
    X = rng.normal(size=(30, 3))
    X = np.column_stack([X, X[:, 0] + X[:, 1]])
    y = rng.normal(size=30)
    shortest = LinearRegression(method="svd").fit(X, y)
    assert shortest.rank_ == 3
    pivoted = LinearRegression(method="qr").fit(X, y)
    assert pivoted.rank_ == 3
    assert pivoted.coef_ == pytest.approx(shortest.coef_)
    for method in ("cholesky", "eigen"):
        with pytest.raises(DataError, match="needs independent columns"):
            LinearRegression(method=method).fit(X, y)
    with pytest.raises(DataError, match="takes dense data only"):
        LinearRegression(method="qr").fit(sparse.csr_array(X), y)
