"""Among equally good questions: features by chance, cuts in the middle of the gap."""

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingRegressor as TheirBoosting

from infimum.models.ensembles import (
    BaggingRegressor,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
    QuantileForestRegressor,
    RandomForestRegressor,
)
from infimum.models.trees import DecisionTreeRegressor

CHANCE = {"n_estimators": 30, "random_state": 0}


@pytest.fixture
def twins(rng):
    """Return a table with three columns that are one."""
    x = rng.normal(size=(80, 1))
    return np.repeat(x, 3, axis=1), np.sin(3 * x[:, 0])


@pytest.mark.parametrize(
    "model",
    [
        RandomForestRegressor(**CHANCE),
        QuantileForestRegressor(**CHANCE),
        ExtraTreesRegressor(**CHANCE),
        GradientBoostingRegressor(**CHANCE),
        GradientBoostingClassifier(**CHANCE),
    ],
    ids=lambda model: type(model).__name__,
)
def test_trees_of_an_ensemble_disagree_about_equal_columns(model, twins):
    X, y = twins
    model.fit(X, y > 0 if isinstance(model, GradientBoostingClassifier) else y)
    assert model.feature_importances_.min() > 0.05


def test_bagged_trees_disagree_about_equal_columns(twins):
    model = BaggingRegressor(DecisionTreeRegressor(max_depth=1), **CHANCE).fit(*twins)
    asked = {int(tree.tree_.feature[0]) for tree in model.estimators_}
    assert asked == {0, 1, 2}


def test_a_tree_without_a_seed_asks_for_the_first_of_equal_columns(twins):
    model = DecisionTreeRegressor().fit(*twins)
    assert set(model.tree_.feature.tolist()) == {-2, 0}
    assert HistGradientBoostingRegressor().fit(*twins).feature_importances_[0] == 1.0


def test_a_boosted_cut_lies_in_the_middle_of_what_the_node_has_seen():
    # The first column sends away the rows that lie in the gap of the second one.
    gap = np.arange(20.0)
    second = np.concatenate([[0.0, 1.0, 20.0, 21.0], gap[1:20]])
    first = np.concatenate([np.zeros(4), np.ones(19)])
    X = np.column_stack([first, second])
    y = np.concatenate([[0.0, 0.0, 1.0, 1.0], np.full(19, 9.0)])
    settings = {"n_estimators": 1, "max_depth": 2, "random_state": 0}
    model = GradientBoostingRegressor(**settings).fit(X, y)
    told = model.predict([[0.0, 9.0], [0.0, 12.0]])
    assert told[0] < told[1]
    peer = TheirBoosting(**settings).fit(X, y).predict([[0.0, 9.0], [0.0, 12.0]])
    np.testing.assert_allclose(told, peer, rtol=1e-12)
