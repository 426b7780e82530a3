"""What a run leaves on the disk."""

import json

import numpy as np
import pytest

import infimum
from infimum.errors import DataError
from infimum.learn import read_result
from infimum.learn.run_directory import check_place, write_run
from infimum.persistence import read_extra


def page(result):
    return f"<p>{result['data']['target']}</p>"


@pytest.fixture
def run(learned, tmp_path):
    write_run(learned, tmp_path / "run", page)
    return tmp_path / "run"


def test_a_run_is_model_report_and_result(run, learned, binary_table):
    assert {entry.name for entry in run.iterdir()} == {
        "model.infimum",
        "report.html",
        "result.json",
    }
    model = infimum.load(run / "model.infimum")
    np.testing.assert_array_equal(
        model.predict(binary_table), learned.model.predict(binary_table)
    )
    assert (run / "report.html").read_text() == "<p>verdict</p>"
    assert read_result(run) == json.loads(learned.to_json())


def test_the_model_file_says_where_it_came_from(run, learned):
    extra = read_extra(run / "model.infimum")
    assert extra["target"] == "verdict"
    assert extra["classes"] == ["no", "yes"]
    assert extra["seed"] == 0
    assert extra["fingerprint"] == learned.data.fingerprint
    assert extra["kinds"]["colour"] == "categorical"
    assert extra["versions"]["infimum"] == infimum.__version__


def test_an_older_run_is_replaced(run, learned, tmp_path):
    write_run(learned, run, None)
    assert not (run / "report.html").exists()
    assert [entry.name for entry in tmp_path.iterdir()] == ["run"]


def test_an_empty_directory_may_be_used(learned, tmp_path):
    (tmp_path / "empty").mkdir()
    write_run(learned, tmp_path / "empty", None)
    assert (tmp_path / "empty" / "result.json").exists()


def test_a_failure_leaves_the_older_run_as_it_was(run, learned, tmp_path):
    def broken(result):
        raise RuntimeError("no page today")

    before = (run / "result.json").read_bytes()
    with pytest.raises(RuntimeError, match="no page"):
        write_run(learned, run, broken)
    assert (run / "result.json").read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["run"]


def test_directories_of_others_are_not_overwritten(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(DataError, match=r"other files \(notes.txt\)"):
        check_place(tmp_path)
    with pytest.raises(DataError, match="is a file"):
        check_place(tmp_path / "notes.txt")
    with pytest.raises(DataError, match="does not exist"):
        check_place(tmp_path / "no" / "such")


def test_a_result_that_is_not_ours_protects_its_directory(tmp_path):
    (tmp_path / "result.json").write_text('{"versions": []}')
    with pytest.raises(DataError, match="not a run of Infimum"):
        check_place(tmp_path)


def test_a_result_of_an_earlier_version_is_read_under_the_names_of_today(tmp_path):
    old = {"schema": 1, "lanes": [], "wishes": {"drop": ["x"]}, "seed": 3}
    (tmp_path / "result.json").write_text(json.dumps(old))
    told = read_result(tmp_path)
    assert told == {
        "schema": 2,
        "contenders": [],
        "options": {"drop": ["x"]},
        "seed": 3,
    }
