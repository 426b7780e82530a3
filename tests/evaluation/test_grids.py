"""Grids, their products and tuning in turn."""

import numpy as np
import pytest
from sklearn.pipeline import Pipeline

from infimum.errors import DataError
from infimum.evaluation import (
    combinations,
    cross_validate,
    folds,
    powers_of_ten,
    tune,
    tune_in_turn,
)
from infimum.models.embedding import PCA
from infimum.models.kernel import SVC


def error_rate(y, said):
    return float(np.mean(y != said))


def rings(rng, n=120):
    X = rng.standard_normal((n, 6)) * [1, 1, 0.1, 0.1, 0.1, 0.1]
    return X, (np.hypot(X[:, 0], X[:, 1]) > 1.2).astype(int)


@pytest.mark.syllabus("S4A-087")
def test_grids_are_powers_of_ten_and_multiply():
    np.testing.assert_allclose(
        powers_of_ten(-3, 3), [1e-3, 1e-2, 1e-1, 1, 10, 100, 1000]
    )
    pairs = combinations({"C": powers_of_ten(-2, 5), "sigma": powers_of_ten(-2, 3)})
    assert len(pairs) == 8 * 6
    assert len({tuple(pair.values()) for pair in pairs}) == 48
    with pytest.raises(DataError, match="low <= high"):
        powers_of_ten(2, 1)


@pytest.mark.syllabus("S4A-087")
def test_two_parameters_are_tuned_jointly_and_a_third_in_turn(rng):
    X, y = rings(rng)
    model = Pipeline([("pca", PCA(n_components=6)), ("svm", SVC())])
    first = {"svm__C": powers_of_ten(-1, 2), "svm__gamma": powers_of_ten(-2, 1)}
    second = {"pca__n_components": [1, 2, 6]}
    splits = list(folds(y, 3))
    chosen = tune_in_turn(model, [first, second], X, y, splits, error_rate)
    joint, error = tune(model, first, X, y, splits, error_rate)
    assert {name: chosen[name] for name in first} == joint
    assert chosen["pca__n_components"] != 1
    candidates = [
        Pipeline([("pca", PCA(n_components=6)), ("svm", SVC(C=C, gamma=gamma))])
        for C in first["svm__C"]
        for gamma in first["svm__gamma"]
    ]
    table = cross_validate(candidates, X, y, splits, error_rate)
    assert error == table.means.min()


@pytest.mark.syllabus("S4A-087")
def test_cross_validation_overfits_too_when_many_settings_compete(rng):
    X, y = rng.standard_normal((40, 5)), rng.integers(0, 2, 40)
    fresh, truth = rng.standard_normal((2000, 5)), rng.integers(0, 2, 2000)
    grid = {"C": powers_of_ten(-2, 3), "gamma": powers_of_ten(-3, 2)}
    best, promised = tune(SVC(), grid, X, y, folds(y, 5), error_rate)
    honest = error_rate(truth, SVC(**best).fit(X, y).predict(fresh))
    assert promised < 0.45 < honest
