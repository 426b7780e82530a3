"""Learning curves rise where rows help; earlier moments tell of a drift."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.evaluation import Split, forward_folds
from infimum.learn import job
from infimum.learn.choose.rule import HeldBack
from infimum.learn.evidence.case import Case
from infimum.learn.evidence.columns import learning_curve
from infimum.learn.evidence.promises import cutoffs
from infimum.learn.options import Options
from infimum.learn.problem import pose
from infimum.models.linear import Ridge
from infimum.models.trees import DecisionTreeClassifier, DecisionTreeRegressor


class Reader:
    """A model of the columns of a frame, as the last step of a pipeline."""

    def __init__(self, model):
        self.model = model

    def fit(self, rows, y):
        self.model.fit(rows.to_numpy(), y)
        return self

    def predict(self, rows):
        return self.model.predict(rows.to_numpy())


def case_of(rows, y, model, held=400, **more):
    table = pl.DataFrame(rows, schema=[f"x{k}" for k in range(rows.shape[1])])
    problem = pose(table.with_columns(pl.Series("y", y)), "y")
    training = problem.only(np.arange(len(y) - held))
    test = np.arange(len(y) - held, len(y))

    def again(part):
        return Reader(model()).fit(part.rows, part.y)

    given = {
        "training": training, "rows": problem.rows[test], "y": problem.y[test],
        "classes": problem.classes, "task": "regression", "sensitive": (),
        "models_compared": 1, "seed": 0, "deadline": np.inf, "pace": 1e-6,
    }  # fmt: skip
    return Case(model=again(training), **given, again=again, **more)


@pytest.fixture
def wavy():
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, (1200, 2))
    return X, np.sin(5 * X[:, 0]) + X[:, 1] + 0.05 * rng.normal(size=1200)


def test_a_tree_that_follows_a_wave_gains_from_more_rows(wavy):
    told = learning_curve(case_of(*wavy, DecisionTreeRegressor), {})
    assert [point["rows"] for point in told["points"]] == [100, 200, 400, 800]
    scores = [point["score"] for point in told["points"]]
    assert scores == sorted(scores, reverse=True)  # the RMSE falls
    assert told["gain"] == pytest.approx(scores[-2] - scores[-1])
    assert told["gain"] > 2 * told["error"] > 0


def test_a_line_through_a_line_gains_nothing_that_can_be_told(wavy):
    X = wavy[0]
    y = X[:, 0] + np.random.default_rng(1).normal(size=len(X))
    told = learning_curve(case_of(X, y, lambda: Ridge(1e-3)), {})
    assert abs(told["gain"]) < 0.02 * told["points"][-1]["score"]


def test_few_rows_and_no_time_are_said_to_be_so(wavy):
    X, y = wavy
    few = case_of(X[:450], y[:450], lambda: Ridge(1e-3))
    assert "too few rows" in learning_curve(few, {})["reason"]


@pytest.mark.parametrize("drift", [False, True])
def test_earlier_moments_tell_a_drift_and_nothing_else(drift):
    rng = np.random.default_rng(3)
    spread = np.repeat([1.0, 1.0, 1.0, 3.0 if drift else 1.0], 500)
    truth = rng.normal(size=2000) * spread
    held = [
        HeldBack(part, np.zeros((500, 1)), f"2024-0{k + 1}-01")
        for k, part in enumerate(np.split(truth, 4))
    ]
    X = rng.normal(size=(500, 1))
    case = case_of(X, X[:, 0], lambda: Ridge(1e-3), held_back=tuple(held))
    told = cutoffs(case, {})
    assert [row["after"] for row in told["rows"]] == [
        "2024-02-01", "2024-03-01", "2024-04-01",
    ]  # fmt: skip
    assert (told["least"] < 0.6) == drift
    assert told["most"] > 0.85


def test_a_job_along_time_is_backtested(monkeypatch):
    rng = np.random.default_rng(5)
    n = 240
    day = pl.date_range(pl.date(2024, 1, 1), pl.date(2024, 8, 27), eager=True)
    x = rng.normal(size=n)
    frame = pl.DataFrame({"day": day, "x": x, "y": x + 0.3 * rng.normal(size=n)})
    everybody = job.entrants
    monkeypatch.setattr(
        "infimum.learn.job.entrants",
        lambda problem: tuple(
            each for each in everybody(problem) if each.name in ("baseline", "ridge")
        ),
    )
    result = infimum.learn(frame, "y", budget=600.0, time="day")
    told = result.evidence["cutoffs"]
    folds = list(forward_folds(day.to_numpy()[: result.data.train_rows], 5))
    assert isinstance(folds[0], Split)
    assert len(told["rows"]) == result.data.folds - 1
    assert told["rows"][0]["after"].startswith("2024-")
    assert result.evidence["learning_curve"]["points"][-1]["rows"] == 192
    assert Options.of(**result.options).time == "day"


def test_few_rows_that_are_shuffled_are_of_both_classes():
    rows = np.arange(1000.0)[:, None]
    y = np.where(rows[:, 0] % 50 == 0, "yes", "no")
    case = case_of(rows, y, DecisionTreeClassifier)
    for seed in range(30):
        chosen = replace(case, seed=seed).some(20, stream=1, both=True)
        assert len(set(chosen.tolist())) == 20
        assert (np.diff(chosen) > 0).all()
        assert (case.y[chosen] == "yes").sum() >= 5
    assert len(case.some(2, both=True)) == 2
    assert case.some(10**6, both=True).tolist() == list(range(400))
