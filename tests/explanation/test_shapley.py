"""Shapley values: efficient, symmetric, nothing for dummies, whichever way computed."""

import json
from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.pipeline import make_pipeline

from infimum.errors import DataError, IncompatibleError
from infimum.explanation import linear_shapley, model_shapley, shapley_values
from infimum.features import TableEncoder
from infimum.models.kernel import KernelRidge
from infimum.models.linear import (
    LinearRegression,
    LogisticRegression,
    OrdinalLogisticRegression,
    PoissonRegressor,
)


def crooked(X):
    """Answer with a product of neighbours, and never look at the last column."""
    return X[:, 0] * X[:, 1] + np.sin(X[:, 2]) * X[:, 0]


def by_definition(function, x, background):
    """Return the average gain of each column over all orders and background rows."""
    d = len(x)
    values, orders = np.zeros(d), list(permutations(range(d)))
    for order in orders:
        rows = background.copy()
        before = function(rows).mean()
        for column in order:
            rows[:, column] = x[column]
            after = function(rows).mean()
            values[column] += after - before
            before = after
    return values / len(orders)


def test_exact_values_are_those_of_the_definition(rng):
    X, background = rng.standard_normal((3, 4)), rng.standard_normal((7, 4))
    found = model_shapley(crooked, X, background, method="exact")
    for row in range(3):
        np.testing.assert_allclose(
            found.values[row], by_definition(crooked, X[row], background), atol=1e-12
        )
    assert not found.errors.any()


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), method=st.sampled_from(["exact", "sampled"]))
def test_the_axioms_hold(seed, method):
    rng = np.random.default_rng(seed)
    X, background = rng.standard_normal((2, 4)), rng.standard_normal((5, 4))
    found = model_shapley(crooked, X, background, method=method, seed=seed)
    # Efficiency: the values lead from the base to the answer.
    np.testing.assert_allclose(found.base + found.values.sum(axis=1), found.answers)
    assert found.base == pytest.approx(crooked(background).mean())
    # Dummy: a column that changes nothing gets nothing.
    np.testing.assert_array_equal(found.values[:, 3], 0.0)
    # Linearity: with the same draws the values of a sum are the sum of the values.
    other = model_shapley(
        lambda X: X[:, 3] ** 2, X, background, method=method, seed=seed
    )
    both = model_shapley(
        lambda X: crooked(X) + X[:, 3] ** 2, X, background, method=method, seed=seed
    )
    np.testing.assert_allclose(both.values, found.values + other.values, atol=1e-9)


@given(st.integers(0, 10_000))
def test_columns_that_play_the_same_role_get_the_same(seed):
    rng = np.random.default_rng(seed)
    X, background = rng.standard_normal((1, 3)), rng.standard_normal((4, 3))
    X[:, 1], background[:, 1] = X[:, 0], background[:, 0]
    found = model_shapley(lambda X: X[:, 0] * X[:, 1] * X[:, 2], X, background)
    assert found.values[0, 0] == pytest.approx(found.values[0, 1])


def test_sampled_values_lie_within_their_errors_of_the_exact_ones(rng):
    X, background = rng.standard_normal((40, 4)), rng.standard_normal((16, 4))

    def threefold(X):
        return X[:, 0] * X[:, 1] * X[:, 2]

    exact = model_shapley(threefold, X, background, method="exact")
    gaps, errors = [], []
    for seed in range(4):
        sampled = model_shapley(
            threefold, X, background, method="sampled", rounds=4, seed=seed
        )
        gaps.append((sampled.values - exact.values)[:, :3])
        errors.append(sampled.errors[:, :3])
    scaled = np.array(gaps) / np.maximum(errors, 1e-12)
    assert np.mean(np.abs(scaled) <= 2) > 0.95
    # The errors allow for the background rows, which are the same for both here.
    overall = np.sqrt(np.mean(np.square(gaps)) / np.mean(np.square(errors)))
    assert 0.2 < overall < 0.8


def test_opposite_orders_are_better_than_as_many_free_ones(rng):
    # For functions of pairs of columns a pair of opposite orders is exact.
    X, background = rng.standard_normal((3, 3)), rng.standard_normal((4, 3))

    def pairs(X):
        return X[:, 0] * X[:, 1] + X[:, 1] * X[:, 2]

    exact = model_shapley(pairs, X, background, method="exact")
    sampled = model_shapley(pairs, X, background, method="sampled", rounds=1)
    np.testing.assert_allclose(sampled.values, exact.values, atol=1e-12)


def test_linear_values_are_exact(rng):
    X, y = rng.standard_normal((60, 3)), rng.integers(0, 2, 60)
    model = LogisticRegression().fit(X, y)
    found = shapley_values(model, X)
    assert found.method == "linear"
    np.testing.assert_allclose(found.answers, model.decision_function(X))
    asked = model_shapley(model.decision_function, X[:4], X, method="exact")
    np.testing.assert_allclose(found.values[:4], asked.values, atol=1e-10)
    assert found.base == pytest.approx(asked.base)
    mirrored = linear_shapley(model, X, target=0)
    np.testing.assert_allclose(mirrored.values, -found.values)


def test_the_one_score_of_ordered_classes_grows_towards_the_last(rng):
    X = rng.standard_normal((150, 2))
    y = np.digitize(X @ [2.0, -1.0] + rng.logistic(size=150), [-1.0, 0.0, 2.0])
    model = OrdinalLogisticRegression().fit(X, y)
    chances = model.predict_proba(X)
    last, first = shapley_values(model, X), linear_shapley(model, X, target=0)
    np.testing.assert_allclose(expit(last.answers), chances[:, -1])
    np.testing.assert_allclose(expit(first.answers), chances[:, 0])
    np.testing.assert_allclose(last.base + last.values.sum(axis=1), last.answers)
    np.testing.assert_allclose(first.values, -last.values)
    with pytest.raises(IncompatibleError, match="neither the first nor the last"):
        linear_shapley(model, X, target=1)


def test_encoded_tables_are_shared_out_among_their_own_columns(rng):
    frame = pl.DataFrame(
        {
            "age": rng.uniform(20, 60, 90),
            "job": rng.choice(["a", "b", "c"], 90),
            "town": rng.choice(["x", "y"], 90),
        }
    )
    y = frame["age"].to_numpy() + 10 * (frame["job"].to_numpy() == "b")
    model = make_pipeline(TableEncoder(), LinearRegression()).fit(frame, y)
    exact = linear_shapley(model, frame)
    assert exact.names == ("age", "job", "town")
    np.testing.assert_allclose(
        exact.base + exact.values.sum(axis=1), model.predict(frame)
    )
    asked = model_shapley(model, frame[:3], frame, method="exact")
    np.testing.assert_allclose(exact.values[:3], asked.values, atol=1e-9)
    assert list(exact.importance).index(max(exact.importance)) == 0


def test_models_without_a_short_way_are_asked(rng):
    X = rng.standard_normal((50, 2))
    y = rng.poisson(np.exp(0.3 * X[:, 0]))
    asked = model_shapley(PoissonRegressor().fit(X, y), X[:5])
    assert asked.method == "exact"
    wide = rng.standard_normal((30, 9))
    curved = KernelRidge(kernel="rbf").fit(wide, wide[:, 0])
    found = shapley_values(curved, wide[:2], wide)
    assert found.method == "sampled"
    again = shapley_values(curved, wide[1:2], wide)
    np.testing.assert_allclose(again.values[0], found.values[1])
    with pytest.raises(DataError, match="too many coalitions"):
        model_shapley(crooked, rng.standard_normal((2, 20)), method="exact")


def test_groups_of_columns_join_together(rng):
    X, background = rng.standard_normal((2, 4)), rng.standard_normal((5, 4))
    groups = {"pair": ["x0", "x1"]}
    found = model_shapley(crooked, X, background, groups=groups)
    assert found.names == ("pair", "x2", "x3")
    np.testing.assert_allclose(found.base + found.values.sum(axis=1), found.answers)
    with pytest.raises(DataError, match="one group only"):
        model_shapley(crooked, X, background, groups={"a": [0], "b": [0, 1]})
    with pytest.raises(DataError, match="must be alike"):
        model_shapley(crooked, X, background[:, :3])


def test_values_can_be_drawn_and_written_down(rng):
    X = rng.standard_normal((5, 4))
    found = model_shapley(crooked, X, X, method="sampled")
    bars = found.plot(row=0).data[0]
    assert sorted(bars.x) == pytest.approx(sorted(found.values[0]))
    assert max(found.plot().data[0].x) == pytest.approx(found.importance.max())
    assert len(json.loads(json.dumps(found.to_dict()))["values"]) == 5
