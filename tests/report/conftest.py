"""Results to report on, one a task, with names that try to break out."""

import json

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.learn import job
from tests.report.chromium import Chromium

HOSTILE = '<script>window.broken = true</script>"&'
#: A sparse and a dense linear model and a tree: the same job, sooner done.
FEW = {"baseline", "logistic-l1", "logistic-l2", "lasso", "ridge", "tree"}


@pytest.fixture(scope="session")
def results():
    rng = np.random.default_rng(8)
    x, z = rng.normal(size=(2, 200))
    colour = rng.choice(["red", "blue"], 200)
    signal = 2 * x - z + (colour == "red") + rng.normal(size=200)
    inputs = pl.DataFrame({HOSTILE: x, "z": z, "colour": colour})
    targets = {
        "binary": np.where(signal > 0, "</script><b>yes", "no"),
        "multiclass": np.digitize(signal, [-1, 1]).astype(str),
        "regression": signal,
    }
    # Undone at once: other tests of the session race with everybody.
    with pytest.MonkeyPatch.context() as patch:
        everybody = job.entrants
        patch.setattr("infimum.learn.race.LAPS", 1)
        patch.setattr(
            "infimum.learn.job.entrants",
            lambda problem: tuple(e for e in everybody(problem) if e.name in FEW),
        )
        return {name: _learned(inputs, values) for name, values in targets.items()}


def _learned(inputs, values):
    table = inputs.with_columns(pl.Series("<i>target</i>", values))
    result = infimum.learn(table, "<i>target</i>", budget=600.0, sensitive="colour")
    return json.loads(result.to_json())


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    browser = Chromium(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()
