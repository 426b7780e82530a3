"""The final fit keeps to the time, and a job ends with a model in any case."""

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.learn import job
from infimum.learn.choose import final_fit
from infimum.learn.compare import contenders as shelf
from tests.learn.imaginary_clock import CLOCK, TimedTree, imagine


def turtle(rows):
    """Return a tree that is slow on folds, and never ready on more rows than these."""
    slow = type("Turtle", (TimedTree,), {"seconds": 0.2, "rows": rows, "more": 1e6})
    grid = ({"random_state": 0},)
    return shelf.Contender("turtle", "Turtle", slow, grid=grid, convex=False)


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=(2, 200))
    return pl.DataFrame({"x": x, "z": z, "y": np.where((x > 0) == (z > 0), "a", "b")})


@pytest.fixture(autouse=True)
def hasty(monkeypatch):
    monkeypatch.setattr(job, "warm", lambda *_: None)
    monkeypatch.setattr(final_fit, "_GRACE", 0.3)
    imagine(monkeypatch)


def test_a_winner_that_cannot_be_fitted_in_time_leaves_its_place(table, monkeypatch):
    field = (*shelf.classifiers()[:2], turtle(rows=130))
    monkeypatch.setattr(job, "classifiers", lambda: field)
    began = CLOCK.now
    result = infimum.learn(table, "y", budget=4.0)
    assert CLOCK.now - began == pytest.approx(4.0, abs=1.0)
    assert result.choice.name in ("baseline", "logistic-l2")
    (told,) = (each for each in result.warnings if "Turtle" in each)
    assert told.startswith("Turtle was chosen, but could not be fitted to all rows")
    assert result.model.predict(table).shape == (200,)


def test_who_has_time_is_waited_for(table, monkeypatch):
    field = (*shelf.classifiers()[:2], turtle(rows=200))
    monkeypatch.setattr(job, "classifiers", lambda: field)
    result = infimum.learn(table, "y", budget=30.0)
    assert (result.choice.name, result.replaced) == ("turtle", ())


def test_the_only_contender_is_waited_for_whatever_the_time(table, monkeypatch):
    monkeypatch.setattr(job, "classifiers", lambda: shelf.classifiers()[:1])
    result = infimum.learn(table, "y", budget=1e-3)
    assert result.choice.name == "baseline"
