"""Predictions of many rows, a block at a time."""

import numpy as np
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline

from infimum.errors import DataError
from infimum.features import TableEncoder
from infimum.learn import predict_table, prediction
from infimum.models.linear import LogisticRegression, Ridge


@pytest.fixture
def table(rng):
    x = rng.normal(size=97)
    return pl.DataFrame({"x": x, "c": rng.choice(["a", "b"], 97), "y": x > 0.3})


@pytest.mark.parametrize("model", [LogisticRegression(), Ridge()], ids=["c", "r"])
def test_blocks_predict_what_the_whole_does(table, monkeypatch, model):
    kinds = {"x": "numeric", "c": "categorical"}
    pipeline = make_pipeline(TableEncoder(kinds), model).fit(table, table["y"])
    whole = predict_table(pipeline, table)
    monkeypatch.setattr(prediction, "_BLOCK", 10)
    parts = predict_table(pipeline, table)
    assert parts.schema == whole.schema
    assert parts.height == 97
    for name in whole.columns:
        np.testing.assert_allclose(parts[name].to_numpy(), whole[name].to_numpy())


def test_a_wrong_value_is_named_by_its_row_in_the_table(table, monkeypatch):
    pipeline = make_pipeline(TableEncoder({"x": "numeric"}), Ridge())
    pipeline.fit(table, table["y"])
    words = [*map(str, range(60)), *["much"] * 37]
    monkeypatch.setattr(prediction, "_BLOCK", 10)
    with pytest.raises(DataError, match=r"'x' holds 'much' in row 61 where numbers"):
        predict_table(pipeline, pl.DataFrame({"x": words}))
