"""The restricted Boltzmann machine draws and learns as scikit-learn's."""

import numpy as np
from scipy import sparse
from sklearn import neural_network as reference
from sklearn.datasets import load_digits

from infimum.models.neural import BernoulliRBM

NAMES = ("components_", "intercept_hidden_", "intercept_visible_", "h_samples_")


def _pair(X, method, **settings):
    mine = BernoulliRBM(random_state=0, **settings)
    other = reference.BernoulliRBM(random_state=0, **settings)
    for _ in range(2 if method == "partial_fit" else 1):
        getattr(mine, method)(X)
        getattr(other, method)(X.toarray() if sparse.issparse(X) else X)
    return mine, other


def test_weights_and_scores_are_those_of_scikit_learn():
    X = load_digits().data[:203] / 16.0
    for rows in (X, sparse.csr_array(X)):
        for method in ("fit", "partial_fit"):
            mine, other = _pair(rows, method, n_components=12, n_iter=3, batch_size=10)
            for name in NAMES:
                assert np.allclose(getattr(mine, name), getattr(other, name))
            assert np.allclose(mine.transform(X), other.transform(X))
            assert np.allclose(mine.score_samples(X), other.score_samples(X))
            assert np.array_equal(mine.gibbs(X), other.gibbs(X))


def test_single_precision_stays_single():
    X = (load_digits().data[:50] / 16.0).astype(np.float32)
    model = BernoulliRBM(n_components=4, n_iter=1, random_state=0).fit(X)
    assert {getattr(model, name).dtype for name in NAMES} == {np.dtype(np.float32)}
    assert model.transform(X).dtype == np.float32


def test_hidden_units_follow_the_joint_law():
    model = BernoulliRBM(n_components=2, n_iter=30, random_state=0)
    X = np.repeat([[0, 0, 1], [1, 1, 0]], 20, axis=0).astype(float)
    model.fit(X)
    W, a, b = model.components_, model.intercept_hidden_, model.intercept_visible_
    v = np.array([1.0, 0.0, 1.0])
    states = np.array([[i, j] for i in (0, 1) for j in (0, 1)])
    law = np.exp(states @ W @ v + states @ a + b @ v)
    law /= law.sum()
    assert np.allclose(model.transform(v[None])[0], law @ states)


def test_single_precision_learns_what_double_precision_does():
    X = load_digits().data[:100] / 16.0
    how = {"n_components": 16, "batch_size": 5, "n_iter": 5, "random_state": 42}
    double, single = (
        BernoulliRBM(**how).fit(X.astype(kind)) for kind in (np.float64, np.float32)
    )
    np.testing.assert_allclose(
        single.intercept_visible_, double.intercept_visible_, rtol=1e-5
    )
