"""The final fit keeps to the time, and a job ends with a model in any case."""

import time

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.learn import contenders as shelf
from infimum.learn import final_fit, job
from infimum.models.trees import DecisionTreeClassifier


class Turtle(DecisionTreeClassifier):
    """A tree that is slow on folds, and never ready on all rows."""

    def __init__(self, patience=0.0, rows=0, random_state=None):
        super().__init__(random_state=random_state)
        self.patience = patience
        self.rows = rows

    def fit(self, X, y):
        time.sleep(self.patience if len(y) <= self.rows else 30.0)
        return super().fit(X, y)


def turtle(rows):
    return shelf.Contender(
        "turtle",
        "Turtle",
        lambda: Turtle(patience=0.2, rows=rows, random_state=0),
        grid=({},),
        convex=False,
    )


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=(2, 200))
    return pl.DataFrame({"x": x, "z": z, "y": np.where((x > 0) == (z > 0), "a", "b")})


@pytest.fixture
def hasty(monkeypatch):
    monkeypatch.setattr(job, "warm", lambda *_: None)
    monkeypatch.setattr(final_fit, "_GRACE", 0.3)


def test_a_winner_that_cannot_be_fitted_in_time_leaves_its_place(
    table, hasty, monkeypatch
):
    field = (*shelf.classifiers()[:2], turtle(rows=130))
    monkeypatch.setattr(job, "classifiers", lambda: field)
    began = time.perf_counter()
    result = infimum.learn(table, "y", budget=4.0)
    assert time.perf_counter() - began < 25
    assert result.choice.name in ("baseline", "logistic-l2")
    (told,) = result.warnings
    assert told.startswith("Turtle was chosen, but could not be fitted to all rows")
    assert result.model.predict(table).shape == (200,)


def test_who_has_time_is_waited_for(table, hasty, monkeypatch):
    field = (*shelf.classifiers()[:2], turtle(rows=200))
    monkeypatch.setattr(job, "classifiers", lambda: field)
    result = infimum.learn(table, "y", budget=30.0)
    assert (result.choice.name, result.warnings) == ("turtle", ())


def test_the_only_contender_is_waited_for_whatever_the_time(table, hasty, monkeypatch):
    monkeypatch.setattr(job, "classifiers", lambda: shelf.classifiers()[:1])
    result = infimum.learn(table, "y", budget=1e-3)
    assert result.choice.name == "baseline"
