"""What the command does with a folder: keep, intervals, reasons, and going on."""

import json
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest
from sklearn.pipeline import Pipeline

from infimum.data.streams import chances
from infimum.errors import DataError
from infimum.learn import beyond_memory
from infimum.learn.beyond_memory import learn_files, predict_files
from infimum.learn.prediction import predict_table
from infimum.models.linear import LogisticRegression, Ridge

HOW = {"intervals": True, "keep": ("id", "colour"), "reasons": 2}


def parts(place, target, count=1500):
    """Write three files whose rows have an identifier."""
    rng = np.random.default_rng(0)
    for k in range(3):
        X, colour = rng.normal(size=(count, 3)), rng.choice(["red", "blue"], count)
        score = 1.5 * X[:, 0] + (colour == "red") + rng.normal(size=count)
        y = np.where(score > 0, "yes", "no") if target == "label" else score
        names = pl.Series("id", [f"{k}-{i}" for i in range(count)])
        frame = pl.DataFrame(X, schema=list("abc"))
        frame.with_columns(names, colour=colour, y=y).write_csv(place / f"{k}.csv")


@pytest.fixture(scope="module", params=["label", "number"])
def learned(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("parts")
    parts(folder, request.param)
    out = tmp_path_factory.mktemp("runs") / "run"
    how = {"memory": 10**8, "budget": 10.0, "drop": ("id",), "out": out}
    with pytest.MonkeyPatch.context() as patch:
        refitted = beyond_memory._refitted
        patch.setattr(
            beyond_memory, "_refitted", lambda one, *more: refitted(linear(one), *more)
        )
        place, told = learn_files(folder, "y", **how)
    assert told.score_of_all is not None
    return folder, place, told


def linear(winner):
    """Return a model that streams, behind the winner's encoder."""
    blended = hasattr(winner[-1], "estimators_")
    encoder = (winner[-1].estimators_[0] if blended else winner)[0]
    if not hasattr(winner, "classes_"):
        return Pipeline([("columns", encoder), ("model", Ridge())])
    model = LogisticRegression()
    model.classes_ = winner.classes_
    return Pipeline([("columns", encoder), ("model", model)])


def test_a_folder_gets_what_one_table_gets(learned, tmp_path):
    folder, place, _ = learned
    out = tmp_path / "p.csv"
    assert predict_files(place / "model.infimum", folder, out, **HOW) == 4500
    streamed = pl.read_csv(out)
    assert streamed.columns[:2] == ["id", "colour"]
    assert {"reason 1", "share 1", "reason 2", "share 2"} < set(streamed.columns)
    first = pl.read_csv(folder / "0.csv")
    same = predict_table(place / "model.infimum", first, **HOW)
    assert streamed.columns == same.columns
    for name in ("id", "prediction", "reason 1"):
        assert streamed[name].head(1500).to_list() == same[name].to_list()


def test_intervals_hold_for_the_model_that_was_fitted_again(learned, tmp_path):
    folder, place, told = learned
    assert told.limit is not None
    assert told.calibration_rows == told.test_rows
    out = tmp_path / "p.csv"
    predict_files(place / "model.infimum", folder, out, intervals=True)
    said = pl.read_csv(out)
    truth = pl.concat([pl.read_csv(folder / f"{k}.csv") for k in range(3)])["y"]
    if "set" in said.columns:
        pairs = zip(truth, said["set"], strict=True)
        inside = np.array([y in held.split(" | ") for y, held in pairs])
    else:
        inside = ((said["low"] <= truth) & (truth <= said["high"])).to_numpy()
    result = json.loads((place / "result.json").read_text())
    level = result["evidence"]["conformal"]["coverage"]["promised"]
    # The rows that the limit was taken from are covered as often as promised, exactly.
    tests = chances(0, np.arange(4500)) < 0.2
    assert level <= inside[tests].mean() <= level + 0.02
    # The others, as nearly as 3,600 coins tell: five deviations.
    slack = 5.0 * np.sqrt(level * (1.0 - level) * (1 / 3600 + 1 / tests.sum()))
    assert inside[~tests].mean() >= level - slack


def test_standard_output_takes_a_stream(learned, tmp_path):
    folder, place, _ = learned
    out, raw = tmp_path / "p.csv", tmp_path / "raw"
    predict_files(place / "model.infimum", folder, out)
    with raw.open("wb") as stream:
        assert predict_files(place / "model.infimum", folder, stream) == 4500
    assert raw.read_bytes() == out.read_bytes()


def test_a_column_that_is_not_there_is_named_before_anything_is_written(
    learned, tmp_path
):
    folder, place, _ = learned
    with pytest.raises(DataError, match=r"0\.csv has no column 'idd' to keep; did"):
        predict_files(place / "model.infimum", folder, tmp_path / "p.csv", keep=["idd"])
    assert list(tmp_path.iterdir()) == []


CODE = """
import sys, pathlib
from infimum.learn import beyond_memory
if sys.argv[3] == "slow":
    def refitted(*given):
        pathlib.Path(sys.argv[2] + ".mark").touch()
        import time; time.sleep(600)
    beyond_memory._refitted = refitted
beyond_memory.learn_files(sys.argv[1], "y", memory=10**8, budget=5.0, out=sys.argv[2])
"""


def test_a_run_killed_between_race_and_fit_goes_on(tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    parts(folder, "label", 300)
    out = tmp_path / "run"
    call = [sys.executable, "-c", CODE, str(folder), str(out), "slow"]
    with subprocess.Popen(call) as process:
        mark, end = tmp_path / "run.mark", time.monotonic() + 120.0
        while not mark.exists() and time.monotonic() < end:
            time.sleep(0.1)
        process.kill()
    assert mark.exists()
    assert not (out / "beyond.json").exists()
    before = (out / "result.json").read_bytes()
    how = {"memory": 10**8, "budget": 5.0, "out": out, "resume": True}
    with pytest.raises(DataError, match="holds a finished run"):
        learn_files(folder, "y", seed=1, **how)  # another sample, another run
    place, told = learn_files(folder, "y", **how)
    assert place == out
    assert (out / "result.json").read_bytes() == before  # nothing was raced again
    assert told.refitted.startswith(("on all rows", "no:", "a blend"))
    with pytest.raises(DataError, match="start without --resume"):
        learn_files(folder, "y", **how)
