"""Shapley values by structure are those of all coalitions; errors say the truth."""

import numpy as np
import polars as pl
import pytest
import sklearn.svm
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from infimum.errors import DataError, IncompatibleError
from infimum.explanation import linear_shapley, model_shapley, shapley_values
from infimum.features import TableEncoder
from infimum.models.ensembles import (
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from infimum.models.kernel import SVC
from infimum.models.linear import (
    LogisticRegression,
    PoissonRegressor,
    Ridge,
    TweedieRegressor,
)
from infimum.models.trees import DecisionTreeClassifier, DecisionTreeRegressor


@pytest.fixture
def table(rng):
    frame = pl.DataFrame(
        {
            "age": rng.normal(40.0, 9.0, 120),
            "job": rng.choice(["cook", "clerk", "smith"], 120),
            "town": rng.choice(["a", "b"], 120),
        }
    )
    level = 0.03 * frame["age"].to_numpy() + (frame["job"] == "cook").to_numpy()
    return frame, level + rng.normal(0.0, 0.2, 120)


@pytest.mark.parametrize("maker", [PoissonRegressor, TweedieRegressor])
def test_the_logarithm_of_a_count_is_shared_out_exactly(table, maker, rng):
    frame, level = table
    options = {"power": 1.5} if maker is TweedieRegressor else {}
    model = make_pipeline(TableEncoder(), maker(alpha=1e-3, **options))
    model.fit(frame, rng.poisson(np.exp(level)).astype(float) + 1)
    found = shapley_values(model, frame[:4], frame)
    assert (found.method, found.response) == ("linear", "log prediction")
    said = model.predict(frame[:4])
    np.testing.assert_allclose(np.exp(found.base + found.values.sum(axis=1)), said)
    asked = model_shapley(
        lambda rows: np.log(model.predict(rows)), frame[:4], frame, method="exact"
    )
    np.testing.assert_allclose(found.values, asked.values, atol=1e-7)


def test_a_model_with_no_link_stays_on_the_scale_of_its_predictions(table):
    frame, level = table
    model = make_pipeline(TableEncoder(), TweedieRegressor(power=0)).fit(frame, level)
    assert shapley_values(model, frame[:2], frame).response == "prediction"


def test_a_blend_is_shared_out_as_its_members_are(table):
    frame, level = table
    members = [
        ("ridge", make_pipeline(TableEncoder(), Ridge())),
        ("tree", make_pipeline(TableEncoder(), DecisionTreeRegressor(max_depth=3))),
    ]
    votes = VotingRegressor(members, weights=[3, 1]).fit(frame, level)
    model = make_pipeline(FunctionTransformer(), votes)
    found = shapley_values(model, frame[:3], frame[:40])
    assert (found.method, found.names) == ("members", ("age", "job", "town"))
    np.testing.assert_allclose(found.answers, model.predict(frame[:3]))
    asked = model_shapley(model, frame[:3], frame[:40], method="exact")
    np.testing.assert_allclose(found.values, asked.values, atol=1e-7)
    assert found.base == pytest.approx(asked.base)


def test_probabilities_of_scores_are_not_averaged_as_scores(table):
    frame, level = table
    y = np.where(level > np.median(level), "high", "low")
    trees = [
        (
            str(depth),
            make_pipeline(TableEncoder(), DecisionTreeClassifier(max_depth=depth)),
        )
        for depth in (2, 3)
    ]
    votes = VotingClassifier(trees, voting="soft").fit(frame, y)
    found = shapley_values(votes, frame[:3], frame[:30])
    assert (found.method, found.response) == ("members", "probability")
    np.testing.assert_allclose(found.answers, votes.predict_proba(frame[:3])[:, 1])
    mixed = [*trees, ("linear", make_pipeline(TableEncoder(), LogisticRegression()))]
    votes = VotingClassifier(mixed, voting="soft").fit(frame, y)
    asked = shapley_values(votes, frame[:3], frame[:30])
    assert (asked.method, asked.response) == ("exact", "probability")


def test_only_averages_are_shared_out_by_their_members(table):
    frame, level = table
    trees = [
        (
            str(depth),
            make_pipeline(TableEncoder(), DecisionTreeRegressor(max_depth=depth)),
        )
        for depth in (1, 3)
    ]
    model = StackingRegressor(trees).fit(frame, level)
    found = shapley_values(model, frame[:3], frame[:20])
    assert found.method == "exact"
    np.testing.assert_allclose(found.answers, model.predict(frame[:3]))


def test_a_blend_is_asked_about_either_class(table):
    frame, level = table
    y = np.where(level > np.median(level), "high", "low")
    tree = make_pipeline(TableEncoder(), DecisionTreeClassifier(max_depth=2))
    votes = VotingClassifier([("tree", tree)], voting="soft").fit(frame, y)
    for place, label in enumerate(["high", "low"]):
        found = shapley_values(votes, frame[:3], frame[:20], target=label)
        assert found.method == "members"
        chances = votes.predict_proba(frame[:3])[:, place]
        np.testing.assert_allclose(found.answers, chances)
    with pytest.raises(DataError, match="not 'middle'"):
        shapley_values(votes, frame[:3], frame[:20], target="middle")


def test_of_several_outputs_the_first_is_shared_out(rng):
    X = rng.normal(size=(30, 3))
    model = Ridge().fit(X, np.c_[X[:, 0], X[:, 1] - X[:, 2]])
    found = shapley_values(model, X[:4], X)
    assert (found.method, found.response) == ("linear", "prediction")
    np.testing.assert_allclose(found.answers, model.predict(X[:4])[:, 0])


@pytest.mark.parametrize("maker", [SVC, sklearn.svm.SVC])
def test_machines_that_compare_classes_in_pairs_are_asked(maker, rng):
    X = rng.normal(size=(60, 3))
    model = maker(kernel="linear").fit(X, np.digitize(X[:, 0], [-0.5, 0.5]))
    found = shapley_values(model, X[:4], X[:20])
    assert (found.method, found.response) == ("exact", "score")
    np.testing.assert_allclose(found.answers, model.decision_function(X[:4])[:, 2])
    with pytest.raises(IncompatibleError, match="pairs"):
        linear_shapley(model, X)


def test_sampled_values_are_as_far_off_as_their_errors_say(rng):
    weights = rng.normal(size=7)

    def crooked(X):
        return np.tanh(X @ weights) + X[:, 0] * X[:, 1] * X[:, 2]

    X, everybody = rng.normal(size=(1, 7)), rng.normal(size=(600, 7))
    truth = model_shapley(crooked, X, everybody, method="exact").values[0]
    inside = []
    for seed in range(60):
        drawn = np.random.default_rng(seed).choice(600, 16, replace=False)
        found = model_shapley(crooked, X, everybody[drawn], method="sampled", seed=seed)
        assert found.values.sum() + found.base == pytest.approx(found.answers[0])
        inside.append(np.abs(found.values[0] - truth) <= 2 * found.errors[0])
    # Two standard errors of 16 background rows: Student's 93.6 %, less some skewness.
    assert np.mean(inside) > 0.9
    assert np.mean(inside) < 0.99
