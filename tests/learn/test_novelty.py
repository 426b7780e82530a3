"""A table without a target: strange rows are found, false alarms are promised."""

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.evaluation.scoring import (
    Predictions,
    count_extreme,
    criterion_for,
    measure,
)
from infimum.learn import job, predict_table, recheck
from infimum.learn.choose.small_models import StrangeTree, imitate
from infimum.learn.compare import other_contenders as shelf
from infimum.learn.compare.runners import both_encodings, few_rows, try_out
from infimum.learn.options import Options
from infimum.learn.unlabelled import pose_unlabelled
from infimum.report import render


def ring(n=300, seed=0):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, n)
    around = 0.05 * rng.normal(size=(2, n))
    return pl.DataFrame(
        {
            "id": [f"R{place:04}" for place in range(n)],
            "east": np.cos(angle) + around[0],
            "north": np.sin(angle) + around[1],
            "colour": rng.choice(["red", "green"], n),
        }
    )


@pytest.fixture(scope="module")
def table():
    rows = ring()
    # Not among the rows that calibrate: there it would be as strange as itself.
    rows[18, "east"], rows[18, "north"] = 0.0, 0.0
    return rows


@pytest.fixture(scope="module")
def found(table, tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job, "detectors", lambda: shelf.detectors()[:3])
        return infimum.learn(table, task="novelty", out=out, render=render)


def test_a_row_in_the_middle_of_a_ring_is_the_strangest(found):
    first = found.evidence["strangest"][0]
    assert first["row"] == 19
    assert {each["column"] for each in first["columns"][:2]} == {"east", "north"}
    assert first["p_value"] == min(r["p_value"] for r in found.evidence["strangest"])
    assert found.choice.name == "neighbours"


def test_the_promise_and_what_was_counted_are_told(found):
    bound = found.exam.bound
    assert bound["promised"] == 0.05
    assert bound["low"] <= found.exam.metrics["alarm_rate"] <= bound["high"]
    assert bound["calibration_rows"] + found.exam.rows == found.data.test_rows
    page = (found.out / "report.html").read_text()
    assert "The strangest rows" in page
    assert "at most 5.0" in page
    assert 'data-value="19"' in page


def test_fresh_rows_are_flagged_as_rarely_as_promised(found):
    fresh = ring(2000, seed=9)
    told = predict_table(found.model, fresh)
    assert told.columns == ["score", "p_value", "alarm"]
    # One draw of 30 calibration rows: the rate itself is a Beta(1, 30).
    assert told["alarm"].mean() < 0.12
    middle = fresh[:1].with_columns(east=pl.lit(0.0), north=pl.lit(0.0))
    assert predict_table(found.out / "model.infimum", middle)["alarm"][0]


def test_the_same_seed_finds_the_same(table, found, monkeypatch):
    monkeypatch.setattr(job, "detectors", lambda: shelf.detectors()[:3])
    again = infimum.learn(table, task="novelty")
    assert again.choice == found.choice
    assert again.exam == found.exam
    assert again.evidence["strangest"] == found.evidence["strangest"]


def test_a_detector_without_convex_risk_has_no_certificate(found, table):
    with pytest.raises(IncompatibleError, match="no convex fit"):
        recheck(found.out / "model.infimum", table)


def test_a_one_class_machine_is_certified_again(table, tmp_path, monkeypatch):
    monkeypatch.setattr(job, "detectors", lambda: shelf.detectors()[4:5])
    infimum.learn(table, task="novelty", out=tmp_path / "run")
    checked = recheck(tmp_path / "run" / "model.infimum", table)
    assert checked.same_data
    assert checked.certificate.relative_gap < 1e-2


def test_an_isolation_forest_is_calibrated_and_saved(table, tmp_path, monkeypatch):
    monkeypatch.setattr(job, "detectors", lambda: shelf.detectors()[5:])
    result = infimum.learn(table, task="novelty", out=tmp_path / "run")
    assert result.choice.name == "isolation"
    told = predict_table(tmp_path / "run" / "model.infimum", table)
    assert told["p_value"].min() == pytest.approx(1 / 31)


def test_imitations_look_right_column_by_column_only():
    rows = ring(400).drop("id")
    kinds = {"east": "numeric", "north": "numeric", "colour": "categorical"}
    fake = imitate(rows, kinds, 1000, 0)
    assert fake.schema == rows.schema
    assert rows["east"].min() <= fake["east"].min()
    assert set(fake["colour"]) == {"red", "green"}
    distance = (fake["east"] ** 2 + fake["north"] ** 2).sqrt()
    assert (distance - 1).abs().mean() > 0.2


def test_the_volume_is_the_share_of_imitations_inside():
    strange = np.array([0.0, 1.0, 2.0, 9.0, 0.5, 1.5, 5.0, 7.0])
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    said = Predictions(strange, strange[:, None], None)
    criterion = criterion_for(np.array([]), "novelty", alarm_rate=0.34)
    told = measure(y, said, np.array([]), criterion)
    assert told["volume"] == 0.5
    assert told["area"] == pytest.approx(9 / 16)


def test_all_detectors_take_part(table):
    posed = pose_unlabelled(table, None, Options(alarm_rate=0.05))
    names = [each.name for each in job.entrants(posed)]
    assert names[:3] == ["baseline", "gaussian", "neighbours"]
    assert names[3:] == ["density", "one-class-svm", "isolation"]
    assert set(posed.kinds) == {"east", "north", "colour"}


def test_what_novelty_cannot_do_is_said(table):
    with pytest.raises(IncompatibleError, match="predicts no column"):
        infimum.learn(table, "colour", "novelty")
    with pytest.raises(IncompatibleError, match="knows no weights"):
        infimum.learn(table, task="novelty", weights="east")
    with pytest.raises(DataError, match="takes at least 990"):
        infimum.learn(table, task="novelty", alarm_rate=0.01)
    with pytest.raises(InvalidParameterError, match="needs task='novelty'"):
        infimum.learn(table, "colour", alarm_rate=0.1)
    with pytest.raises(DataError, match="--novelty"):
        infimum.learn(table)


def test_a_small_tree_tells_what_is_strange(found):
    champion = found.champion
    assert champion["size"].endswith(" answers")
    assert int(champion["size"].split()[0]) <= 8
    assert "class: strange" in champion["rules"]
    assert champion["cost"] > champion["cost_spread"]
    # The tree cannot see the ring as neighbours do, but it knows more than a guess: by
    # that, all but a share of 0.05 of imitations would pass.
    assert champion["score"] + champion["spread"] < 0.95
    page = (found.out / "report.html").read_text()
    assert "tells rows from imitations" in page


def test_where_nobody_knows_what_is_far_nothing_is_wild():
    strange = np.array([3.0, 500.0])
    said = Predictions(strange, strange[:, None], None)
    assert count_extreme([said], np.zeros(5)) == [0]
    assert count_extreme([said], np.array([0.0, 1.0])) == [2]


def test_the_loops_of_detectors_that_can_be_read_are_made_ready(table, monkeypatch):
    class Over(Exception):  # noqa: N818
        pass

    given, leaves = [], []

    def note(contenders, problem, *_):
        given.extend((contenders, problem))
        raise Over

    def score(tree, X):
        leaves.append(tree.get_n_leaves())
        return np.zeros(len(X))

    monkeypatch.setattr(job, "warm", note)
    monkeypatch.setattr(StrangeTree, "score_samples", score)
    with pytest.raises(Over):
        infimum.learn(table, task="novelty")
    contenders, problem = given
    (tree,) = (each for each in contenders if each.name == "strange-tree")
    try_out(tree, both_encodings(few_rows(problem)))
    assert leaves[0] == 2
    assert len(leaves) == 3
