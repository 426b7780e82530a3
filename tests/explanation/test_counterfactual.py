"""Counterfactuals: they work, are small, and keep to what is possible."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline

from infimum.errors import DataError, InvalidParameterError
from infimum.explanation import (
    counterfactual,
    linear_counterfactual,
    rows_near_decision,
)
from infimum.features import TableEncoder
from infimum.models.linear import LinearSVC, LogisticRegression, Ridge


class Rule:
    """A classifier that answers by a formula."""

    classes_ = np.array([0, 1])

    def __init__(self, formula):
        self.formula = formula

    def predict(self, X):
        return self.formula(X).astype(int)

    def decision_function(self, X):
        return self.formula(X) - 0.5


def credit(rng, n=200):
    frame = pl.DataFrame(
        {
            "income": rng.integers(10, 60, n) * 100,
            "debts": rng.integers(0, 30, n) * 100,
            "job": rng.choice(["none", "part", "full"], n),
            "age": rng.integers(20, 70, n),
        }
    )
    employed = frame["job"].to_numpy() == "full"
    score = (frame["income"] - frame["debts"]).to_numpy() + 800 * employed
    return frame, np.where(score > 2500, "yes", "no")


@pytest.mark.syllabus("S4B-156")
def test_the_answer_is_a_sentence_one_could_tell_the_applicant(rng):
    frame, y = credit(rng)
    model = make_pipeline(TableEncoder(), LogisticRegression(C=100.0)).fit(frame, y)
    refused = int(np.flatnonzero(model.predict(frame) == "no")[0])
    found = counterfactual(model, frame, refused, fixed=["age"])
    assert found.found
    changed = frame[refused].to_dicts()[0] | {c.column: c.after for c in found.changes}
    schema = {name: frame.schema[name] for name in frame.columns}
    told = pl.DataFrame([changed], schema=schema)
    assert model.predict(told)[0] == "yes" == found.after
    assert "age" not in {change.column for change in found.changes}
    assert found.sentence.startswith("If ")
    assert found.sentence.endswith("the answer would be yes instead of no.")
    assert json.loads(json.dumps(found.to_dict()))["found"] is True
    assert counterfactual(model, frame, refused, fixed=["age"]) == found


@pytest.mark.syllabus("S4B-156")
@given(st.integers(0, 10_000))
def test_for_linear_models_the_smallest_step_has_a_formula(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((30, 3))
    model = LinearSVC().fit(X, X @ [1.0, -2.0, 0.5] > 0)
    x, w = X[0], model.coef_[0]
    step = linear_counterfactual(model, x)
    assert model.decision_function([x + step])[0] == pytest.approx(0.0, abs=1e-9)
    # No shorter step reaches the boundary: it is the distance of the point.
    distance = abs(model.decision_function([x])[0]) / np.linalg.norm(w)
    assert np.linalg.norm(step) == pytest.approx(distance)
    single = linear_counterfactual(model, x, column=1)
    assert np.count_nonzero(single) == 1
    assert single[1] == pytest.approx(-model.decision_function([x])[0] / w[1])


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_one_column_suffices_means_the_nearest_value_that_works(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, (25, 3)).astype(float)
    model = Rule(lambda X: (X[:, 0] > 7) | (X[:, 1] < 2))
    row = int(np.argmin(model.predict(X)))
    found = counterfactual(model, X, row, max_changes=1)
    best = np.inf
    for column in range(3):
        ranks = np.array(
            [
                0.5 * (np.mean(X[:, column] < v) + np.mean(X[:, column] <= v))
                for v in X[:, column]
            ]
        )
        for other in range(25):
            changed = X[[row]].copy()
            changed[0, column] = X[other, column]
            if model.predict(changed)[0] == 1:
                best = min(best, abs(ranks[other] - ranks[row]))
    assert found.found == np.isfinite(best)
    if found.found:
        assert found.distance == pytest.approx(best)


def test_two_columns_are_changed_where_one_does_not_do(rng):
    X = rng.integers(0, 20, (200, 4)).astype(float)
    X[0] = [3, 3, 10, 10]
    model = Rule(lambda X: (X[:, 0] > 10) & (X[:, 1] > 10))
    assert not counterfactual(model, X, 0, max_changes=1).found
    found = counterfactual(model, X, 0)
    assert {c.column: c.after for c in found.changes} == {"x0": 11.0, "x1": 11.0}


def test_directions_and_wishes_are_respected(rng):
    X = rng.uniform(0, 10, (300, 2))
    model = LogisticRegression(C=100.0).fit(X, np.digitize(X[:, 0], [3, 6]))
    row = int(np.argmin(np.abs(X[:, 0] - 4.5)))
    down = counterfactual(model, X, row, directions={0: "down"}, fixed=[1])
    assert down.changes[0].after < X[row, 0]
    assert down.after == 0
    up = counterfactual(model, X, row, wanted=2, fixed=[1])
    assert up.changes[0].after > X[row, 0]
    nothing = counterfactual(model, X, row, wanted=0, directions={0: "up"}, fixed=[1])
    assert not nothing.found
    assert "No allowed change" in nothing.sentence
    with pytest.raises(DataError, match="wanted must be one of"):
        counterfactual(model, X, row, wanted=9)
    with pytest.raises(InvalidParameterError, match="directions"):
        counterfactual(model, X, row, directions={0: "sideways"})


def test_regressions_are_asked_for_an_interval(rng):
    X = rng.uniform(0, 1, (200, 2))
    model = Ridge(alpha=1e-6).fit(X, 100 * X[:, 0])
    row = int(np.argmin(X[:, 0]))
    found = counterfactual(model, X, row, wanted=(50, 60))
    assert 50 <= found.after <= 60
    assert [c.column for c in found.changes] == ["x0"]
    assert not counterfactual(model, X, row, wanted=(-10, 100)).found  # already there
    with pytest.raises(DataError, match="low, high"):
        counterfactual(model, X, row)
    with pytest.raises(DataError, match="row must be"):
        counterfactual(model, X, 999, wanted=(0, 1))


def test_the_rows_nearest_to_the_decision_are_where_it_turns(rng):
    X = rng.standard_normal((100, 2))
    model = LogisticRegression().fit(X, X[:, 0] + 0.3 * X[:, 1] > 0)
    near = rows_near_decision(model, X, most=7)
    scores = np.abs(model.decision_function(X))
    assert set(near.rows) == set(np.argsort(scores)[:7])
    assert (np.diff(near.distances) >= 0).all()
    np.testing.assert_array_equal(near.decisions, model.predict(X[near.rows]))
    many = LogisticRegression().fit(X, np.digitize(X[:, 0], [-0.5, 0.5]))
    best = np.sort(many.predict_proba(X), axis=1)
    first = rows_near_decision(many, X, most=1)
    assert first.distances[0] == pytest.approx((best[:, -1] - best[:, -2]).min())
    with pytest.raises(TypeError, match="decides nothing"):
        rows_near_decision(Ridge().fit(X, X[:, 0]), X)
