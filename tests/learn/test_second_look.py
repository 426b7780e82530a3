"""The race judges what it says it judges, and the final fit is held to it."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import r2_score
from sklearn.pipeline import Pipeline

import infimum
from infimum.evaluation.scoring import (
    Predictions,
    count_extreme,
    criterion_for,
    measure,
)
from infimum.learn import job
from infimum.learn.choose.refit import disappointment, is_open, promise_of, unsteadiness
from infimum.learn.choose.rule import choose, standings
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare import race as track
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.fits import models_at
from infimum.learn.compare.race import race
from infimum.learn.compare.tally import FoldResult, Tally
from infimum.learn.folds import EncodedFold, splits_of
from infimum.learn.journal import Decisions
from infimum.learn.problem import pose
from infimum.models.linear import Lasso, LogisticRegression, PoissonRegressor, Ridge

RMSE = criterion_for(np.array([]))


def silent(_):
    """Say nothing."""


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 6))
    table = pl.DataFrame({f"x{k}": X[:, k] for k in range(6)})
    y = 50 + X @ [9.0, 5.0, 3.0, 0.0, 0.0, 0.0] + rng.normal(size=120)
    return pose(table.with_columns(y=pl.Series(np.maximum(y.round(), 0))), "y")


@pytest.mark.parametrize(
    "make", [Ridge, Lasso, PoissonRegressor], ids=lambda m: m.__name__
)
def test_every_lap_judges_the_strengths_that_it_names(problem, monkeypatch, make):
    monkeypatch.setattr(track, "SWEEPS", 3)
    splits = splits_of(problem, 0)
    field = [Contender("one", "One", make), Contender("two", "Two", make)]
    outcome = race(field, problem, splits, RMSE, deadline=np.inf, progress=silent)
    (first,) = (each for each in standings(outcome.tallies) if each.tally.racing)
    # A path goes on while its weakest strength is the best.
    assert len(first.values) >= 17
    encoded = EncodedFold(problem, splits[0])
    _, X, held = encoded.view("linear")
    for value, errors in zip(first.values, first.errors, strict=True):
        model = make(alpha=value).fit(X, encoded.y)
        left = encoded.held_targets - model.predict(held)
        assert errors[0] == pytest.approx(np.sqrt(np.mean(left**2)), rel=1e-3)


@pytest.mark.parametrize("values", [(1.0, 2.0, 3.0), (3.0, 2.0, 1.0)])
@pytest.mark.parametrize("large", [1, 10**9])
def test_models_come_in_the_order_of_their_strengths(
    problem, monkeypatch, values, large
):
    monkeypatch.setattr("infimum.learn.compare.fits._LARGE", large)
    encoded = EncodedFold(problem, splits_of(problem, 0)[0])
    contender = Contender("ridge", "Ridge", Ridge)
    _, told, models = models_at(contender, values, encoded, np.inf)
    assert [model.alpha for model in models] == list(told) == [3.0, 2.0, 1.0]


def tally(name, errors, extreme=None, rank=1):
    made = Tally(Contender(name, name, Ridge, rank=rank), "alpha")
    for place, error in enumerate(errors):
        told = None if extreme is None else [extreme[place]]
        made.record(
            0,
            FoldResult("alpha", (1.0,), [error], [1], [{"rmse": error}], extreme=told),
        )
    return made


def test_who_answers_out_of_all_proportion_is_no_simple_substitute():
    forest = tally("forest", [1.0, 3.0, 5.0], rank=5)
    steady = tally("linear", [1.05, 2.98, 5.0])
    extreme = tally("linear", [1.05, 2.98, 5.0], extreme=[0, 1, 0])
    assert choose(standings([forest, steady]), RMSE)[0].name == "linear"
    assert choose(standings([forest, extreme]), RMSE)[0].name == "forest"


def test_who_is_wild_and_best_all_the_same_wins():
    extreme = tally("exponential", [1.0, 1.1, 1.0], extreme=[1, 0, 0])
    worse = tally("linear", [2.0, 2.1, 2.2])
    assert choose(standings([extreme, worse]), RMSE)[0].name == "exponential"


def test_answers_are_wild_beyond_the_span_of_the_targets_on_either_side():
    said = np.array([-11.0, -9.0, 5.0, 19.0, 21.0])
    told = Predictions(said, said[:, None], None)
    assert count_extreme([told], np.array([0.0, 10.0])) == [2]


def test_an_answer_without_bound_is_judged_and_loses():
    said = np.array([1.0, 2.0, np.inf, 1e200])
    told = measure(np.arange(4.0), Predictions(said, said[:, None], None), np.array([]))
    assert (told["rmse"], told["r2"]) == (np.inf, -np.inf)
    y, fine = np.arange(4.0), np.array([0.5, 1.0, 2.5, 2.0])
    told = measure(y, Predictions(fine, fine[:, None], None), np.array([]))
    assert told["r2"] == pytest.approx(r2_score(y, fine))


def test_an_exponential_model_that_explodes_is_counted_in_the_race():
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 1, 100)
    x[7] = 12.0  # one row far outside, whose target is like the others
    y = rng.poisson(np.exp(1 + 2 * np.minimum(x, 1))).astype(float)
    problem = pose(pl.DataFrame({"x": x, "y": y}), "y", "regression")
    field = [Contender("poisson", "Poisson", PoissonRegressor, grid=({"alpha": 0.0},))]
    outcome = race(
        field,
        problem,
        splits_of(problem, 0),
        RMSE,
        deadline=np.inf,
        progress=silent,
    )
    (found,) = standings(outcome.tallies)
    assert found.fragile.sum() == 1


class Forgetful(LogisticRegression):
    """Learns from part of the rows, and turns round when it sees all of them."""

    rows = 110

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        if len(y) > self.rows:
            self.coef_ = -self.coef_
        return self


def field_with(contender):
    return lambda: (shelf.classifiers()[0], contender, shelf.classifiers()[3])


@pytest.fixture
def forgetful(monkeypatch):
    contender = Contender(
        "forgetful", "Forgetful", Forgetful, grid=({"C": 1.0},), rank=1
    )
    monkeypatch.setattr(job, "classifiers", field_with(contender))
    monkeypatch.setattr(job, "gather", lambda *_, **__: {})
    monkeypatch.setattr(job, "warm", lambda *_: None)


def test_a_final_fit_that_is_not_what_was_promised_leaves_its_place(
    binary_table, forgetful
):
    result = infimum.learn(binary_table, "verdict", budget=1e4)
    assert result.choice.name not in ("forgetful", "blend")
    labels = [each["label"] for each in result.replaced]
    assert "Forgetful" in labels
    told = next(each for each in result.replaced if each["label"] == "Forgetful")
    assert "is worse than that of a constant answer" in told["reason"]
    assert told["reason"] in result.warnings
    assert result.to_plain()["replaced"][0]["label"] == labels[0]
    assert result.exam.metrics["auc"] > 0.7


def test_where_all_disappoint_the_first_stays_and_it_is_said(
    binary_table, forgetful, monkeypatch
):
    monkeypatch.setattr(
        "infimum.learn.choose.final_fit.disappointment", lambda *_: "it is not liked"
    )
    monkeypatch.setattr("infimum.learn.choose.verdict.disappointment", lambda *_: "so")
    result = infimum.learn(binary_table, "verdict", budget=1e4)
    assert any("No final fit is what the race" in each for each in result.warnings)
    assert result.model.predict(binary_table).shape == (160,)


def test_a_fit_without_proof_makes_way_for_one_as_good_with_proof(
    binary_table, monkeypatch
):
    def hasty():
        return LogisticRegression(max_iter=1, tol=1e-14)

    field = (
        shelf.classifiers()[0],
        Contender("hasty", "Hasty", hasty, grid=({"C": 1.0},)),
        Contender("patient", "Patient", LogisticRegression, grid=({"C": 1.0},)),
    )
    monkeypatch.setattr(job, "classifiers", lambda: field)
    monkeypatch.setattr(job, "gather", lambda *_, **__: {})
    monkeypatch.setattr(job, "warm", lambda *_: None)
    monkeypatch.setattr("infimum.learn.choose.verdict.find_blend", lambda *_: None)
    result = infimum.learn(binary_table, "verdict", budget=1e4)
    assert result.choice.name == "patient"
    assert result.proof.closed
    assert [each["label"] for each in result.replaced] == ["Hasty"]


def test_a_kept_promise_is_no_disappointment(problem):
    encoder = problem.encoder.fit(problem.rows)
    X = encoder.transform(problem.rows)
    steps = [("encoder", encoder), ("model", Ridge(alpha=0.1).fit(X, problem.y))]
    fine = Pipeline(steps)
    assert disappointment(fine, problem, RMSE, np.array([1.1, 0.9, 1.0])) == ""
    assert not is_open(fine)
    spoiled = replace(problem, y=problem.y + 40)
    told = disappointment(fine, spoiled, RMSE, np.array([1.1, 0.9, 1.0]))
    assert "clearly worse than on any rows held back" in told


def test_easy_folds_are_no_promise_as_long_as_the_constant_is_beaten(problem):
    encoder = problem.encoder.fit(problem.rows)
    X = encoder.transform(problem.rows)
    steps = [("encoder", encoder), ("model", Ridge(alpha=0.1).fit(X, problem.y))]
    constant = standings([tally("baseline", [10.0], rank=0)])
    lucky = np.array([0.01])
    assert "clearly worse" in disappointment(Pipeline(steps), problem, RMSE, lucky)
    assert disappointment(Pipeline(steps), problem, RMSE, lucky, constant) == ""


def test_two_folds_are_not_taken_for_all_of_them(problem):
    """A model that explodes on a later fold is found out after a race cut short."""
    splits = splits_of(problem, 0)
    outlier = problem.rows.with_columns(
        x0=pl.when(pl.int_range(pl.len()) == int(splits[3].held_back[0]))
        .then(40.0)
        .otherwise("x0")
    )
    extreme = replace(problem, rows=outlier)
    contender = Contender(
        "poisson", "Poisson", PoissonRegressor, grid=({"alpha": 0.0},)
    )
    outcome = race(
        [contender], extreme, splits[:2], RMSE, deadline=np.inf, progress=silent
    )
    constant = standings([tally("baseline", [11.0, 11.0], rank=0)])
    (two,) = standings(outcome.tallies)
    assert not two.fragile.any()
    promise = promise_of(two, 0.0)
    told = unsteadiness(extreme, promise, splits, RMSE, constant)
    assert told.startswith("with folds for which the race had no time it has RMSE")
    assert unsteadiness(problem, promise, splits, RMSE, constant) == ""
    late = Decisions(deadline=0.0)
    assert unsteadiness(extreme, promise, splits, RMSE, constant, decisions=late) == ""
    assert unsteadiness(extreme, promise, splits[:2], RMSE, constant) == ""
