"""Mistakes around files and places: what was asked for, or one sentence and exit 2."""

import io
import json
import shutil
import sys
import zipfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.cli.failures import one_line
from infimum.cli.sizes import parse_size
from infimum.learn import learning
from infimum.models.trees import DecisionTreeClassifier


@pytest.fixture
def place(run, csv, tmp_path):
    """Return a directory with a good run and a good table."""
    shutil.copytree(run, tmp_path / "run")
    shutil.copy(csv, tmp_path / "table.csv")
    return tmp_path


def zipped(content):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("t.csv", content)
    return held.getvalue()


LEARN = ("learn", "table.csv", "--target", "quality", "--budget", "1s")
FILES = {
    "a zip archive damaged at its end": (
        "t.zip",
        zipped(b"x,y\n" + b"1,a\n" * 99)[:-6] + b"\xff" + bytes(5),
        "cannot be unpacked",
    ),
    "an empty zip archive": ("t.zip", b"PK\x05\x06" + bytes(18), "holds no file"),
    "a nest in JSON": ("t.json", b"[" * 200_000, "nested too deeply"),
    "a nest in a line": ("t.jsonl", b'{"a":' * 200_000, "nested too deeply"),
    "two billion sparse columns": (
        "t.svm",
        b"1 2147483647:1\n-1 1:2\n" * 9,
        "learning takes at most 100,000,000",
    ),
    "a name of two lines": ("t\n2.csv", b"x,y\n1,2,3\n", r"t\n2.csv has 3 fields"),
    "a name that paints": ("t\x1b[31m.csv", b"x,y\n1,2,3\n", r"t\x1b[31m.csv has 3"),
    "a name as long as a page": ("t.csv", b"x" * 5000 + b",y\n1,2\n", "5,000 char"),
}


@pytest.mark.parametrize("wrong", FILES)
def test_files_that_hurt(refused, tmp_path, wrong):
    name, content, message = FILES[wrong]
    (tmp_path / name).write_bytes(content)
    target = () if name.endswith(".svm") else ("--target", "y")
    sentence = refused("learn", name, *target)
    assert message in sentence
    assert len(sentence) < 300


def test_a_link_that_leads_nowhere_is_told(refused, tmp_path):
    (tmp_path / "t.csv").symlink_to("gone.csv")
    assert "leads nowhere" in refused("learn", "t.csv", "--target", "y")


def test_a_compressed_table_may_be_allowed_to_be_large(refused, tmp_path):
    (tmp_path / "t.csv.zip").write_bytes(zipped(b"x,y\n" + b"1,a\n" * 9999))
    words = ("learn", "t.csv.zip", "--target", "y", "--max-unpacked")
    assert "unpacks to more than" in refused(*words, "10kb")
    assert "one class only" in refused(*words, "1 MB")
    assert "is no size" in refused(*words, "large")


@pytest.mark.parametrize(
    ("text", "size"), [("7", 7), ("1.5GB", 1_500_000_000), (" 2 k ", 2000)]
)
def test_sizes_are_read_as_people_write_them(text, size):
    assert parse_size(text) == size


def test_a_closed_standard_input_is_told(refused, monkeypatch):
    monkeypatch.setattr("infimum.cli.standard_input.sys", type(sys)("sys"))
    monkeypatch.setattr("infimum.cli.standard_input.sys.stdin", None, raising=False)
    assert "is closed" in refused("learn", "-", "--target", "y")


def test_a_plain_estimator_predicts(invoke, place):
    frame = pl.read_csv(place / "table.csv")
    X, y = frame[["x", "z"]].to_numpy(), frame["quality"].to_numpy()
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    infimum.save(tree, place / "tree.infimum")
    frame.drop("quality").write_csv(place / "new.csv")
    done = invoke("predict", "tree.infimum", "new.csv", "--out", "p.csv")
    assert done.exit_code == 0, done.output
    said = pl.read_csv(place / "p.csv")
    assert said["prediction"].to_list() == tree.predict(X).tolist()
    np.testing.assert_allclose(
        said["probability of good"], tree.predict_proba(X)[:, 1], atol=1e-12
    )


def test_what_a_plain_estimator_cannot_take_is_told(refused, place):
    X = np.arange(12.0).reshape(4, 3)
    infimum.save(DecisionTreeClassifier().fit(X, [0, 1, 0, 1]), place / "m.infimum")
    words = ("predict", "m.infimum", "table.csv", "--out", "p.csv")
    assert "'quality' holds 'good' in row" in refused(*words)
    pl.DataFrame({"a": [1.0], "b": [2.0]}).write_csv(place / "two.csv")
    words = ("predict", "m.infimum", "two.csv", "--out", "p.csv")
    assert "takes 3 columns of numbers, and two.csv has 2" in refused(*words)


def test_a_finished_run_is_kept_and_the_new_one_numbered(invoke, place):
    before = (place / "run" / "result.json").read_bytes()
    done = invoke(*LEARN, "--out", "run")
    assert done.exit_code == 0, done.output
    assert "run-2/model.infimum" in done.output
    assert "run holds a finished run and was kept; --force replaces it." in done.output
    assert (place / "run" / "result.json").read_bytes() == before
    assert invoke(*LEARN, "--out", "run", "--force").exit_code == 0
    assert (place / "run" / "result.json").read_bytes() != before
    assert not (place / "run-3").exists()


def test_a_run_in_a_directory_at_work_is_refused(refused, place):
    with learning.claimed(Path("run-2"), resume=False, force=False):
        sentence = refused(*LEARN, "--out", "run-2")
    assert sentence.startswith("infimum: Another run is writing to run-2;")


@pytest.mark.parametrize("value", [None, "x", []])
@pytest.mark.parametrize("part", ["choice", "contenders", "data", "versions"])
def test_an_edited_result_is_told(invoke, place, part, value):
    path = place / "run" / "result.json"
    plain = json.loads(path.read_text())
    path.write_text(json.dumps({**plain, part: value}))
    done = invoke("report", "run")
    assert done.exit_code in (0, 2)
    assert "Traceback" not in done.output
    assert done.exit_code == 0 or len(done.stderr.splitlines()) == 1


def test_a_message_is_one_line_and_quotes_eighty_characters():
    told = one_line(f"Column {'n' * 99!r} isn't\nthere, {'it' * 99 + chr(39)!r} is.")
    assert "\n" not in told
    assert len(told) < 200
    assert "isn't\\nthere" in told
