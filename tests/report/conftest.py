"""Results to report on, one a task, with names that try to break out."""

import json

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.learn import job
from infimum.report import render
from tests.report.chromium import Chromium

HOSTILE = '<script>window.broken = true</script>"&'
TARGET = "<i>target</i>"
#: A sparse and a dense linear model and a tree: the same job, sooner done.
FEW = {
    "baseline",
    "logistic-l1",
    "logistic-l2",
    "lasso",
    "ridge",
    "tree",
    "ordinal",
    "poisson",
    "quantile",
    "gaussian",
}
#: What is asked of each task, beyond its target.
WISHES = {
    "binary": {"sensitive": "colour"},
    "multiclass": {"sensitive": "colour"},
    "regression": {"sensitive": "colour"},
    "counts": {"task": "counts"},
    "quantile": {"task": "quantile", "quantile": 0.8},
    "ordinal": {"task": "ordinal"},
    "multilabel": {},
    "novelty": {"task": "novelty"},
}


class Results:
    """Results by task; each is learned when it is first asked for."""

    def __init__(self):
        self.known = {}

    def __getitem__(self, task):
        if task not in self.known:
            self.known[task] = _learned(*_table(task), **WISHES[task])
        return self.known[task]


@pytest.fixture(scope="session")
def results():
    return Results()


def _table(task):
    """Return a table and the name of its target."""
    rng = np.random.default_rng(8)
    x, z = rng.normal(size=(2, 200))
    colour = rng.choice(["red", "blue"], 200)
    signal = 2 * x - z + (colour == "red") + rng.normal(size=200)
    inputs = pl.DataFrame({HOSTILE: x, "z": z, "colour": colour})
    if task == "novelty":
        return inputs, None
    if task == "multilabel":
        labels = {TARGET: (signal > 0).astype(int), "</td>": (z > 0.5).astype(int)}
        return inputs.with_columns(**labels), ",".join(labels)
    values = {
        "binary": np.where(signal > 0, "</script><b>yes", "no"),
        "multiclass": np.digitize(signal, [-1, 1]).astype(str),
        "regression": signal,
        "counts": rng.poisson(np.exp(0.4 * signal)),
        "quantile": signal,
        "ordinal": np.digitize(signal, [-2, 0, 2]),
    }
    return inputs.with_columns(pl.Series(TARGET, values[task])), TARGET


def _learned(table, target, **options):
    # Undone at once: other tests of the session race with everybody.
    with pytest.MonkeyPatch.context() as patch:
        everybody = job.entrants
        patch.setattr("infimum.learn.compare.race.SWEEPS", 1)
        patch.setattr(
            "infimum.learn.job.entrants",
            lambda problem: tuple(e for e in everybody(problem) if e.name in FEW),
        )
        result = infimum.learn(table, target, budget=600.0, **options)
    return json.loads(result.to_json())


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    browser = Chromium(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def opened(results, chromium, tmp_path_factory):
    """Return a function that opens the report of a task at a width."""
    folder = tmp_path_factory.mktemp("reports")

    def load(task="binary", width=1400):
        path = folder / f"{task}.html"
        if not path.exists():
            path.write_text(render(results[task]), encoding="utf-8")
        page = chromium.page(path, width=width)
        page.wait("document.querySelectorAll('.figure .main-svg').length > 0")
        return page

    return load
