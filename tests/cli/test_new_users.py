"""Ten trials of somebody new: typing errors, wrong kinds, tiny budgets, odd tables."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import infimum


def people(n=160, seed=2):
    rng = np.random.default_rng(seed)
    age = rng.normal(size=n)
    return pl.DataFrame(
        {
            "name": [f"Person{i}, Mr. Given{i}" for i in range(n)],
            "age": age,
            "town": rng.choice(["Aix", "Bonn", "Cork"], n),
            "price": (1000 + 200 * age + 20 * rng.normal(size=n)).round(),
            "visits": rng.poisson(np.exp(0.5 * age - 0.5)),
            "ill": np.where(age + rng.normal(size=n) > 0, "yes", "no"),
        }
    )


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("people") / "people.csv"
    people().write_csv(path)
    return path


def result_of(path):
    return json.loads((path / "result.json").read_text())


def test_a_typing_error_in_a_file_is_guessed_and_another_name_is_not(refused, tmp_path):
    people().write_csv(tmp_path / "hpc_test.csv")
    said = refused("learn", "hpc_tset.csv", "--target", "ill")
    assert said.endswith("did you mean 'hpc_test.csv'?")
    assert "did you mean" not in refused("learn", "orders_test.csv", "--target", "ill")


def test_a_typing_error_in_a_column_is_guessed_before_models_are_loaded(refused, table):
    assert "did you mean 'visits'?" in refused("learn", table, "--target", "visit")
    assert "did you mean 'town'?" in refused(
        "learn", table, "--target", "ill", "--drop", "twon"
    )


def test_a_wrong_column_costs_no_import_of_models(table):
    code = (
        "import sys\nfrom infimum.cli import app\n"
        "try:\n    app(sys.argv[1:])\nexcept SystemExit as end:\n"
        "    print(end.code, 'infimum.models' in sys.modules)"
    )
    words = ["learn", str(table), "--target", "visit"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["2", "False"], done.stderr


def test_kinds_are_named_alike_in_help_and_in_errors(refused, invoke, table):
    said = refused("learn", table, "--target", "ill", "--kinds", "town=categoric")
    words = "numeric, category, boolean, date, text, id"
    assert words in said
    told = " ".join(invoke("learn", "--help").stdout.replace("│", " ").split())
    assert words in told


def test_a_price_is_not_taken_for_hundreds_of_classes(refused, table):
    words = ("learn", table, "--target", "price", "--task", "classification")
    assert "use task='regression'" in refused(*words)


def test_costs_name_classes_that_there_are(refused, table):
    assert "--costs must be pairs" in refused(
        "learn", table, "--target", "ill", "--costs", "yes"
    )
    words = ("learn", table, "--target", "ill", "--costs", "sick->well=3")
    assert "names the class 'sick'" in refused(*words)
    assert "needs classes" in refused(
        "learn", table, "--target", "price", "--costs", "a->b=3"
    )


def test_a_tiny_budget_still_gives_a_model_and_says_what_it_rests_on(
    invoke, table, tmp_path
):
    done = invoke("learn", table, "--target", "ill", "--budget", "1s", "--out", "run")
    assert done.exit_code == 0, done.output
    told = result_of(tmp_path / "run")
    folds = max(contender["folds"] for contender in told["contenders"])
    if folds == 1 and told["choice"]["name"] != "baseline":
        assert "rests on one fold" in done.stdout
    model = tmp_path / "run" / "model.infimum"
    strange = people(20, seed=3).with_columns(town=pl.lit("Delft"))
    strange.write_csv(tmp_path / "new.csv")
    said = invoke("predict", model, "new.csv", "--out", "said.csv")
    assert said.exit_code == 0, said.output
    if told["choice"]["name"] != "baseline":
        assert "20 of 20 rows hold a value of 'town'" in said.stderr


def test_counts_are_counts_names_are_no_features_and_dropped_columns_no_news(
    invoke, table, tmp_path
):
    words = ("--target", "visits", "--drop", "price", "--budget", "20s", "--out", "run")
    done = invoke("learn", table, *words)
    assert done.exit_code == 0, done.output
    told = result_of(tmp_path / "run")
    assert told["goal"] == "counts"
    assert "visits was taken for counts, 0 to" in done.stdout
    assert "--task regression" in done.stdout
    columns = {column["name"]: column for column in told["data"]["columns"]}
    assert not columns["name"]["used"]
    assert not any("'price'" in warning for warning in told["data"]["warnings"])


def test_a_run_is_not_replaced_without_a_word(invoke, table, tmp_path):
    words = ("learn", table, "--target", "ill", "--budget", "1s", "--out", "run")
    first = invoke(*words)
    again = invoke(*words)
    assert first.exit_code == again.exit_code == 0
    assert "run holds a finished run and was kept" in again.stdout
    assert (tmp_path / "run-2" / "result.json").exists()


def test_a_table_of_nothing_but_text_is_learned_from(invoke, tmp_path):
    rng = np.random.default_rng(0)
    words = np.array(["good", "bad", "late", "fast", "slow", "nice", "rude", "dear"])
    drawn = rng.integers(0, len(words), (240, 9))
    texts = [" ".join(words[row]) for row in drawn]
    happy = (drawn == 0).sum(axis=1) > (drawn == 1).sum(axis=1)
    frame = pl.DataFrame({"review": texts, "happy": np.where(happy, "yes", "no")})
    frame.write_csv(tmp_path / "reviews.csv")
    words = ("learn", "reviews.csv", "--target", "happy", "--budget", "30s")
    done = invoke(*words, "--out", "run")
    assert done.exit_code == 0, done.output
    assert result_of(tmp_path / "run")["exam"]["metrics"]["auc"] > 0.8


def test_numbered_columns_of_pandas_are_targets_too():
    frame = pd.DataFrame(people().select("age", "price").to_numpy())
    result = infimum.learn(frame, 1, budget=3.0)
    assert result.data.target == "1"
    assert str(result).splitlines()[0].endswith("models.")
    assert len(str(result).splitlines()) <= 4
