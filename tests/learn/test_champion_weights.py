"""Few weights: columns taken one by one, written down in units, with honest errors."""

from importlib import import_module
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from scipy import sparse
from sklearn.pipeline import Pipeline

from infimum.evaluation.scoring import criterion_for
from infimum.evaluation.uncertainty.steadiness import (
    DRAWS,
    _affordable,
    weight_steadiness,
)
from infimum.features import TableEncoder
from infimum.learn.choose import readable as champion
from infimum.learn.choose.rule import standings
from infimum.learn.choose.small_models import FewWeights, few_on_path, forward_steps
from infimum.learn.choose.trials import written
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.tally import FoldResult, Tally
from infimum.learn.folds import features_in_use
from infimum.learn.problem import pose
from infimum.models.linear import (
    Lasso,
    LinearRegression,
    LogisticRegression,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
)
from infimum.models.multiclass import OneVsRestClassifier
from infimum.report.rivals import champion_words

RMSE = criterion_for(np.array([]))


@pytest.fixture(scope="module")
def signal():
    rng = np.random.default_rng(2)
    mix = np.eye(10) + 0.4 * rng.normal(size=(10, 10))
    X = rng.normal(size=(120, 10)) @ mix
    return X, X[:, :4] @ [2.0, -1.0, 1.0, 0.5] + rng.normal(size=120)


def test_every_column_taken_is_the_one_that_lowers_the_squared_error_most(signal):
    X, y = signal
    steps = forward_steps(LinearRegression(), X, y, most=5)
    taken = []
    for step in steps:
        left = [j for j in range(10) if j not in taken]
        ones = np.ones((120, 1))
        errors = [
            np.linalg.lstsq(np.hstack([ones, X[:, [*taken, j]]]), y, rcond=None)[1][0]
            for j in left
        ]
        taken.append(left[int(np.argmin(errors))])
        assert step.chosen_.tolist() == taken
        assert np.flatnonzero(step.coef_[0]).tolist() == sorted(taken)
        np.testing.assert_allclose(
            np.sum((y - step.predict(X)) ** 2), min(errors), rtol=1e-9
        )


def _labels(y):
    return np.where(y > 0, "up", "down")


@pytest.mark.parametrize(
    "estimator, target",
    [
        (LogisticRegression(), _labels),
        (LogisticRegression(), lambda y: np.digitize(y, [-1, 1])),
        (PoissonRegressor(alpha=1e-4), lambda y: np.floor(np.exp(0.3 * y))),
        (QuantileRegressor(quantile=0.7, alpha=0.0), lambda y: y),
    ],
    ids=["two classes", "three classes", "counts", "quantile"],
)
def test_any_loss_takes_the_columns_with_the_signal_first(signal, estimator, target):
    X, y = signal
    noise = np.random.default_rng(5).normal(size=(120, 10))
    model = FewWeights(estimator, most=3).fit(np.hstack([noise, X]), target(y))
    assert set(model.chosen_[:2].tolist()) <= set(range(10, 14))
    assert np.count_nonzero(np.any(model.coef_ != 0, axis=0)) == 3


def test_sparse_columns_and_repeated_rows_change_nothing(signal):
    X, y = np.round(np.maximum(signal[0], 0), 1), _labels(signal[1])
    dense = FewWeights(LogisticRegression(), most=4).fit(X, y)
    thin = FewWeights(LogisticRegression(), most=4).fit(sparse.csr_matrix(X), y)
    np.testing.assert_array_equal(dense.chosen_, thin.chosen_)
    np.testing.assert_allclose(dense.coef_, thin.coef_, atol=1e-4)
    counts = np.random.default_rng(0).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), counts)
    often = FewWeights(LogisticRegression(), most=4).fit(X[rows], y[rows])
    weighed = FewWeights(LogisticRegression(), most=4).fit(X, y, counts)
    np.testing.assert_array_equal(often.chosen_, weighed.chosen_)
    np.testing.assert_allclose(often.coef_, weighed.coef_, atol=1e-4)


def test_copies_and_constants_are_never_taken():
    x = np.random.default_rng(1).normal(size=(60, 2))
    X = np.column_stack([x, x[:, 0], np.full(60, 3.0), x[:, 0] + x[:, 1]])
    steps = forward_steps(LinearRegression(), X, x @ [1.0, 0.2], most=5)
    assert len(steps) == 2
    assert 3 not in steps[-1].chosen_
    constant = forward_steps(LinearRegression(), X, np.ones(60), most=5)
    np.testing.assert_allclose(constant[-1].predict(X), 1.0)


def test_a_path_is_looked_at_until_it_has_as_many_weights_as_allowed(signal):
    X, y = signal
    rng = np.random.default_rng(0)
    wide = np.hstack([X, rng.normal(size=(120, 60))])
    found = few_on_path(Lasso(), wide, y, None, ends=(9.0, 0.01), most=8)
    used = [np.count_nonzero(model.coef_) for model in found]
    assert used == sorted(used)
    assert 7 <= used[-1] <= 8
    assert all(count <= most for most, count in enumerate(used, start=1))


def test_weights_in_units_of_the_table_give_the_same_answers():
    rng = np.random.default_rng(0)
    rows = pl.DataFrame(
        {
            "metres": 100 + 30 * rng.normal(size=80),
            "old": rng.choice([True, False], 80),
            "kind": rng.choice(["a", "b"], 80),
        }
    )
    price = 5 * rows["metres"] - 40 * rows["old"].cast(int) + rng.normal(size=80)
    problem = pose(rows.with_columns(y=price), "y")
    encoder = TableEncoder().fit(rows)
    X = encoder.transform(rows)
    model = FewWeights(LinearRegression(), most=2).fit(X, price.to_numpy())
    pipeline = Pipeline([("encoder", encoder), ("model", model)])
    told = written(problem, pipeline, 60.0)
    assert told["size"] == "2 features"
    assert [name for name, _ in told["weights_by_feature"]] == ["metres", "old"]
    (metres,), (old,) = told["per_unit"]["weights"]
    assert (metres, old) == pytest.approx((5, -40), rel=0.02)
    own = told["per_unit"]["intercept"][0] + metres * rows["metres"]
    np.testing.assert_allclose(
        own + old * rows["old"].cast(int), pipeline.predict(rows), rtol=1e-9
    )
    # The error of the mean slope is known: 1 / (30 sqrt(80)) up to its own noise.
    assert told["per_unit"]["errors"][0][0] == pytest.approx(1 / 30 / 80**0.5, rel=0.5)


def test_a_path_that_has_not_begun_has_no_features():
    rng = np.random.default_rng(0)
    rows = pl.DataFrame({"a": rng.normal(size=40), "b": rng.normal(size=40)})
    problem = pose(rows.with_columns(y=rng.normal(size=40)), "y")
    encoder = TableEncoder().fit(rows)
    model = Lasso(alpha=1e3).fit(encoder.transform(rows), problem.y)
    told = written(problem, Pipeline([("encoder", encoder), ("model", model)]), 60.0)
    assert (told["size"], told["weights_by_feature"]) == ("no features", [])


def test_rows_of_a_group_count_once_in_the_errors():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 2))
    y = X @ [1.0, 0.0] + rng.normal(size=60)
    rows = np.repeat(np.arange(60), 4)
    alone = weight_steadiness(Ridge(), X, y).errors
    copies = weight_steadiness(Ridge(), X[rows], y[rows], groups=rows).errors
    careless = weight_steadiness(Ridge(), X[rows], y[rows]).errors
    np.testing.assert_allclose(copies, alone, rtol=0.5)
    assert (careless < 0.75 * copies).all()


def test_a_class_that_is_lost_with_its_group_leaves_the_errors_unknown():
    rng = np.random.default_rng(0)
    groups, X = np.arange(60) // 15, rng.normal(size=(60, 2))
    y = np.where(groups == 0, "c", np.where(X[:, 0] > 0, "a", "b"))
    model = LogisticRegression().fit(X, y)
    assert weight_steadiness(model, X, y, groups=groups, seconds=1e9) is None
    assert weight_steadiness(model, X, y, seconds=1e9).errors.shape == (3, 2)


def test_a_generous_budget_gives_the_errors_of_weights_more_time(monkeypatch):
    given = []
    monkeypatch.setattr(champion, "written", lambda *told: given.append(told[-1]) or {})
    rng = np.random.default_rng(0)
    problem = pose(pl.DataFrame({"a": rng.normal(size=40), "y": range(40)}), "y")
    linear = Tally(Contender("linear", "linear", Ridge), "alpha")
    for error in (0.1, 0.2, 0.3):
        metrics = [{"rmse": error}]
        linear.record(0, FoldResult("alpha", (1.0,), [error], [1], metrics))
    field = standings([linear])
    for left in (1.0, 600.0):
        end = champion.time.perf_counter() + left
        decided = champion.Decisions(latest=end)
        champion.find_champion(problem, field, (), RMSE, np.zeros(3), "", decided)
    assert given[0] == 2.0
    assert given[1] == pytest.approx(90.0, rel=0.1)


def test_the_report_says_how_large_the_readable_model_is_and_what_it_costs():
    told = {
        "name": "forward",
        "label": "Logistic regression",
        "size": "7 features",
        "score": 0.8,
        "spread": 0.02,
        "cost": 0.041,
        "cost_spread": 0.011,
        "folds": 5,
        "is_winner": False,
    }
    said = champion_words({"champion": told, "criterion": {"label": "AUC"}})
    assert said.startswith("Logistic regression (7 features) reaches")
    assert "0.041 ±\u00a00.011 worse than the winner" in said
    assert "on every fold again" in said
    constant = {**told, "is_winner": True, "spread": 0.0, "size": "no features"}
    said = champion_words({"champion": constant, "criterion": {"label": "AUC"}})
    assert "one fold" not in said


def test_a_third_of_the_draws_has_to_do_where_time_is_short(monkeypatch):
    pace = 1.0
    able = [_affordable(pace, seconds) for seconds in (29.0, 28.9, 9.0, 8.9)]
    assert able == [DRAWS, 10, 10, 0]
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 2))
    y = X @ [1.0, 0.0] + rng.normal(size=60)
    monkeypatch.setattr(
        "infimum.evaluation.uncertainty.steadiness._affordable", lambda *_: 10
    )
    short = weight_steadiness(Ridge(), X, y)
    assert short.draws == 10
    assert (short.errors > 0).all()


def test_the_terminal_says_what_reading_costs():
    terminal = import_module("infimum.cli.learn")
    told = {"label": "Least squares", "size": "3 features", "is_winner": False}

    def said(**more):
        result = SimpleNamespace(
            champion={**told, **more},
            criterion={"label": "RMSE"},
            choice=SimpleNamespace(name="forest"),
        )
        return terminal._beside(result)[0]

    dear = said(cost=0.0214, cost_spread=0.0061)
    assert dear.endswith("(Least squares, 3 features) costs 0.0214 ± 0.0061 of RMSE.")
    assert "is better by 0.50 ± 0.10 of RMSE" in said(cost=-0.5, cost_spread=0.1)
    assert said(cost=0.02, cost_spread=0.0).endswith("costs 0.0200 of RMSE.")
    assert said(is_winner=True).endswith("it has 3 features.")


def test_every_label_keeps_its_weights_where_another_never_happens(monkeypatch):
    monkeypatch.setattr("infimum.evaluation.uncertainty.steadiness.DRAWS", 6)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 5))
    y = np.column_stack([np.arange(80) < 1, X[:, 0] > 0, X[:, 1] > 0]).astype(int)
    model = FewWeights(OneVsRestClassifier(LogisticRegression()), most=2)
    # Some draws of the rows do not have the only one.
    with pytest.warns(UserWarning, match="Label not 0 is present in all"):
        steady = weight_steadiness(model.fit(X, y), X, y, seconds=1e9)
    assert steady.errors.shape == (3, 5)
    y[:, 0] = 0
    with pytest.warns(UserWarning, match="Label not 0 is present in all"):
        model.fit(X, y)
    assert model.coef_.shape == (3, 5)
    assert not model.coef_[0].any()
    assert model.intercept_[0] == -np.inf
    assert model.coef_[1, 0] > 3 * abs(model.coef_[1, 1])
    assert model.coef_[2, 1] > 3 * abs(model.coef_[2, 0])
    assert features_in_use(model) == features_in_use(model.model_) == 2
