"""The budget holds: slow fits are foreseen, and stopped if they were not."""

import time
from functools import partial

import numpy as np
import polars as pl
from sklearn.base import BaseEstimator, ClassifierMixin

import infimum
from infimum.learn import job
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare.fits import forecast
from infimum.learn.folds import EncodedFold, splits_of
from infimum.learn.problem import pose


class Sleeper(ClassifierMixin, BaseEstimator):
    """A classifier that needs a while for every row."""

    def __init__(self, per_row=0.0, at_least=0.0):
        self.per_row = per_row
        self.at_least = at_least

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.n_features_in_ = X.shape[1]
        until = time.perf_counter() + max(self.at_least, self.per_row * len(y))
        while time.perf_counter() < until:
            time.sleep(0.001)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


def sleeper(**given):
    return shelf.Contender(
        "sleeper", "Sleeper", partial(Sleeper, **given), grid=({},), convex=False
    )


def table(n):
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    label = np.where(x + rng.normal(size=n) > 0, "a", "b")
    return pl.DataFrame({"x": x, "z": rng.normal(size=n), "y": label})


def test_two_small_parts_tell_the_time_of_the_whole():
    problem = pose(table(12_000), "y")
    encoded = EncodedFold(problem, splits_of(problem, 0)[0])
    told = forecast(sleeper(per_row=1e-4), (0.0,), encoded, np.inf)
    assert 0.5 < told / (9_600 * 1e-4) < 20
    few = pose(table(300), "y")
    small = EncodedFold(few, splits_of(few, 0)[0])
    assert forecast(sleeper(per_row=1e-4), (0.0,), small, np.inf) == 0


def test_a_contender_that_would_be_late_does_not_start(monkeypatch):
    # The first three run whatever the time.
    field = (*shelf.classifiers()[:3], sleeper(per_row=2e-3))
    monkeypatch.setattr(job, "classifiers", lambda: field)
    monkeypatch.setattr(job, "warm", lambda *_: None)
    result = infimum.learn(table(13_000), "y", budget=15.0)
    # Seventeen seconds for the first fold were foreseen from two.
    assert result.choice.name.startswith("logistic")
    assert result.contenders[0].folds == 5
    assert result.warnings == ("Left out, too slow for the time given: Sleeper.",)


def test_a_fit_that_nobody_foresaw_is_ended_with_its_process(monkeypatch):
    field = (*shelf.classifiers()[:2], sleeper(at_least=100.0))
    monkeypatch.setattr(job, "classifiers", lambda: field)
    monkeypatch.setattr(job, "warm", lambda *_: None)
    began = time.perf_counter()
    result = infimum.learn(table(300), "y", budget=4.0, workers=1)
    assert time.perf_counter() - began < 60
    late = "Left out, too slow for the time given: Sleeper."
    # On a busy machine the others may have used up the time before.
    assert result.warnings == (late,) or result.ended == "budget"
    assert result.contenders[0].name == "baseline"
    assert "sleeper" not in [contender.name for contender in result.contenders]


def test_the_best_proof_comes_first_and_the_others_only_in_time(monkeypatch):
    monkeypatch.setattr(job, "classifiers", lambda: shelf.classifiers()[:3])
    monkeypatch.setattr(job, "_PROOF_SHARE", 0.0)
    result = infimum.learn(table(300), "y", budget=600.0)
    (proved,) = [each for each in result.contenders if each.proof]
    best = max(each.scores[each.best] for each in result.contenders)
    assert proved.scores[proved.best] == best
