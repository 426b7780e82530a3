"""Rows that a user sets apart judge the rounds of boosting."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.ensemble import HistGradientBoostingClassifier as TheirClassifier
from sklearn.ensemble import HistGradientBoostingRegressor as TheirRegressor
from sklearn.metrics import log_loss

from infimum.errors import DataError, InvalidParameterError
from infimum.models.ensembles import (
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)


@pytest.fixture
def rows(rng):
    X = rng.normal(size=(400, 3))
    score = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=400)
    return X[:240], score[:240], X[240:], score[240:]


SETTINGS = {
    "max_iter": 99,
    "learning_rate": 0.3,
    "max_leaf_nodes": 6,
    "n_iter_no_change": 4,
}


def test_numbers_stop_where_scikit_learns_stop(rows):
    X, y, fresh, truth = rows
    given = {"X_val": fresh, "y_val": truth}
    ours = HistGradientBoostingRegressor(**SETTINGS).fit(X, y, **given)
    theirs = TheirRegressor(**SETTINGS, early_stopping=True).fit(X, y, **given)
    assert ours.n_iter_ == theirs.n_iter_ < 99
    assert ours.do_early_stopping_
    np.testing.assert_allclose(ours.predict(fresh), theirs.predict(fresh), rtol=1e-4)
    np.testing.assert_allclose(
        ours.validation_score_, theirs.validation_score_, rtol=1e-5
    )


def test_classes_are_judged_by_the_rows_given_and_their_weights(rows):
    X, y, fresh, truth = rows
    y, truth = np.where(y > 0, "up", "down"), np.where(truth > 0, "up", "down")
    weights = np.arange(len(truth)) % 3
    given = {"X_val": fresh, "y_val": truth, "sample_weight_val": weights}
    ours = HistGradientBoostingClassifier(**SETTINGS).fit(X, y, **given)
    theirs = TheirClassifier(**SETTINGS, early_stopping=True).fit(X, y, **given)
    assert ours.n_iter_ == theirs.n_iter_
    told = log_loss(truth, ours.predict_proba(fresh), sample_weight=weights)
    assert ours.validation_score_[-1] == pytest.approx(-told)
    # Zeros that are not stored are zeros, in both tables.
    thin = HistGradientBoostingClassifier(**SETTINGS).fit(
        sparse.csr_array(X), y, **(given | {"X_val": sparse.csc_array(fresh)})
    )
    np.testing.assert_array_equal(
        thin.decision_function(fresh), ours.decision_function(fresh)
    )


def test_a_scorer_judges_the_rows_given(rows):
    X, y, fresh, truth = rows
    y, truth = (y > 0).astype(int), (truth > 0).astype(int)
    model = HistGradientBoostingClassifier(**SETTINGS, scoring="accuracy")
    model.fit(X, y, X_val=fresh, y_val=truth)
    assert model.validation_score_[-1] == model.score(fresh, truth)


def test_what_cannot_judge_is_one_sentence(rows):
    X, y, fresh, truth = rows
    with pytest.raises(DataError, match="X_val and y_val are given together"):
        HistGradientBoostingRegressor().fit(X, y, X_val=fresh)
    stubborn = HistGradientBoostingRegressor(early_stopping=False)
    with pytest.raises(InvalidParameterError, match="early_stopping must be"):
        stubborn.fit(X, y, X_val=fresh, y_val=truth)
    labels = np.where(y > 0, "a", "b")
    with pytest.raises(DataError, match="there is no class 'c'"):
        HistGradientBoostingClassifier().fit(
            X, labels, X_val=fresh, y_val=np.full(len(fresh), "c")
        )


def test_a_monitor_sees_every_round_and_may_end_them(rows):
    X, y, _, _ = rows
    seen = []

    def monitor(turn, model, state):
        seen.append((turn, type(model).__name__, len(state["run"].trees)))
        return turn == 2

    model = GradientBoostingRegressor(n_estimators=9).fit(X, y, monitor=monitor)
    assert seen == [(t, "GradientBoostingRegressor", t + 1) for t in range(3)]
    assert model.n_estimators_ == 3
