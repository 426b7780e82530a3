"""Columns with a role of their own: weights, sensitive ones, those to leave out."""

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.errors import DataError, InvalidParameterError
from infimum.learn import job, predict_table, recheck
from infimum.learn.compare import contenders as shelf
from infimum.learn.job import entrants
from infimum.learn.options import Options
from infimum.learn.problem import pose


@pytest.fixture(autouse=True)
def two(monkeypatch):
    monkeypatch.setattr(job, "classifiers", lambda: shelf.classifiers()[:2])


@pytest.fixture
def weighted(binary_table):
    counts = np.arange(160) % 3 + 1
    return binary_table.with_columns(count=pl.Series(counts))


def test_columns_left_out_are_not_learned_from(binary_table):
    dropped = pose(binary_table, "verdict", options=Options(drop=("noise",)))
    assert set(dropped.kinds) == {"size", "colour"}
    only = pose(binary_table, "verdict", options=Options(only=("noise", "size")))
    assert set(only.kinds) == {"size", "noise"}
    used = {note.name for note in only.columns if note.used and note.name != "verdict"}
    assert used == {"size", "noise"}
    with pytest.raises(DataError, match="left out"):
        pose(binary_table, "verdict", options=Options(only=("verdict",)))


def test_a_model_without_a_column_does_not_ask_for_it(binary_table):
    result = infimum.learn(binary_table, "verdict", drop="noise", sensitive=["colour"])
    predicted = result.model.predict(binary_table.drop("noise"))
    np.testing.assert_array_equal(predicted, result.model.predict(binary_table))
    assert result.options == {"drop": ["noise"], "sensitive": ["colour"]}
    assert "reason" not in result.evidence["fairness"]


def test_weights_count_rows_and_the_proof_holds_for_them(weighted, tmp_path):
    result = infimum.learn(weighted, "verdict", weights="count", out=tmp_path / "run")
    plain = infimum.learn(weighted.drop("count"), "verdict")
    assert "count" not in result.model[0].feature_names_in_
    assert result.proof.closed
    assert not np.allclose(result.model[-1].coef_, plain.model[-1].coef_)
    checked = recheck(tmp_path / "run" / "model.infimum", weighted)
    assert checked.same_data
    assert checked.certificate.primal == pytest.approx(result.proof.primal, rel=1e-9)


def test_who_cannot_weigh_rows_stays_out(weighted, monkeypatch):
    monkeypatch.setattr(job, "classifiers", shelf.classifiers)
    plain = {each.name for each in entrants(pose(weighted, "verdict"))}
    problem = pose(weighted, "verdict", options=Options(weights="count"))
    assert plain - {each.name for each in entrants(problem)} == {"neighbours"}


@pytest.mark.parametrize(
    "options, message",
    [
        ({"group": "grp"}, "No column 'grp' in .*, which has size, noise, col"),
        ({"weights": "colour"}, "no numbers"),
        ({"weights": "minus"}, "weighs row 3 negatively"),
        ({"weights": "zero"}, "the weight 0"),
        ({"time": "colour"}, "neither dates nor numbers"),
        ({"weights": "verdict"}, "is the target"),
        ({"group": "size"}, "missing in row 1; group needs all"),
        ({"weights": "gaps"}, "'gaps' is missing in row 2; weights needs all"),
        ({"weights": "nan"}, "'nan' is missing in row 2; weights needs all"),
        ({"sensitive": ("verdict",)}, "it cannot be sensitive"),
    ],
)
def test_roles_that_a_column_cannot_hold_are_refused(binary_table, options, message):
    odd = binary_table.with_columns(
        minus=pl.Series([1.5, 2.5, -1.0] + [3.0] * 157),
        zero=pl.Series([0] * 160),
        gaps=pl.Series([1.5, None] + [3.0] * 158),
        nan=pl.Series([1.5, float("nan")] + [3.0] * 158),
    )
    with pytest.raises(DataError, match=message):
        infimum.learn(odd, "verdict", **options)


def test_columns_are_what_the_user_says(binary_table):
    coded = binary_table.with_columns(ward=pl.Series(np.arange(160) % 4))
    said = Options.of(kinds={"ward": "category", "noise": "drop", "size": "number"})
    problem = pose(coded, "verdict", options=said)
    assert problem.kinds == {
        "size": "numeric",
        "colour": "categorical",
        "ward": "categorical",
    }
    assert said.to_plain()["kinds"]["ward"] == "categorical"
    assert pose(coded, "verdict").kinds["ward"] == "numeric"
    assert Options.of(**said.to_plain()) == said


def test_what_is_read_otherwise_in_training_is_read_so_in_use(binary_table, tmp_path):
    coded = binary_table.with_columns(ward=pl.Series(np.arange(160) % 4))
    result = infimum.learn(
        coded,
        "verdict",
        kinds={"ward": "category"},
        out=tmp_path / "run",
    )
    assert "ward=3" in result.model[0].get_feature_names_out()
    told = predict_table(tmp_path / "run" / "model.infimum", coded)
    np.testing.assert_array_equal(told["prediction"], result.model.predict(coded))
    assert recheck(tmp_path / "run" / "model.infimum", coded).same_data


def test_kinds_that_do_not_fit_are_refused(binary_table):
    with pytest.raises(InvalidParameterError, match="must be one of numeric, category"):
        Options.of(kinds={"size": "huge"})
    with pytest.raises(DataError, match="cannot be numeric: row 1 holds"):
        pose(binary_table, "verdict", options=Options.of(kinds={"colour": "numeric"}))
    with pytest.raises(DataError, match="No column 'hue'"):
        pose(binary_table, "verdict", options=Options.of(kinds={"hue": "text"}))


def test_what_the_test_does_not_take_into_account_is_said(binary_table):
    whole = binary_table.with_columns(
        count=pl.Series([1.5, 2.5] * 80), day=pl.Series(np.arange(160) * 1.5)
    )
    weighed, ordered = (
        " ".join(pose(whole, "verdict", options=Options.of(**options)).warnings)
        for options in ({"weights": "count"}, {"time": "day"})
    )
    assert "'count' says for how many rows of the population a row stands" in weighed
    assert "count each test row once" in weighed
    assert "independent" not in weighed
    assert "take the test rows as independent; where rows near in time" in ordered
    grouped = Options.of(group="colour").caveats()
    assert "rows of one 'colour' resemble each other" in grouped[0]
    assert Options().caveats() == ()
