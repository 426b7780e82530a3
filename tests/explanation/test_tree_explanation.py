"""Trees explain themselves: exact Shapley values."""

import numpy as np
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline

from infimum.explanation import model_shapley, shapley_values
from infimum.features import TableEncoder
from infimum.models.ensembles import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)


@pytest.fixture
def boosted(rng):
    X = rng.standard_normal((300, 4))
    y = np.where(X[:, 0] > 0, X[:, 1], -X[:, 2]) + 0.1 * rng.standard_normal(300)
    return HistGradientBoostingRegressor(max_iter=15).fit(X, y), X, y


def test_sums_of_trees_are_shared_out_exactly_against_a_background(boosted):
    model, X, _ = boosted
    found = shapley_values(model, X[:5], X[:40])
    assert found.method == "tree"
    assert not found.errors.any()
    np.testing.assert_allclose(found.answers, model.predict(X[:5]), atol=1e-9)
    asked = model_shapley(model, X[:5], X[:40], method="exact")
    np.testing.assert_allclose(found.values, asked.values, atol=1e-8)
    assert found.base == pytest.approx(asked.base)


def test_boosted_classes_are_explained_on_their_scores(boosted):
    _, X, y = boosted
    model = HistGradientBoostingClassifier(max_iter=10).fit(X, y > 0)
    found = shapley_values(model, X[:6])
    assert found.response == "score"
    np.testing.assert_allclose(found.answers, model.decision_function(X[:6]), atol=1e-9)
    mirrored = shapley_values(model, X[:6], target=False)
    np.testing.assert_allclose(mirrored.values, -found.values)
    many = HistGradientBoostingClassifier(max_iter=5).fit(X, np.digitize(y, [-1, 1]))
    middle = shapley_values(many, X[:6], target=1)
    scores = many.decision_function(X[:6])[:, 1]
    np.testing.assert_allclose(middle.answers, scores, atol=1e-9)


def test_boosted_counts_are_explained_on_the_logarithm_and_called_so(boosted):
    _, X, y = boosted
    model = HistGradientBoostingRegressor(loss="poisson", max_iter=10)
    model.fit(X, np.floor(np.exp(y)))
    found = shapley_values(model, X[:6])
    assert found.response == "log prediction"
    np.testing.assert_allclose(np.exp(found.answers), model.predict(X[:6]))
    assert shapley_values(boosted[0], X[:6]).response == "prediction"


def test_encoded_columns_get_the_sums_of_their_features(rng):
    frame = pl.DataFrame(
        {"job": rng.choice(["a", "b", "c"], 200), "age": rng.uniform(20, 60, 200)}
    )
    y = 5.0 * (frame["job"].to_numpy() == "b") + 0.1 * frame["age"].to_numpy()
    model = make_pipeline(TableEncoder(), HistGradientBoostingRegressor(max_iter=20))
    model.fit(frame, y)
    found = shapley_values(model, frame[:10])
    assert found.names == ("job", "age")
    np.testing.assert_allclose(
        found.base + found.values.sum(axis=1), model.predict(frame[:10]), atol=1e-9
    )
    told = (frame["job"][:10] == "b").to_numpy()
    assert (found.values[told, 0] > 1).all()
    assert (found.values[~told, 0] < 0).all()
