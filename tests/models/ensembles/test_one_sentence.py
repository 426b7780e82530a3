"""What trees and committees cannot use is refused in one sentence that names it."""

import numpy as np
import pytest

from infimum.errors import DataError, InvalidParameterError
from infimum.models.ensembles import (
    AdaBoostRegressor,
    BaggingRegressor,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from infimum.models.trees import ComparisonTreeRegressor, DecisionTreeRegressor

X = np.random.default_rng(0).normal(size=(40, 3))
Y = X[:, 0] + X[:, 1] ** 2
REGRESSORS = [
    AdaBoostRegressor,
    BaggingRegressor,
    ComparisonTreeRegressor,
    DecisionTreeRegressor,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
]
GROWN = [DecisionTreeRegressor, RandomForestRegressor, HistGradientBoostingRegressor]


@pytest.mark.parametrize("kind", REGRESSORS)
def test_words_are_no_targets_of_a_regression(kind):
    with pytest.raises(DataError, match=f"{kind.__name__} needs numbers as targets"):
        kind().fit(X, np.where(Y > 0, "yes", "no"))


@pytest.mark.parametrize("kind", GROWN)
@pytest.mark.parametrize("given", [1.5, object()], ids=["number", "object"])
@pytest.mark.parametrize("name", ["categorical_features", "interaction_cst"])
def test_constraints_that_are_no_lists_are_named(kind, name, given):
    with pytest.raises(InvalidParameterError, match=f"{kind.__name__}.{name} must be"):
        kind(**{name: given}).fit(X, Y)


@pytest.mark.parametrize("given", ["half", [], -1.5, float("nan")])
def test_a_share_of_rows_is_a_number(given):
    with pytest.raises(InvalidParameterError, match=r"max_samples must be"):
        RandomForestRegressor(2, max_samples=given).fit(X, Y)


def test_large_whole_weights_take_the_memory_of_the_rows():
    """Four hundred thousand million copies are drawn as counts, if all are asked."""
    weight = np.where(np.arange(40) < 20, 3e10, 1e10)
    every = int(weight.sum())
    forest = RandomForestRegressor(4, random_state=0, max_samples=every)
    forest.fit(X, Y, weight)
    full = DecisionTreeRegressor(random_state=0).fit(X, Y, weight)
    assert np.allclose(forest.predict(X), full.predict(X))
    few = RandomForestRegressor(4, random_state=0).fit(X, Y, weight)
    assert [len(rows) for rows in few.estimators_samples_] == [40] * 4
    beyond = RandomForestRegressor(4, random_state=0).fit(X, Y, weight * 1e9)
    assert np.isfinite(beyond.predict(X)).all()
