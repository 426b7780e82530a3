"""Kernel ridge classification for many strengths, and without each sample."""

import numpy as np
import pytest

from infimum.errors import InvalidParameterError
from infimum.models.kernel import KernelRidgeClassifier

ALPHAS = np.geomspace(0.05, 5, 3)


def table(rng, classes):
    X = rng.normal(size=(30, 2))
    return X, np.argsort(np.argsort(X[:, 0])) * classes // 30


@pytest.mark.parametrize("intercept", [True, False], ids=["free", "none"])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_path_is_many_fits_and_many_samples_left_out(classes, intercept, rng):
    X, y = table(rng, classes)
    weights = rng.integers(0, 4, size=30).astype(float)
    factors = dict(enumerate([2.5, 1.0, 0.5][:classes]))
    settings = {"gamma": 0.7, "fit_intercept": intercept, "class_weight": factors}
    path = KernelRidgeClassifier(**settings).path(X, y, ALPHAS, weights)
    for k, alpha in enumerate(ALPHAS):
        model = KernelRidgeClassifier(alpha, **settings).fit(X, y, weights)
        assert path.dual_coefs[k] == pytest.approx(model.dual_coef_.T)
        assert path.intercepts[k] == pytest.approx(model.intercept_)
        assert path.certificates[k].closed
        for i in np.flatnonzero(weights)[[0, 7, 13]]:
            fewer = weights.copy()
            fewer[i] -= 1.0
            without = KernelRidgeClassifier(alpha, **settings).fit(X, y, fewer)
            score = np.ravel(without.decision_function(X[[i]]))
            sides = [1] if classes == 2 else range(3)
            labels = np.array([1.0 if y[i] == side else -1.0 for side in sides])
            assert path.errors[k, i] == pytest.approx(labels - score)
    assert np.isnan(path.errors[:, weights == 0]).all()
    squares = (path.errors[:, weights > 0] ** 2).mean(axis=2)
    means = squares @ weights[weights > 0] / weights.sum()
    assert path.mean_errors == pytest.approx(means)


def test_the_degrees_of_freedom_are_the_trace_of_what_maps_labels_to_scores(rng):
    X, y = table(rng, 2)
    K = np.exp(-0.7 * ((X[:, None] - X) ** 2).sum(axis=2))
    path = KernelRidgeClassifier(gamma=0.7).path(X, y, ALPHAS)
    for alpha, found in zip(ALPHAS, path.degrees_of_freedom, strict=True):
        rows = np.block([[K + alpha * np.eye(30), np.ones((30, 1))], [np.ones(30), 0]])
        solved = np.linalg.inv(rows)[:, :30]
        assert found == pytest.approx(np.trace(K @ solved[:30] + solved[30]))


def test_a_path_leaves_the_machine_alone_and_wants_positive_strengths(rng):
    X, y = table(rng, 2)
    model = KernelRidgeClassifier().fit(X, y)
    model.path(X, np.where(y == 1, "yes", "no"), ALPHAS)
    assert model.classes_.tolist() == [0, 1]
    with pytest.raises(InvalidParameterError, match="alphas"):
        model.path(X, y, [0.0, 1.0])
    with pytest.raises(InvalidParameterError, match="needs a strength"):
        model.path(X, y, [])
