"""``infimum certify`` on networks that `infimum.save` has written."""

import warnings

import numpy as np
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import infimum
from infimum.models.neural import MLPClassifier, MLPRegressor


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """Return a folder with a table and the networks that were fitted to it."""
    folder = tmp_path_factory.mktemp("networks")
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 3)) * [1.0, 5.0, 0.2]
    frame = pl.DataFrame(X, schema=["a", "b", "c"])
    frame = frame.with_columns(
        grade=pl.Series(np.array(["low", "mid", "top"])[X[:, :3].argmax(axis=1)]),
        price=pl.Series(np.sin(X[:, 0]) + 10.0),
    )
    frame.drop("price").write_csv(folder / "grades.csv")
    frame.drop("grade").write_csv(folder / "prices.csv")
    frame.write_csv(folder / "both.csv")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        net = MLPClassifier((8,), max_iter=60, random_state=0, alpha=0.1)
        grades = frame["grade"].to_numpy()
        infimum.save(net.fit(X, grades), folder / "rough.infimum")
        infimum.save(net.polish(X, grades), folder / "polished.infimum")
        piped = make_pipeline(
            StandardScaler(), MLPRegressor(hidden_layer_sizes=(8,), random_state=0)
        )
        piped.fit(X, frame["price"].to_numpy())
        infimum.save(piped, folder / "piped.infimum")
        named = MLPClassifier((8,), max_iter=20, random_state=0)
        named.fit(frame[["c", "a"]], grades)
        infimum.save(named, folder / "named.infimum")
        two = MLPRegressor(hidden_layer_sizes=(5,), max_iter=9, random_state=0)
        infimum.save(two.fit(X[:, :1], X[:, 1:]), folder / "two.infimum")
        tags = MLPClassifier((5,), max_iter=9, random_state=0)
        infimum.save(tags.fit(X[:, :1], (X > 0).astype(int)), folder / "tags.infimum")
    signs = [(pl.col(n) > 0).cast(int).alias(f"{n}+") for n in "abc"]
    frame.select("a", *signs).write_csv(folder / "signs.csv")
    frame.select("a", "b", "c").write_csv(folder / "plain.csv")
    return folder


def _ask(invoke, shop, model, table, target, *more):
    words = ("certify", shop / model, shop / table, "--target", target, *more)
    return invoke(*words)


def test_a_polished_network_is_proved_in_its_output_layer(invoke, shop):
    result = _ask(invoke, shop, "polished.infimum", "grades.csv", "grade")
    assert result.exit_code == 0, result.output
    assert "data          gives the objective of the fit" in result.output
    assert "output layer proved optimal" in result.output
    assert "nothing bounds what others could reach" in result.output


def test_a_network_as_descent_leaves_it_is_not(invoke, shop):
    result = _ask(invoke, shop, "rough.infimum", "grades.csv", "grade")
    assert result.exit_code == 2
    assert "gives the objective of the fit" in result.output
    assert "output layer NOT proved optimal" in result.output


def test_other_rows_are_told(invoke, shop, tmp_path):
    fewer = tmp_path / "fewer.csv"
    pl.read_csv(shop / "grades.csv")[:120].write_csv(fewer)
    result = _ask(invoke, shop, "polished.infimum", fewer, "grade")
    assert result.exit_code == 2
    assert "does NOT give the objective of the fit" in result.output


def test_what_is_printed_is_what_certify_computes(invoke, shop):
    result = _ask(invoke, shop, "piped.infimum", "prices.csv", "price")
    piped = infimum.load(shop / "piped.infimum")
    table = pl.read_csv(shop / "prices.csv")
    X = piped[:-1].transform(table.drop("price").to_numpy())
    found = piped[-1].certify(X, table["price"].to_numpy())
    assert f"objective     {found.objective:.10g}" in result.output
    assert f"gradient      {found.gradient_norm:.3e} long" in result.output
    assert f"gap           {found.output_layers[0].gap:.3e}" in result.output


def test_columns_are_found_by_their_names(invoke, shop):
    result = _ask(invoke, shop, "named.infimum", "both.csv", "grade")
    assert "gives the objective of the fit" in result.output


@pytest.mark.parametrize(
    ("model", "table", "targets"),
    [("two.infimum", "plain.csv", "b,c"), ("tags.infimum", "signs.csv", "a+,b+,c+")],
)
def test_several_outputs_are_named_in_order(invoke, shop, model, table, targets):
    result = _ask(invoke, shop, model, table, targets)
    assert "gives the objective of the fit" in result.output, result.output
    wrong = _ask(invoke, shop, model, table, ",".join(reversed(targets.split(","))))
    assert "does NOT give the objective of the fit" in wrong.output, wrong.output


@pytest.mark.parametrize("targets", ["b", "b,b", "a,b,c"])
def test_other_numbers_of_targets_are_refused(invoke, shop, targets):
    result = _ask(invoke, shop, "two.infimum", "plain.csv", targets)
    assert result.exit_code == 2
    told = " ".join(result.output.split())
    assert "of 2 outputs: name their columns in order, --target a,b; got" in told


def test_a_column_that_is_missing_is_named(invoke, shop):
    result = _ask(invoke, shop, "two.infimum", "plain.csv", "b,nothing")
    assert result.exit_code == 2
    assert "'nothing'" in result.output


def test_the_auditor_does_not_know_networks(invoke, shop):
    more = ("grades.csv", "grade", "--rigorous")
    result = _ask(invoke, shop, "polished.infimum", *more)
    assert result.exit_code == 2
    assert "proof         rigorous: " in result.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("polished.infimum", "grades.csv"), "give the column with --target"),
        (
            ("polished.infimum", "grades.csv", "--target", "grad"),
            "did you mean 'grade'",
        ),
        (("polished.infimum", "prices.csv", "--target", "price"), "label type"),
        (("polished.infimum", "both.csv", "--target", "price"), "'grade'"),
        (("named.infimum", "prices.csv", "--target", "price"), "label type"),
    ],
)
def test_what_does_not_fit_is_told_in_one_sentence(refused, shop, words, told):
    model, table, *rest = words
    assert told in refused("certify", shop / model, shop / table, *rest)


def test_files_of_other_models_keep_their_sentence(refused, shop, run, csv):
    X = np.eye(4)
    infimum.save(StandardScaler().fit(X), shop / "scaler.infimum")
    assert "`infimum learn`" in refused("certify", shop / "scaler.infimum", csv)
    told = refused("certify", run / "model.infimum", csv, "--target", "quality")
    assert "says its own target" in told
