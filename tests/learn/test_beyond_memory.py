"""Learning from folders: a sample races, all rows are fitted, and rows stream out."""

import json

import numpy as np
import polars as pl
import pytest

from infimum.data.streams import chances
from infimum.data.streams.frames import guess_kinds
from infimum.data.streams.paths import source_files
from infimum.errors import DataError, IncompatibleError
from infimum.learn.beyond_memory import _sampled, learn_files, predict_files


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("folder")
    rng = np.random.default_rng(0)
    for k in range(3):
        X, colour = rng.normal(size=(3000, 3)), rng.choice(["red", "blue"], 3000)
        chance = 1.5 * X[:, 0] + (colour == "red") + rng.logistic(size=3000)
        frame = pl.DataFrame(X, schema=list("abc"))
        frame = frame.with_columns(colour=colour, y=np.where(chance > 0, "yes", "no"))
        frame.write_csv(place / f"{k}.csv")
    return place


def test_a_sample_is_a_matter_of_row_numbers_and_seed(folder):
    files = source_files(folder)
    guess = guess_kinds(files)
    small, rows = _sampled(files, guess, 500, 0)
    large, _ = _sampled(files, guess, 2000, 0)
    assert (rows, small.height, large.height) == (9000, 500, 2000)
    inside = small.join(large, on=small.columns, how="semi")
    assert inside.height == 500
    every, _ = _sampled(files, guess, 9000, 0)
    assert every.height == int((chances(0, np.arange(9000)) >= 0.2).sum())


def test_learn_and_predict_stream(folder, tmp_path):
    place, told = learn_files(
        folder, "y", memory=120 * 5 * 1000, budget=30.0, out=tmp_path / "run"
    )
    assert (told.rows, told.sample_rows) == (9000, 1000)
    assert told.test_rows == int((chances(0, np.arange(9000)) < 0.2).sum())
    assert told.score_of_sample > 0.65
    if told.score_of_all is not None:
        assert told.score_of_all > told.score_of_sample - 0.03
    written = json.loads((place / "beyond.json").read_text())
    assert written["sample_rows"] == 1000
    out = tmp_path / "predictions.csv"
    assert predict_files(place / "model.infimum", folder, out) == 9000
    said = pl.read_csv(out)
    truth = pl.concat([pl.read_csv(folder / f"{k}.csv") for k in range(3)])
    assert float((said["prediction"] == truth["y"]).mean()) > 0.65


def test_what_cannot_be_learnt_that_way(folder, tmp_path):
    with pytest.raises(DataError, match="no column 'z' to learn"):
        learn_files(folder, "z", memory=10**6, out=tmp_path)
    (tmp_path / "a.svm").write_text("1 1:1\n")
    with pytest.raises(IncompatibleError, match="not svmlight"):
        learn_files(tmp_path / "a.svm", "y", memory=10**6, out=tmp_path)
    with pytest.raises(DataError, match=r"must end in \.csv"):
        predict_files("model.infimum", folder, tmp_path / "p.parquet")
