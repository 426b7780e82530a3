"""Results to report on, one a task, with names that try to break out."""

import json

import numpy as np
import polars as pl
import pytest

import infimum

HOSTILE = '<script>window.broken = true</script>"&'


@pytest.fixture(scope="session")
def results():
    rng = np.random.default_rng(8)
    x, z = rng.normal(size=(2, 150))
    colour = rng.choice(["red", "blue"], 150)
    signal = 2 * x - z + (colour == "red") + rng.normal(size=150)
    inputs = pl.DataFrame({HOSTILE: x, "z": z, "colour": colour})
    targets = {
        "binary": np.where(signal > 0, "</script><b>yes", "no"),
        "multiclass": np.digitize(signal, [-1, 1]).astype(str),
        "regression": signal,
    }
    return {name: _learned(inputs, values) for name, values in targets.items()}


def _learned(inputs, values):
    table = inputs.with_columns(pl.Series("<i>target</i>", values))
    result = infimum.learn(table, "<i>target</i>", budget=30.0)
    return json.loads(result.to_json())


@pytest.fixture(scope="session", autouse=True)
def one_lap():
    """Race one lap of five strengths instead of three: the same job, sooner done."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("infimum.learn.race.LAPS", 1)
        yield
