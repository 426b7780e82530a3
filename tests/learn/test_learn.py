"""The main job, from table to tested model."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import infimum
from infimum.errors import DataError, InvalidParameterError
from infimum.evaluation import clopper_pearson, hold_out
from infimum.learn import read_result


def what_was_learned(result):
    """Return the result without what a clock decides."""
    plain = json.loads(result.to_json())
    for name in ("stages", "created", "budget"):
        del plain[name]
    for contender in plain["contenders"]:
        del contender["seconds"], contender["trace"]
    del plain["evidence"]["energy"]
    return plain


def test_a_table_becomes_a_tested_and_certified_model(learned):
    assert learned.task == "classification"
    assert learned.classes == ("no", "yes")
    assert learned.ended == "finished"
    assert learned.proof.closed
    assert learned.exam.metrics["auc"] > 0.8
    assert learned.data.train_rows + learned.data.test_rows == 160
    assert learned.data.test_rows == learned.exam.rows == 32


def test_every_contender_ran_on_every_fold(learned):
    names = {contender.name for contender in learned.contenders}
    assert names == {
        "baseline",
        "logistic-l2",
        "logistic-l1",
        "logistic-elastic-net",
        "ridge-classifier",
        "svm-squared-hinge",
        "svm-hinge",
        "boosting",
        "tree",
        "forest",
        "extra-trees",
        "naive-bayes",
        "neighbours",
        "svm-gaussian",
    }
    assert {contender.folds for contender in learned.contenders} == {5}


@pytest.mark.syllabus("S4A-085")
def test_the_test_rows_have_no_say_in_the_model(binary_table, learned):
    held = hold_out(binary_table["verdict"].to_numpy(), 0.2, seed=0).held_back
    spoiled = binary_table.to_pandas()
    spoiled.loc[held, "noise"] += 1000.0
    other = infimum.learn(spoiled, "verdict", budget=600.0)
    np.testing.assert_array_equal(other.model[-1].coef_, learned.model[-1].coef_)
    assert other.exam.rows == len(held)


def test_the_bound_is_that_of_the_counted_errors(binary_table, learned):
    held = hold_out(binary_table["verdict"].to_numpy(), 0.2, seed=0).held_back
    predicted = learned.model.predict(binary_table[held])
    wrong = int(np.sum(predicted != binary_table["verdict"].to_numpy()[held]))
    interval = clopper_pearson(wrong, len(held))
    assert learned.exam.bound["errors"] == wrong
    assert learned.exam.bound["upper"] == pytest.approx(interval.upper)
    assert np.trace(learned.exam.curves["confusion"]) == len(held) - wrong


def test_examples_are_found_in_the_data_by_their_numbers(binary_table, learned):
    told = learned.evidence["examples"]
    for row in told["near"]["rows"]:
        here = binary_table[row["number"] - 1]
        assert here["verdict"].item() == row["truth"]
        assert learned.model.predict(here)[0] == row["decision"]
    for row in told["shapley"]["rows"]:
        here = binary_table[row["number"] - 1]
        answer = learned.model.decision_function(here)[0]
        assert answer == pytest.approx(row["answer"])
    turned = told["counterfactual"]
    here = binary_table[turned["number"] - 1]
    assert str(learned.model.predict(here)[0]) == turned["before"]


def test_the_choice_is_within_one_standard_error_of_the_best(learned):
    choice = learned.choice
    assert choice.score >= choice.threshold
    assert choice.best_score == max(
        max(contender.scores) for contender in learned.contenders
    )
    assert choice.score <= choice.best_score


def test_the_same_seed_gives_the_same_result_and_another_another(binary_table, learned):
    again = infimum.learn(binary_table, "verdict", budget=600.0)
    assert what_was_learned(again) == what_was_learned(learned)
    other = infimum.learn(binary_table, "verdict", seed=1, budget=600.0)
    assert other.exam.curves != learned.exam.curves


def test_numbers_are_regressed_and_counts_meet_poisson(rows):
    result = infimum.learn(
        rows.select("size", "colour", "visits"), "visits", "regression"
    )
    assert {"poisson", "ridge", "lasso", "huber", "median", "svr"} <= {
        contender.name for contender in result.contenders
    }
    assert result.exam.metrics["rmse"] < result.exam.metrics["baseline_rmse"]
    assert result.exam.bound["limit"] > 0
    assert result.proof.closed


def test_a_signal_is_regressed_without_poisson(rows):
    result = infimum.learn(rows.select("size", "colour", "signal"), "signal")
    assert result.task == "regression"
    assert "poisson" not in {contender.name for contender in result.contenders}
    assert result.exam.metrics["r2"] > 0.7


def test_many_classes_are_learned_too(rows):
    result = infimum.learn(rows.select("size", "colour", "noise", "grade"), "grade")
    assert result.classes == ("0", "1", "2")
    assert result.criterion["metric"] == "accuracy"
    assert result.exam.metrics["accuracy"] > 0.6
    assert result.choice.weights <= result.data.features
    assert len(result.exam.curves["roc"]) == 3


def test_pandas_frames_are_welcome(binary_table, learned):
    frame = pd.DataFrame(binary_table.to_dict(as_series=False))
    result = infimum.learn(frame, "verdict")
    assert result.choice == learned.choice


def test_if_nothing_clearly_beats_the_constant_answer_it_is_the_model():
    rng = np.random.default_rng(6)
    table = pl.DataFrame({"x": rng.normal(size=90), "y": rng.choice(["a", "b"], 90)})
    result = infimum.learn(table, "y")
    assert result.choice.name == "baseline"
    assert result.choice.weights == 0
    assert result.coefficients == ()
    assert result.proof.closed


def test_sparse_files_are_learned_without_names(tmp_path):
    rng = np.random.default_rng(1)
    lines = []
    for _ in range(80):
        features = sorted(rng.choice(30, 5, replace=False) + 1)
        label = 1 if 1 in features or 2 in features else -1
        lines.append(f"{label} " + " ".join(f"{j}:1.0" for j in features))
    path = tmp_path / "rows.svm"
    path.write_text("\n".join(lines) + "\n")
    result = infimum.learn(path)
    assert [float(label) for label in result.classes] == [-1, 1]
    assert result.data.columns == ()
    assert result.exam.metrics["auc"] > 0.7


@pytest.mark.parametrize(
    "table, target, message",
    [
        ({"x": [1.0, 2.0] * 9, "y": ["a"] * 18}, "y", "one class"),
        ({"x": [1.0, 2.5] * 9, "y": ["a"] * 17 + ["b"]}, "y", "'b' .* has 1 row"),
        ({"id": list(range(20)), "y": ["a", "b"] * 10}, "y", "no column to learn from"),
        ({"x": [1.0, 2.5] * 9, "price": [1.0, 7.5] * 9}, "prise", "mean 'price'"),
        ({"x": [1.0, 2.5] * 9, "y": ["a", "b"] * 9}, None, "which column .* x, y"),
    ],
)
def test_what_cannot_be_learned_is_refused_in_a_sentence(table, target, message):
    with pytest.raises(DataError, match=message):
        infimum.learn(pl.DataFrame(table), target)


def test_impossible_settings_are_refused(binary_table):
    with pytest.raises(InvalidParameterError, match="budget"):
        infimum.learn(binary_table, "verdict", budget=0.0)
    with pytest.raises(InvalidParameterError, match="seed"):
        infimum.learn(binary_table, "verdict", seed=-1)
    with pytest.raises(InvalidParameterError, match="task"):
        infimum.learn(binary_table, "verdict", "ranking")


def test_results_of_another_schema_are_refused(tmp_path):
    path = tmp_path / "result.json"
    path.write_text('{"schema": 999}')
    with pytest.raises(DataError, match="schema 999"):
        read_result(tmp_path)
    path.write_text("{")
    with pytest.raises(DataError, match="cannot be read"):
        read_result(path)


def test_a_result_prints_as_a_few_sentences(learned):
    lines = str(learned).splitlines()
    assert lines[0].startswith(learned.choice.label)
    assert f"{learned.exam.rows} rows it had never seen" in lines[1]
    assert "proved optimal" in lines[2] or "no proof" in lines[2]
    assert len(str(learned)) < 500
