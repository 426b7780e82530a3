"""Bad input to predict, certify, compare and report: a sentence, exit code 2."""

import json
import shutil

import pytest


@pytest.fixture
def place(run, csv, tmp_path):
    """Return a directory with a good run, a good table and many bad things."""
    shutil.copytree(run, tmp_path / "run")
    shutil.copy(csv, tmp_path / "table.csv")
    header, *lines = csv.read_text().splitlines()
    whole = (run / "model.infimum").read_bytes()
    files = {
        "empty.csv": "",
        "half.infimum": whole[: len(whole) // 2],
        "flipped.infimum": whole[:-300] + bytes([whole[-300] ^ 255]) + whole[-299:],
        "no_x.csv": "z,quality\n1.5,good\n2.5,bad\n",
        "misspelt.csv": "\n".join([header.replace("x,", "X1,"), *lines]),
        "words.csv": "x,z\nlarge,1.5\nsmall,2.5\n",
        "partly.csv": "x,z\n1.5,1.5\nsmall,2.5\n",
        "dates.csv": "x,z\n2020-01-01,1.5\n2020-01-02,2.5\n",
        "sparse.svm": "1 1:1\n-1 2:1\n" * 9,
        "no_target.csv": "x,z\n1.5,1.5\n2.5,2.5\n",
        "few.csv": "\n".join([header, *lines[:3]]),
    }
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
    return tmp_path


MODEL, TABLE = "run/model.infimum", "table.csv"
PREDICT = {
    "no model": ("gone.infimum", TABLE, "p.csv", "no such file"),
    "a folder as model": ("run", TABLE, "p.csv", "it is a folder"),
    "an empty model": ("empty.csv", TABLE, "p.csv", "it is empty"),
    "a table as model": (TABLE, TABLE, "p.csv", "not a ZIP archive"),
    "half a model": ("half.infimum", TABLE, "p.csv", "half.infimum"),
    "a damaged model": ("flipped.infimum", TABLE, "p.csv", "flipped.infimum"),
    "no table": (MODEL, "gone.csv", "p.csv", "No file 'gone.csv'"),
    "an empty table": (MODEL, "empty.csv", "p.csv", "is empty"),
    "a column is gone": (MODEL, "no_x.csv", "p.csv", "no column 'x'"),
    "a misspelt column": (MODEL, "misspelt.csv", "p.csv", "did you mean 'X1'"),
    "words for numbers": (MODEL, "words.csv", "p.csv", "'large' in row 1"),
    "one word among numbers": (MODEL, "partly.csv", "p.csv", "'small' in row 2"),
    "dates for numbers": (MODEL, "dates.csv", "p.csv", "dates where numbers"),
    "a sparse table": (MODEL, "sparse.svm", "p.csv", "learned from named columns"),
    "an ending unknown": (MODEL, TABLE, "p.xlsx", "must end in .csv"),
    "no ending": (MODEL, TABLE, "p", "must end in .csv"),
    "a place in nowhere": (MODEL, TABLE, "no/p.csv", "does not exist"),
}
CERTIFY = {
    "no model": ("gone.infimum", TABLE, "no such file"),
    "a table as model": (TABLE, TABLE, "not a ZIP archive"),
    "half a model": ("half.infimum", TABLE, "half.infimum"),
    "no table": (MODEL, "gone.csv", "No file 'gone.csv'"),
    "an empty table": (MODEL, "empty.csv", "is empty"),
    "no target": (MODEL, "no_target.csv", "No column 'quality'"),
    "too few rows": (MODEL, "few.csv", "quality"),
    "another table": (MODEL, "sparse.svm", "quality"),
}


@pytest.mark.parametrize("wrong", PREDICT)
def test_what_cannot_be_predicted(refused, place, wrong):
    model, table, out, message = PREDICT[wrong]
    before = set(place.iterdir())
    assert message in refused("predict", model, table, "--out", out)
    assert set(place.iterdir()) == before


@pytest.mark.parametrize("wrong", CERTIFY)
def test_what_cannot_be_certified(refused, place, wrong):
    model, table, message = CERTIFY[wrong]
    assert message in refused("certify", model, table)


def test_a_folder_as_the_file_to_write(refused, place):
    (place / "p.csv").mkdir()
    assert "is a directory" in refused("predict", MODEL, TABLE, "--out", "p.csv")


@pytest.mark.parametrize("verb", ["predict", "certify", "report", "dance"])
def test_verbs_without_their_words(refused, verb):
    assert verb in refused(verb) or "Missing argument" in refused(verb)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "does not exist"),
        ("", "result.json"),
        ("{", "result.json"),
        ("[1, 2]", "result.json"),
        (json.dumps({"task": "classification"}), "result.json"),
    ],
    ids=["gone", "empty", "broken", "a list", "not a result"],
)
def test_runs_that_cannot_be_reported(refused, place, content, message):
    result = place / "run" / "result.json"
    result.unlink()
    if content is not None:
        result.write_text(content)
    assert message in refused("report", "run")


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ([], "Missing argument"),
        (["run"], "at least two runs"),
        (["run", "run"], "given twice"),
        (["run", "gone"], "gone"),
        (["run", "table.csv"], "table.csv"),
        (["run", "."], "result.json"),
    ],
    ids=["none", "one", "the same", "gone", "a file", "no run"],
)
def test_runs_that_cannot_be_compared(refused, place, runs, message):
    assert message in refused("compare", *runs)
    assert not (place / "infimum-comparison.html").exists()


def test_what_is_no_run(refused, place):
    assert "no directory" in refused("report", "gone")
    assert "no directory" in refused("report", TABLE)
