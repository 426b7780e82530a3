"""What is learned in particular: counts, quantiles, orders; by which criterion."""

import re

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.errors import DataError, InvalidParameterError
from infimum.evaluation.scoring import Criterion, Predictions, criterion_for, measure
from infimum.learn import job, recheck
from infimum.learn.compare import contenders as shelf
from infimum.learn.problem import pose
from infimum.report import render
from infimum.report.sentences import answer
from infimum.report.tiles import tiles


@pytest.fixture
def numbers():
    rng = np.random.default_rng(2)
    x = rng.normal(size=200)
    return pl.DataFrame(
        {
            "x": x,
            "visits": rng.poisson(12 * np.exp(0.5 * x)) * (rng.random(200) > 0.05),
            "delay": np.exp(x + rng.normal(size=200)),
        }
    )


def test_small_whole_numbers_from_zero_up_are_counts(numbers):
    assert pose(numbers, "visits").goal == "counts"
    assert pose(numbers, "visits", "regression").goal == "regression"
    assert pose(numbers, "delay").goal == "regression"
    many = numbers.with_columns(visits=pl.col("visits") * 1000)
    assert pose(many, "visits").goal == "regression"


def test_counts_are_learned_by_their_deviance(numbers, monkeypatch):
    monkeypatch.setattr(job, "count_models", lambda y: shelf.count_models(y)[:4])
    result = infimum.learn(numbers.select("x", "visits"), "visits")
    assert (result.task, result.goal) == ("regression", "counts")
    assert result.criterion["metric"] == "deviance"
    assert [contender.name for contender in result.contenders[:4]] == [
        "baseline",
        "poisson",
        "boosting",
        "tree",
    ]
    assert result.choice.name != "baseline"
    assert result.contenders[0].weights == (0.0,)
    low, high = result.exam.curves["intervals"]["deviance"]
    assert 0 < low < result.exam.metrics["deviance"] < high
    assert "On these rows, Poisson deviance: " in " ".join(answer(result.to_plain()))
    assert result.model.predict(numbers).min() >= 0


def test_a_quantile_has_its_share_of_the_rows_below(numbers, monkeypatch):
    def two(y, quantile):
        return shelf.quantile_models(y, quantile)[:2]

    monkeypatch.setattr(job, "quantile_models", two)
    result = infimum.learn(
        numbers.select("x", "delay"), "delay", "quantile", quantile=0.9
    )
    assert result.goal == "quantile"
    assert result.criterion["quantile"] == 0.9
    assert result.contenders[0].weights == (0.0,)
    told = " ".join(answer(result.to_plain()))
    assert "of the rows should not pass" in told
    assert "mean" not in told
    below = np.mean(numbers["delay"].to_numpy() <= result.model.predict(numbers))
    assert 0.82 < below < 0.97
    low, high = result.exam.curves["intervals"]["pinball"]
    assert 0 < low < result.exam.metrics["pinball"] < high
    relied = result.evidence["importance"]
    assert relied["score"] == "negative pinball loss"
    assert relied["intact"] == pytest.approx(-result.exam.metrics["pinball"])
    tile = tiles(result.to_plain())[0]
    assert re.search(r"\d+(\.\d+)? to \d+.*95 % sure; 90\W% were asked", tile["note"])


def test_a_constant_that_wins_asks_about_no_column(monkeypatch):
    monkeypatch.setattr(job, "count_models", lambda y: shelf.count_models(y)[:2])
    rng = np.random.default_rng(0)
    noise = pl.DataFrame({"x": rng.normal(size=120), "n": rng.poisson(3.0, 120)})
    result = infimum.learn(noise, "n", "counts", budget=1e4)
    assert result.choice.name == "baseline"
    assert (result.choice.weights, result.coefficients) == (0, ())


def test_goals_that_a_target_does_not_allow_are_refused(numbers, binary_table):
    with pytest.raises(DataError, match="no counts"):
        pose(numbers, "delay", "counts")
    with pytest.raises(InvalidParameterError, match="quantile"):
        infimum.learn(numbers, "delay", "quantile", quantile=1.5)
    with pytest.raises(InvalidParameterError, match="needs task='quantile'"):
        infimum.learn(numbers, "delay", quantile=0.5)


def test_classes_in_an_order_are_judged_by_steps(numbers, binary_table):
    graded = numbers.with_columns(grade=pl.Series(np.arange(200) % 4))
    assert pose(graded, "grade").goal == "multiclass"
    assert pose(graded, "grade", "ordinal").goal == "ordinal"
    with pytest.raises(DataError, match="an order needs three"):
        pose(binary_table, "verdict", "ordinal")
    worded = graded.with_columns(grade=pl.Series(["low", "high", "mean", "low"] * 50))
    with pytest.raises(DataError, match="whose order nobody knows"):
        pose(worded, "grade", "ordinal")
    classes = np.array([1, 3, 7])
    steps = criterion_for(classes, "ordinal")
    likely = np.eye(3)[[1, 0, 2]]
    guess = Predictions(np.array([3, 1, 7]), likely, likely)
    truth = np.array([3, 7, 3])
    assert measure(truth, guess, classes, steps)["distance"] == pytest.approx(1.0)


def test_an_order_is_learned_by_proportional_odds(monkeypatch, tmp_path):
    field = shelf.ordered_classifiers()[:2]
    monkeypatch.setattr(job, "ordered_classifiers", lambda: field)
    rng = np.random.default_rng(4)
    x, z = rng.normal(size=(2, 250))
    grade = np.digitize(2 * x - z + rng.logistic(size=250), [-2, 0, 2])
    table = pl.DataFrame({"x": x, "z": z, "grade": grade})
    out = tmp_path / "run"
    result = infimum.learn(
        table, "grade", "ordinal", out=out, render=render, budget=1e4
    )
    assert result.choice.name == "ordinal"
    assert result.proof.closed
    assert recheck(out / "model.infimum", table).certificate.closed
    low, high = result.exam.curves["intervals"]["distance"]
    assert low <= result.exam.metrics["distance"] <= high < 1
    assert "On these rows, steps off: " in " ".join(answer(result.to_plain()))
    assert "Proportional odds" in (out / "report.html").read_text()
    # Columns are judged by what the model was chosen by, answers shared out exactly.
    told = result.evidence["importance"]
    assert told["intact"] == pytest.approx(-result.exam.metrics["distance"])
    assert told["columns"][0]["column"] == "x"
    shares = result.evidence["examples"]["shapley"]
    assert shares["method"] == "linear"
    answers = [row["answer"] for row in shares["rows"]]
    assert answers == sorted(answers)


def said(values):
    return Predictions(np.asarray(values), np.asarray(values)[:, None], None)


def test_special_criteria_are_measured_by_their_formulas():
    y, guess, none = np.array([0.0, 3.0]), said([1.0, 2.0]), np.array([])
    poisson = criterion_for(none, "counts")
    expected = np.mean([2 * 1.0, 2 * (3 * np.log(1.5) - 1)])
    assert measure(y, guess, none, poisson)["deviance"] == pytest.approx(expected)
    pinball = criterion_for(none, "quantile", 0.9)
    value = measure(y, guess, none, pinball)["pinball"]
    assert value == pytest.approx(np.mean([0.1 * 1, 0.9 * 1]))


def test_weights_of_rows_count_like_repetitions():
    y, weights = np.array([0.0, 3.0, 1.0]), np.array([2.0, 0.0, 1.0])
    guess, none = said([1.0, 2.0, 1.5]), np.array([])
    again = [0, 0, 2]
    repeated = measure(y[again], said(guess.verdicts[again]), none)
    assert measure(y, guess, none, weights=weights) == pytest.approx(repeated)
    classes = np.array(["a", "b"])
    truth = np.array(["a", "b", "a", "b"])
    likely = np.array([[0.9, 0.1], [0.3, 0.7], [0.4, 0.6], [0.55, 0.45]])
    both = Predictions(classes[likely.argmax(axis=1)], likely[:, 1:], likely)
    counts = np.array([1.0, 2.0, 1.0, 3.0])
    again = np.repeat(np.arange(4), counts.astype(int))
    many = Predictions(both.verdicts[again], both.scores[again], likely[again])
    weighted = measure(truth, both, classes, weights=counts)
    plain = measure(truth[again], many, classes)
    for name in ("auc", "accuracy", "log_loss"):
        assert weighted[name] == pytest.approx(plain[name])


def test_without_a_special_goal_the_criterion_follows_the_classes():
    assert isinstance(criterion_for(np.array([])), Criterion)
    metrics = [criterion_for(np.arange(k)).metric for k in (0, 2, 3)]
    assert metrics == ["rmse", "auc", "accuracy"]
