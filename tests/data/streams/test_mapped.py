"""Rows through a map of features: the model of mapped rows in memory."""

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.data.streams import LocalRunner, runner
from infimum.dropin.kernel_approximation import Nystroem, RBFSampler
from infimum.models.linear import LogisticRegression, Ridge


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30_000, 3))
    y = (np.sum(X**2, axis=1) + rng.normal(size=len(X)) > 2.5).astype(int)
    path = tmp_path_factory.mktemp("mapped") / "rows.parquet"
    pl.DataFrame(X, schema=list("abc")).with_columns(y=y).write_parquet(path)
    return infimum.scan(path, target="y"), X, y


@pytest.mark.parametrize("model", [LogisticRegression(), Ridge()])
@pytest.mark.parametrize(
    "feature_map",
    [Nystroem(n_components=20, random_state=0), RBFSampler(random_state=0)],
)
def test_mapped_rows_are_learnt_as_in_memory(rows, feature_map, model):
    streamed, X, y = rows
    mapped = streamed.through(feature_map)
    found = model.fit(mapped)
    assert found.certificate_.closed
    Z = mapped.feature_map.transform(X)
    known = type(model)().fit(Z, y)
    close = {"atol": 1e-3 * np.abs(known.coef_).max()}
    np.testing.assert_allclose(found.coef_, known.coef_, **close)
    if isinstance(model, LogisticRegression):
        assert found.score(Z, y) > 0.8


def test_any_blocks_give_the_same_bits(rows):
    found = []
    for threads, turn in ((1, 0), (3, 1)):
        with runner(LocalRunner(threads, turn)):
            mapped = rows[0].through(Nystroem(n_components=20, random_state=0))
            found.append(LogisticRegression().fit(mapped).coef_.tobytes())
    assert found[0] == found[1]
