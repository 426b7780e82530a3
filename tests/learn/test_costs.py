"""Decisions by what mistakes cost: the threshold, the cheapest answer, its price."""

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.cli.costs import parse_costs
from infimum.errors import DataError, InvalidParameterError
from infimum.evaluation.decision_costs import (
    best_threshold,
    cheapest,
    cost_matrix,
    expected_costs,
)
from infimum.learn import job
from infimum.learn.compare import contenders as shelf
from infimum.report.costs import cost_words

CLASSES = np.array(["no", "yes"])


@pytest.mark.parametrize("text", ["yes", "yes->no", "yes->no=-1", "yes->no=inf", "a=1"])
def test_what_is_no_cost_is_refused_in_a_sentence(text):
    with pytest.raises(InvalidParameterError, match="--costs must be pairs"):
        parse_costs(text)


def test_costs_of_unknown_classes_and_of_right_answers_are_refused():
    with pytest.raises(DataError, match="names the class 'maybe'"):
        cost_matrix({"maybe->no": 2.0}, CLASSES)
    with pytest.raises(DataError, match="right answer"):
        cost_matrix({"no->no": 2.0}, CLASSES)


def test_no_other_threshold_is_cheaper_on_the_rows_given():
    rng = np.random.default_rng(0)
    likely = rng.random(300).round(2)
    codes = (rng.random(300) < likely**2).astype(int)
    costs = cost_matrix({"yes->no": 7.0, "no->yes": 2.0}, CLASSES)
    both = np.column_stack([1 - likely, likely])

    def paid(threshold):
        return costs[codes, cheapest(both, costs, threshold)].sum()

    best = paid(best_threshold(codes, likely, costs))
    assert best == min(paid(t) for t in np.linspace(0, 1.01, 1000))


def test_with_true_probabilities_the_cheapest_answer_is_that_of_the_theory():
    costs = cost_matrix({"yes->no": 4.0}, CLASSES)
    both = np.array([[0.85, 0.15], [0.75, 0.25]])
    assert cheapest(both, costs, None).tolist() == [0, 1]  # from 1 / (1 + 4) on


def test_the_price_of_the_usual_answers_stands_beside():
    y = np.array(["no", "yes", "yes", "no"])
    likely = np.array([0.1, 0.3, 0.9, 0.2])
    both = np.column_stack([1 - likely, likely])
    told = expected_costs(y, both, CLASSES, {"yes->no": 4.0}, 0.25, 0.95)
    assert told["cheapest"]["mean"] == 0.0
    assert told["likeliest"]["mean"] == 1.0
    assert told["same_answer"] == "yes"
    assert told["same"]["mean"] == 0.5
    assert told["curve"]["costs"][0] == 0.5


@pytest.fixture(scope="module")
def run(binary_table, tmp_path_factory):
    out = tmp_path_factory.mktemp("costs") / "run"
    costs = {"yes->no": 5.0, "no->yes": 1.0}
    result = infimum.learn(binary_table, "verdict", budget=600.0, out=out, costs=costs)
    return result, out


def test_the_evidence_tells_the_threshold_and_predictions_decide_by_it(
    run, binary_table
):
    result, out = run
    told = result.evidence["costs"]
    assert told["basis"] in ("folds", "costs")
    assert told["threshold"] < 0.5
    assert told["cheapest"]["mean"] <= told["same"]["high"]
    said = infimum.learn.predict_table(
        out / "model.infimum", binary_table, intervals=True, keep=["noise"], reasons=2
    )
    likely = said["probability of yes"].to_numpy()
    expected = np.where(likely >= told["threshold"], "yes", "no")
    assert (said["decision"].to_numpy() == expected).all()
    assert said.columns[0] == "noise"
    assert said["reason 1"].is_in(["size", "noise", "colour"]).all()
    assert (said["share 1"].abs() >= said["share 2"].abs() - 1e-12).all()
    sets = said["set"].str.split(" | ")
    pairs = zip(binary_table["verdict"], sets, strict=True)
    inside = [truth in names for truth, names in pairs]
    assert np.mean(inside) > 0.8


def test_intervals_of_numbers_hold_the_promised_share_of_the_rows(rows, tmp_path):
    table = rows.select("size", "noise", "colour", "signal")
    out = tmp_path / "run"
    result = infimum.learn(table, "signal", budget=600.0, out=out)
    said = infimum.learn.predict_table(out / "model.infimum", table, intervals=True)
    low, high = said["low"], said["high"]
    limit = result.evidence["conformal"]["limit"]
    np.testing.assert_allclose((high - low).to_numpy(), 2 * limit)
    assert ((low <= table["signal"]) & (table["signal"] <= high)).mean() > 0.8


def test_without_a_run_there_are_no_intervals(binary_table):
    model = infimum.LogisticRegression().fit(binary_table.select("noise"), [0, 1] * 80)
    with pytest.raises(DataError, match="has no intervals"):
        infimum.learn.predict_table(model, binary_table, intervals=True)


def test_levels_never_met_are_counted(binary_table, learned):
    strange = binary_table.with_columns(
        pl.when(pl.int_range(pl.len()) < 3)
        .then(pl.lit("mauve"))
        .otherwise("colour")
        .alias("colour")
    )
    notes = []
    infimum.learn.predict_table(learned.model, strange, note=notes.append)
    (said,) = notes
    assert said.startswith("3 of 160 rows hold a value of 'colour'")
    assert "'mauve'" in said
    infimum.learn.predict_table(learned.model, binary_table, note=notes.append)
    assert len(notes) == 1


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ({"yes->no": 5.0}, "a “yes” for “no” costs 5, any other mistake 1."),
        ({"yes->no": 5.0, "no->yes": 2.5}, "a “no” for “yes” costs 2.5."),
    ],
)
def test_costs_are_told_in_words_and_others_only_where_there_are_some(costs, words):
    paid = {"mean": 1.0, "low": 0.5, "high": 1.5}
    finding = {
        "costs": costs, "threshold": 0.2, "of": "yes", "basis": "costs",
        "cheapest": paid, "likeliest": paid, "same": paid, "same_answer": "no",
    }  # fmt: skip
    said = cost_words({"classes": ["no", "yes"], "evidence": {"costs": finding}})
    assert words in said["sentences"][0]


def test_columns_of_predictions_do_not_depend_on_who_won(
    binary_table, tmp_path, monkeypatch
):
    columns = []
    for name in ("svm-squared-hinge", "logistic-l2"):
        field = [c for c in shelf.classifiers() if c.name in ("baseline", name)]
        monkeypatch.setattr(job, "classifiers", lambda field=field: field)
        out = tmp_path / name
        result = infimum.learn(binary_table, "verdict", budget=600.0, out=out)
        assert result.choice.name == name
        said = infimum.learn.predict_table(out / "model.infimum", binary_table)
        columns.append(said.columns)
    assert columns[0] == columns[1]
    assert sum(name.startswith("probability of ") for name in columns[0]) == 2
