"""Importance: nothing for what is not used, honest bars for the rest."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.inspection import permutation_importance as reference_importance
from sklearn.pipeline import make_pipeline

from infimum.errors import DataError, InvalidParameterError
from infimum.explanation import global_relevance, permutation_importance
from infimum.features import TableEncoder
from infimum.models.linear import LogisticRegression, Ridge
from infimum.models.neighbors import KNeighborsClassifier
from infimum.models.trees import DecisionStump


def mixed_frame(rng, n=300):
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "job": rng.choice(["clerk", "cook", "smith"], n),
            "noise": rng.standard_normal(n),
        }
    )
    paid = (frame["age"].to_numpy() > 45) | (frame["job"].to_numpy() == "smith")
    return frame, paid.astype(int)


@settings(max_examples=25)
@given(st.integers(0, 1000), st.integers(2, 5))
def test_a_column_that_is_not_used_has_importance_zero_exactly(seed, d):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((40, d))
    weights = np.where(np.arange(d) == 0, 0.0, 1.0)
    model = Ridge().fit(X, X @ weights)
    model.coef_ = weights
    found = permutation_importance(model, X, X @ weights, repeats=2, seed=seed)
    assert found.drops["score"][0] == 0.0
    assert found.errors["score"][0] == 0.0
    assert (found.drops["score"][1:] > 0).all()


def test_importances_agree_with_an_independent_program(rng):
    X = rng.standard_normal((400, 4))
    y = (X @ [2.0, 1.0, 0.5, 0.0] + rng.standard_normal(400) > 0).astype(int)
    model = LogisticRegression().fit(X, y)
    ours = permutation_importance(
        model, X, y, scoring=["accuracy", "roc_auc"], repeats=30
    )
    for scorer in ("accuracy", "roc_auc"):
        theirs = reference_importance(
            model, X, y, scoring=scorer, n_repeats=30, random_state=0
        )
        error = theirs.importances_std / np.sqrt(30)
        gap = np.abs(ours.drops[scorer] - theirs.importances_mean)
        assert (gap <= 5 * error + 1e-12).all()
    assert ours.scores["accuracy"] == pytest.approx(model.score(X, y))


def test_the_bars_cover_the_luck_of_rows_and_shuffles(rng):
    model = LogisticRegression()
    model.fit(rng.standard_normal((50, 2)), rng.integers(0, 2, 50))
    model.coef_, model.intercept_ = np.array([[2.0, 0.5]]), np.array([0.0])
    found = []
    for seed in range(60):
        X = rng.standard_normal((150, 2))
        y = (X @ [2.0, 0.5] + rng.logistic(size=150) > 0).astype(int)
        found.append(
            permutation_importance(
                model, X, y, scoring="neg_log_loss", repeats=5, seed=seed
            )
        )
    drops = np.array([each.drops["neg_log_loss"] for each in found])
    claimed = np.array([each.errors["neg_log_loss"] for each in found]).mean(axis=0)
    np.testing.assert_allclose(claimed, drops.std(axis=0), rtol=0.35)


def test_fewer_rows_cost_certainty_only(rng):
    X = rng.standard_normal((4000, 2))
    y = X @ [2.0, 1.0] + rng.standard_normal(4000)
    model = Ridge().fit(X, y)
    whole = permutation_importance(model, X, y, repeats=3)
    part = permutation_importance(model, X, y, repeats=3, rows=400)
    assert part.n == 400
    assert (part.errors["score"] > whole.errors["score"]).all()
    gap = np.abs(part.drops["score"] - whole.drops["score"])
    assert (gap < 4 * part.errors["score"]).all()


def test_columns_that_say_the_same_are_shuffled_together(rng):
    x = rng.standard_normal(300)
    X = np.column_stack([x, x, rng.standard_normal(300)])
    model = Ridge().fit(X, 3 * x)
    groups = {"twins": [0, 1], "other": [2]}
    apart = permutation_importance(model, X, 3 * x)
    both = permutation_importance(model, X, 3 * x, groups=groups)
    assert both.names == ("twins", "other")
    assert both.drops["score"][0] > 1.5 * apart.drops["score"][0]
    with pytest.raises(DataError, match="no column 'nobody'"):
        permutation_importance(model, X, 3 * x, groups={"a": ["nobody"]})
    with pytest.raises(DataError, match="a truth for each of 300 rows"):
        permutation_importance(model, X, x[:5])
    alone = permutation_importance(model, X, 3 * x, groups={"last": ["x2"]})
    assert alone.drops["score"][0] == apart.drops["score"][2]
    with pytest.raises(InvalidParameterError, match="repeats"):
        permutation_importance(model, X, 3 * x, repeats=0)


@pytest.mark.parametrize("to", [lambda f: f, lambda f: f.to_pandas()], ids=["pl", "pd"])
def test_tables_of_numbers_and_words_are_explained(to, rng):
    frame, y = mixed_frame(rng)
    model = make_pipeline(TableEncoder(), LogisticRegression()).fit(frame, y)
    found = permutation_importance(model, to(frame), y, repeats=5)
    assert {name for name, _, _ in found.ranked()[:2]} == {"age", "job"}
    assert json.loads(json.dumps(found.to_dict()))["n"] == 300
    again = permutation_importance(model, to(frame), y, repeats=5)
    np.testing.assert_array_equal(found.drops["score"], again.drops["score"])
    picture = found.plot()
    assert picture.data[0].y[-1] == found.ranked()[0][0]


def test_sparse_rows_and_frames_of_pandas_types(rng):
    X = sparse.random(80, 5, density=0.4, random_state=0, format="csr")
    y = np.asarray(X.sum(axis=1)).ravel()
    model = Ridge(alpha=1e-6).fit(X, y)
    found = permutation_importance(model, X, y, repeats=2)
    assert (found.drops["score"] > 0).all()
    frame = pd.DataFrame({"a": pd.array([1, None, 3] * 20, dtype="Int64")})
    frame["b"] = pd.Categorical(["u", "v", "w"] * 20)

    class Counter:
        classes_ = np.array([0, 1])

        def predict(self, X):
            assert X["b"].dtype == "category"
            return (X["b"] == "u").to_numpy().astype(int)

        def fit(self, X, y):
            return self

        def score(self, X, y):
            return 0.0

        def __sklearn_tags__(self):
            return LogisticRegression().__sklearn_tags__()

    drops = permutation_importance(Counter(), frame, [1, 0, 0] * 20).drops["score"]
    assert drops[0] == 0
    assert drops[1] > 0.2


@pytest.mark.syllabus("S4B-155")
def test_the_most_relevant_features_of_linear_models_are_read_off_in_equal_units(rng):
    X = rng.standard_normal((200, 4)) * [1, 10, 100, 1]
    y = X @ [5.0, 0.1, 0.1, 0.0]
    model = Ridge(alpha=1e-8).fit(X, y)
    found = global_relevance(model, X)
    assert found.ranked() == [2, 0, 1, 3]
    np.testing.assert_allclose(
        found.relevances, np.abs(model.coef_) * X.std(axis=0), rtol=1e-12
    )
    assert global_relevance(model).ranked()[0] == 0
    # A tree states its own: the feature at its root is what it leans on most.
    stump = DecisionStump().fit(X, X[:, 1] > 3)
    assert global_relevance(stump).ranked()[0] == 1 == stump.tree_.feature[0]
    # Shuffling the columns, which knows nothing of weights, finds the same order.
    drops = permutation_importance(model, X, y).ranked()
    assert [name for name, _, _ in drops[:3]] == ["x2", "x0", "x1"]
    with pytest.raises(TypeError, match="permutation_importance"):
        global_relevance(KNeighborsClassifier().fit(X, y > 0))
