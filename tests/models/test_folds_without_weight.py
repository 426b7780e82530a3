"""A fold in which no sample weighs anything tells nothing, and is left out."""

import inspect

import numpy as np
import pytest

from infimum.errors import DataError
from infimum.models import linear

#: Every estimator that chooses by folds and takes weights, found by export.
CHOOSERS = [
    kind
    for name in linear.__all__
    if inspect.isclass(kind := getattr(linear, name))
    and "cv" in inspect.signature(kind).parameters
    and "sample_weight" in inspect.signature(kind.fit).parameters
]
chooser = pytest.mark.parametrize("kind", CHOOSERS, ids=lambda kind: kind.__name__)


def data(kind, rng):
    X = rng.standard_normal((40, 3))
    y = X[:, 0] + 0.3 * rng.standard_normal(40)
    if "Classifier" in kind.__name__ or "Logistic" in kind.__name__:
        return X, (y > 0).astype(int)
    return X, np.column_stack([y, -y]) if "MultiTask" in kind.__name__ else y


def decided(model, X):
    return getattr(model, "decision_function", model.predict)(X)


def splits(rows):
    """Return four folds of ten neighbours each."""
    parts = np.split(rows, 4)
    return [(np.setdiff1d(rows, held), held) for held in parts]


def test_there_are_estimators_that_choose_by_folds():
    assert len(CHOOSERS) >= 7


@chooser
def test_the_choice_is_that_of_the_other_folds(kind, rng):
    X, y = data(kind, rng)
    weights = np.repeat([0.0, 1.0, 2.0, 1.0], 10)
    rows = np.arange(40)
    left = [(train[train >= 10] - 10, held - 10) for train, held in splits(rows)[1:]]
    model = kind(cv=splits(rows)).fit(X, y, sample_weight=weights)
    other = kind(cv=left).fit(X[10:], y[10:], sample_weight=weights[10:])
    for name in ("alpha_", "C_"):
        if hasattr(other, name):
            np.testing.assert_allclose(getattr(model, name), getattr(other, name))
    np.testing.assert_allclose(decided(model, X), decided(other, X), atol=1e-5)


@chooser
def test_where_no_fold_is_left_it_says_so_in_one_sentence(kind, rng):
    X, y = data(kind, rng)
    weights = np.repeat([0.0, 1.0, 0.0, 0.0], 10)
    with pytest.raises(DataError, match=rf"^{kind.__name__} found no fold in which"):
        kind(cv=splits(np.arange(40))).fit(X, y, sample_weight=weights)


@chooser
def test_a_single_fold_is_enough(kind, rng):
    X, y = data(kind, rng)
    weights = np.repeat([0.0, 1.0, 1.0, 1.0], 10)
    only = splits(np.arange(40))[:2]
    model = kind(cv=only).fit(X, y, sample_weight=weights)
    assert np.isfinite(decided(model, X)).all()
