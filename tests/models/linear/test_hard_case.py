"""The case that scikit-learn gets silently wrong, from the default settings."""

import warnings

import numpy as np
import pytest
import sklearn.linear_model
from scipy import sparse

from infimum.models.linear import LogisticRegression


@pytest.fixture(scope="module")
def hard():
    """Return 100 × 60 Gaussian features, one column shifted, one scaled, by 10,000."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 60))
    y = (X @ rng.normal(size=60) + rng.normal(size=100) > 0).astype(int)
    X[:, 0] += 10_000.0
    X[:, 1] *= 10_000.0
    return X, y


def objective(model, X, y):
    scores = X @ model.coef_[0] + model.intercept_[0]
    losses = np.logaddexp(0.0, -np.where(y == 1, 1.0, -1.0) * scores)
    return 0.5 * model.coef_[0] @ model.coef_[0] + model.C * losses.sum()


def test_the_optimum_is_reached_and_proved_without_a_warning(hard):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = LogisticRegression().fit(*hard)
    assert model.certificate_.closed
    assert model.certificate_.relative_gap <= 1e-6
    proof = model.certify(*hard)
    assert proof.relative_gap <= 1e-6
    assert proof.primal == pytest.approx(model.certificate_.primal, rel=1e-6)


def test_scikit_learn_stops_above_it(hard):
    X, y = hard
    ours = LogisticRegression().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = sklearn.linear_model.LogisticRegression().fit(X, y)
    assert objective(ours, X, y) < objective(theirs, X, y) * 0.99
    # No rival may be below the bound that the certificate proves.
    bound = ours.certificate_.dual * len(y) * ours.C
    assert bound <= objective(ours, X, y) * (1 + 1e-9)
    assert bound < objective(theirs, X, y)


@pytest.mark.parametrize("ratio", [0.0, 0.5, 1.0], ids=["ridge", "mixed", "lasso"])
@pytest.mark.parametrize("holder", [np.asarray, sparse.csr_array], ids=["dense", "csr"])
def test_every_penalty_and_holder_is_proved_there(hard, ratio, holder):
    X, y = hard
    model = LogisticRegression(l1_ratio=ratio, C=0.1).fit(holder(X), y)
    assert model.certificate_.relative_gap <= 1e-6


def test_the_units_of_a_column_do_not_matter_without_a_penalty(hard):
    X, y = hard
    few = [0, 1, 2, 3]
    units = np.array([1e-3, 1e4, 10.0, 1.0])
    plain = LogisticRegression(C=np.inf).fit(X[:, few], y)
    other = LogisticRegression(C=np.inf).fit(X[:, few] * units, y)
    np.testing.assert_allclose(other.coef_ * units, plain.coef_, rtol=1e-4)
    assert plain.certificate_.closed
    assert other.certificate_.closed
