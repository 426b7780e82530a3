"""A row of weight 0 is not there; one of weight k is k rows, where nothing is drawn."""

import inspect

import numpy as np
import pytest
from scipy import sparse

from infimum.models._copies import copies_of
from infimum.models.ensembles import (
    BaggingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from infimum.models.linear import RANSACRegressor
from infimum.models.trees import DecisionTreeRegressor
from tests.laws.estimators import ESTIMATORS, fitted, made, targets_for

#: Folds are cut from rows before anybody asks what these weigh.
FOLDED = {name for name in ESTIMATORS if name.endswith("CV")}
WEIGHING = {
    name: kind
    for name, kind in ESTIMATORS.items()
    if "sample_weight" in inspect.signature(kind.fit).parameters and name not in FOLDED
}


def table(rng, kind, n=90):
    X = np.abs(rng.normal(size=(n, 4)))
    return X, targets_for(made(kind), X, rng)


def told(model, X):
    verbs = ("predict_proba", "decision_function", "score_samples", "predict")
    others = ("transform", "mahalanobis")
    verb = next(v for v in (*verbs, *others) if hasattr(model, v))
    answer = getattr(model, verb)(X)
    return answer.toarray() if sparse.issparse(answer) else np.asarray(answer)


@pytest.mark.parametrize("kind", WEIGHING.values(), ids=WEIGHING)
def test_a_row_of_weight_zero_is_not_there(kind, rng):
    X, y = table(rng, kind)
    kept = rng.uniform(size=len(y)) < 0.7
    X[~kept] *= 1.5
    first = made(kind)
    first = fitted(first, X, y, sample_weight=kept.astype(float))
    second = fitted(made(kind), X[kept], y[kept])
    known = told(second, X[kept])
    scale = max(1e-300, np.abs(known[np.isfinite(known)]).max(initial=0.0))
    np.testing.assert_allclose(told(first, X[kept]), known, atol=1e-4 * scale)


@pytest.mark.parametrize(
    "model",
    [
        HistGradientBoostingClassifier(max_iter=5),
        HistGradientBoostingRegressor(max_iter=5),
        HistGradientBoostingRegressor(max_iter=5, min_samples_leaf=3, max_depth=3),
        GradientBoostingRegressor(n_estimators=5, random_state=0),
    ],
    ids=repr,
)
def test_leaves_of_boosted_trees_count_copies(model, rng):
    X, y = table(rng, type(model), n=200)
    counts = rng.integers(0, 5, size=len(y))
    rows = np.repeat(np.arange(len(y)), counts)
    weighted = told(model.fit(X, y, sample_weight=counts), X)
    np.testing.assert_allclose(
        told(model.fit(X[rows], y[rows]), X), weighted, rtol=1e-6
    )
    assert np.ptp(weighted) > 0.1
    tenths = told(model.fit(X, y, sample_weight=0.1 * np.ones(200)), X)
    np.testing.assert_allclose(told(model.fit(X, y), X), tenths, rtol=1e-6)


def test_weights_of_classes_are_no_copies(rng):
    X, y = table(rng, HistGradientBoostingClassifier)
    heavy = HistGradientBoostingClassifier(max_iter=2, class_weight={0: 30.0, 1: 30.0})
    assert heavy.fit(X, y).trees_.trees[0].rows.max() == len(y)


def test_a_share_of_the_rows_is_one_of_those_that_are_there(rng):
    X, y = table(rng, DecisionTreeRegressor)
    kept = np.arange(len(y)) < 20
    model = DecisionTreeRegressor(min_samples_leaf=0.2, random_state=0)
    leaves = model.fit(X, y, sample_weight=kept).get_n_leaves()
    assert leaves == model.fit(X[kept], y[kept]).get_n_leaves() > 2


def test_draws_of_a_forest_are_of_rows_that_are_there(rng):
    X, y = table(rng, RandomForestRegressor)
    weights = np.where(np.arange(len(y)) < 30, 0.5, 0.0)
    for model in (RandomForestRegressor(3), BaggingClassifier(n_estimators=3)):
        labels = (
            y if isinstance(model, RandomForestRegressor) else y > np.median(y[:30])
        )
        model.fit(X, labels, sample_weight=weights)
        for drawn in model.estimators_samples_:
            assert len(drawn) == 30
            assert drawn.max() < 30


def test_rows_of_no_weight_are_answered_out_of_the_bag(rng):
    X, y = table(rng, RandomForestClassifier)
    kept = np.arange(len(y)) < 60
    forest = RandomForestClassifier(50, oob_score=True, random_state=0)
    forest.fit(X, y, sample_weight=kept)
    assert forest.oob_decision_function_.shape == (len(y), 2)
    np.testing.assert_allclose(
        forest.oob_decision_function_[60:], forest.predict_proba(X[60:])
    )


def test_no_inlier_has_weight_zero(rng):
    X = rng.normal(size=(50, 2))
    model = RANSACRegressor(random_state=0, residual_threshold=1.0)
    model.fit(X, X[:, 0], sample_weight=np.arange(50) % 2)
    assert np.array_equal(model.inlier_mask_, np.arange(50) % 2 == 1)


def test_whole_numbers_count_copies_and_others_do_not():
    assert copies_of(np.array([3.0, 0.0])).tolist() == [3, 0]
    assert copies_of(np.array([3.0, 0.5])) is None
    assert copies_of(np.array([2.0**53, 1.0])) is None
