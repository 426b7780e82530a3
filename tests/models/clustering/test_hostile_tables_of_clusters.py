"""Clusterers on hostile tables: a result, or one sentence."""

import inspect
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator

from infimum.errors import DataError
from infimum.models import clustering
from infimum.models.clustering import HDBSCAN, KMeans, MiniBatchKMeans
from tests.models.test_hostile_tables import DRAW, ROWS, TABLES, made

DEGENERATE = {
    "one row": DRAW[:1],
    "two rows": DRAW[:2],
    "copies of one": np.repeat(DRAW[:1], ROWS, axis=0),
    "two places": np.repeat(DRAW[:2], ROWS // 2, axis=0),
    "constant columns": np.column_stack([DRAW[:, 0], np.ones(ROWS), np.zeros(ROWS)]),
    "far away": DRAW + 1e12,
    "zeros": np.zeros((ROWS, 3)),
    "one column": DRAW[:, :1],
    "unlike columns": DRAW * [1e-200, 1.0, 1e100],
}
CLUSTERERS = [
    made(getattr(clustering, name))
    for name in clustering.__all__
    if inspect.isclass(getattr(clustering, name))
    and issubclass(getattr(clustering, name), BaseEstimator)
]


def told(model, X):
    """Return labels, or the sentence that refuses; a warning in words is allowed."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)
        try:
            model.fit(X)
            for verb in ("predict", "transform"):
                if hasattr(model, verb):
                    assert not np.isnan(getattr(model, verb)(X)).any()
        except (ValueError, TypeError) as refusal:
            return str(refusal)
    return getattr(model, "labels_", model)


@pytest.mark.parametrize("model", CLUSTERERS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("kind", ["hostile", "degenerate"])
def test_every_table_ends_in_clusters_or_in_one_sentence(model, kind):
    for X in (TABLES if kind == "hostile" else DEGENERATE).values():
        answer = told(model, X)
        if isinstance(answer, str):
            assert "\n" not in answer
            assert 10 < len(answer) < 330


@pytest.mark.parametrize("size", [1e-310, 1e-200, 1e-30, 1e30, 1e150])
def test_k_means_does_not_care_about_units(size):
    X = np.repeat([[-1.0], [0.0], [5.0]], 4, axis=0)
    model = KMeans(2, init=np.array([[-1.0], [5.0]]) * size).fit(X * size)
    np.testing.assert_array_equal(model.labels_, np.repeat([0, 0, 1], 4))
    np.testing.assert_allclose(model.cluster_centers_[1], 5.0 * size)


def test_large_entries_of_sparse_rows_are_refused_with_what_to_do():
    X = sparse.csr_array(1e200 * DRAW)
    for model in (KMeans(2), MiniBatchKMeans(2)):
        with pytest.raises(DataError, match="too much for squared distances: scale"):
            model.fit(X)


def test_large_and_tiny_numbers_do_not_keep_branches_from_ending():
    for size in (1e200, 1e-200):
        with pytest.raises(DataError, match="scale them, or squares"):
            HDBSCAN().fit(size * DRAW)
    with_gaps = np.where(np.arange(ROWS)[:, None] == 3, np.inf, DRAW)
    model = HDBSCAN(min_cluster_size=3).fit(with_gaps)
    assert model.labels_[3] == -2
